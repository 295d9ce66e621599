namespace Slipstream.Lab;

/// <summary>The data that a recipe needs about one server.</summary>
internal sealed record ServerPlan(
    LabFolder Folder,
    LabCertificates Certificates,
    string InstanceFolder,
    string SocketFolder,
    int Port,
    string Secret,
    IReadOnlyList<string> ExtraArguments)
{
    /// <summary>The database that every lab user may use.</summary>
    public const string Database = "slipstream";

    /// <summary>The user with all privileges.</summary>
    public const string MainUser = "slipstream";

    public string DataFolder => Path.Combine(InstanceFolder, "data");

    public string TemporaryFolder => Path.Combine(InstanceFolder, "tmp");

    /// <summary>Gets the folder with copies of the certificates that the servers' user owns: PostgreSQL refuses a key that others may read.</summary>
    public string TlsFolder => Path.Combine(InstanceFolder, "tls");

    /// <summary>Returns the password for a purpose, built from the lab's random secret.</summary>
    public string PasswordFor(string purpose) => $"{purpose}-{Secret}";

    public string MainPassword => PasswordFor("main");
}
