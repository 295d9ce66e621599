namespace Slipstream.PostgreSql.Options;

/// <summary>The variables of the process and the files of its user that supply what a connection string does not set. Their names are libpq's.</summary>
/// <param name="variable">Returns the value of a variable; null if it is not set.</param>
/// <param name="home">The user's folder; on Windows, that of the application data. Null if there is none.</param>
/// <param name="isWindows">Whether the names of files are those of Windows.</param>
internal sealed class ClientEnvironment(Func<string, string?> variable, string? home, bool isWindows = false)
{
    /// <summary>Gets the environment of this process.</summary>
    public static ClientEnvironment Process { get; } = new(
        Environment.GetEnvironmentVariable,
        Environment.GetFolderPath(
            OperatingSystem.IsWindows() ? Environment.SpecialFolder.ApplicationData : Environment.SpecialFolder.UserProfile,
            Environment.SpecialFolderOption.DoNotVerify),
        OperatingSystem.IsWindows());

    /// <summary>Returns the value of a variable; null if it is not set or empty.</summary>
    public string? this[string name] => variable(name) is { Length: > 0 } value ? value : null;

    /// <summary>Gets the password file: that of PGPASSFILE, or the user's. Null if there is none.</summary>
    public string? PasswordFile => this["PGPASSFILE"] ?? Existing(isWindows ? ["postgresql", "pgpass.conf"] : [".pgpass"]);

    /// <summary>Gets the service files, in the order of the search.</summary>
    public IEnumerable<string> ServiceFiles
    {
        get
        {
            if ((this["PGSERVICEFILE"] ?? Existing(isWindows ? ["postgresql", ".pg_service.conf"] : [".pg_service.conf"])) is { } own)
                yield return own;
            if (this["PGSYSCONFDIR"] is { } folder && Path.Combine(folder, "pg_service.conf") is var shared && File.Exists(shared))
                yield return shared;
        }
    }

    /// <summary>Returns the path of a certificate or key in the user's folder; null if the file does not exist.</summary>
    public string? CertificateFile(string name) => Existing([isWindows ? "postgresql" : ".postgresql", name]);

    private string? Existing(ReadOnlySpan<string> parts) =>
        home is { Length: > 0 } && Path.Combine([home, .. parts]) is var path && File.Exists(path) ? path : null;
}
