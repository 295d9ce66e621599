namespace Slipstream.Lab;

/// <summary>What a recipe needs to know about the one server it makes.</summary>
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

    /// <summary>The user who may do everything.</summary>
    public const string MainUser = "slipstream";

    public string DataFolder => Path.Combine(InstanceFolder, "data");

    public string TemporaryFolder => Path.Combine(InstanceFolder, "tmp");

    /// <summary>Copies of the certificates that belong to the servers' user: PostgreSQL refuses a key that others may read.</summary>
    public string TlsFolder => Path.Combine(InstanceFolder, "tls");

    /// <summary>One password for each purpose, all made of the lab's own random word.</summary>
    public string PasswordFor(string purpose) => $"{purpose}-{Secret}";

    public string MainPassword => PasswordFor("main");
}
