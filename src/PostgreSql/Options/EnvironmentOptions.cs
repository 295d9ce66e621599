using Slipstream.Core.Options;

namespace Slipstream.PostgreSql.Options;

/// <summary>
/// Adds to the options of a connection string what the service file, the environment and the user's certificate files have. Each of these counts less than the
/// one before.
/// </summary>
internal static class EnvironmentOptions
{
    // The variables that Npgsql reads, too. PGPASSWORD and PGPASSFILE are read at each login.
    private static readonly (string Variable, Option Option)[] Variables =
    [
        ("PGUSER", PgOptions.Username),
        ("PGAPPNAME", PgOptions.ApplicationName),
        ("PGOPTIONS", PgOptions.Options),
        ("PGTZ", PgOptions.Timezone),
        ("PGREQUIREAUTH", PgOptions.RequireAuth),
        ("PGSSLNEGOTIATION", PgOptions.SslNegotiation),
        ("PGGSSENCMODE", PgOptions.GssEncryptionMode),
        ("PGTARGETSESSIONATTRS", PgOptions.TargetSessionAttributes),
        ("PGSSLCERT", PgOptions.SslCertificate),
        ("PGSSLKEY", PgOptions.SslKey),
        ("PGSSLROOTCERT", PgOptions.RootCertificate),
    ];

    /// <summary>Returns the options with what is added; the same object if that is nothing.</summary>
    /// <exception cref="ArgumentException">A variable or a line of the service file has a value that is not allowed, or the service does not exist.</exception>
    /// <exception cref="NotSupportedException">A value requests something that is not supported.</exception>
    public static PgConnectionStringBuilder Complete(PgConnectionStringBuilder options, ClientEnvironment environment)
    {
        var added = new Additions(options);
        if ((options.Service.Length > 0 ? options.Service : environment["PGSERVICE"]) is { } service)
            ServiceFile.Read(service, environment.ServiceFiles, added);
        foreach (var (variable, option) in Variables)
        {
            if (environment[variable] is { } value)
                added.Add(option, value, variable);
        }

        AddFiles(added, environment);
        var all = added.Options;
        if (!ReferenceEquals(all, options))
            all.ThrowIfRefused();
        return all;
    }

    // As in Npgsql, except that the key of the user's folder belongs to the certificate of that folder only.
    private static void AddFiles(Additions added, ClientEnvironment environment)
    {
        if (added.Options.SslMode == SslMode.Disable)
            return;
        if (!added.Has(PgOptions.SslCertificate) && environment.CertificateFile("postgresql.crt") is { } certificate)
        {
            added.Add(PgOptions.SslCertificate, certificate, certificate);
            if (environment.CertificateFile("postgresql.key") is { } key)
                added.Add(PgOptions.SslKey, key, key);
        }

        // The other modes do not verify the certificate.
        if (added.Options.SslMode >= SslMode.VerifyCA && environment.CertificateFile("root.crt") is { } root)
            added.Add(PgOptions.RootCertificate, root, root);
    }
}

/// <summary>The options of a connection string, and a copy of them with additions.</summary>
/// <param name="options">The options, which do not change.</param>
internal sealed class Additions(PgConnectionStringBuilder options)
{
    private PgConnectionStringBuilder? _copy;

    /// <summary>Gets the options with the additions.</summary>
    public PgConnectionStringBuilder Options => _copy ?? options;

    /// <summary>Returns whether an option is set, in the connection string or by an addition.</summary>
    public bool Has(Option option) => Options.TryGetValue(option.Name, out var value) && value is string { Length: > 0 };

    /// <summary>Sets an option unless it is set already.</summary>
    /// <param name="option">The option.</param>
    /// <param name="value">The value, in libpq's or Npgsql's form.</param>
    /// <param name="source">Where the value comes from, for messages.</param>
    /// <exception cref="ArgumentException">The value is not allowed.</exception>
    public void Add(Option option, string value, string source)
    {
        if (Has(option))
            return;
        try
        {
            var canonical = option.Canonical(option is WordOption ? value.Replace("-", "", StringComparison.Ordinal) : value);
            _copy ??= new PgConnectionStringBuilder(options.ToText());
            _copy[option.Name] = canonical;
        }
        catch (ArgumentException exception)
        {
            throw new ArgumentException($"The value that {source} sets cannot be used: {exception.Message}", exception);
        }
    }
}
