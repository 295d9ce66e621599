using Slipstream.Core.Options;

namespace Slipstream.PostgreSql.Options;

/// <summary>
/// Reads a service from libpq's service files: sections with a name in brackets, lines of the form keyword=value, comments that begin with '#'. Source:
/// PostgreSQL 18, 32.17 "The Connection Service File".
/// </summary>
internal static class ServiceFile
{
    // libpq's keywords. Those that are missing here have no counterpart.
    private static readonly Dictionary<string, Option> Keywords = new(StringComparer.Ordinal)
    {
        ["dbname"] = PgOptions.Database,
        ["user"] = PgOptions.Username,
        ["password"] = PgOptions.Password,
        ["passfile"] = PgOptions.Passfile,
        ["connect_timeout"] = PgOptions.Timeout,
        ["client_encoding"] = PgOptions.ClientEncoding,
        ["options"] = PgOptions.Options,
        ["application_name"] = PgOptions.ApplicationName,
        ["keepalives"] = PgOptions.TcpKeepAlive,
        ["keepalives_idle"] = PgOptions.TcpKeepAliveTime,
        ["keepalives_interval"] = PgOptions.TcpKeepAliveInterval,
        ["sslmode"] = PgOptions.SslMode,
        ["sslnegotiation"] = PgOptions.SslNegotiation,
        ["sslcert"] = PgOptions.SslCertificate,
        ["sslkey"] = PgOptions.SslKey,
        ["sslpassword"] = PgOptions.SslPassword,
        ["sslrootcert"] = PgOptions.RootCertificate,
        ["channel_binding"] = PgOptions.ChannelBinding,
        ["require_auth"] = PgOptions.RequireAuth,
        ["gssencmode"] = PgOptions.GssEncryptionMode,
        ["krbsrvname"] = PgOptions.KerberosServiceName,
        ["target_session_attrs"] = PgOptions.TargetSessionAttributes,
    };

    /// <summary>Adds the options of a service.</summary>
    /// <param name="service">The name of the service.</param>
    /// <param name="files">The files, in the order of the search.</param>
    /// <param name="options">The options, of which those that are set stay as they are.</param>
    /// <exception cref="ArgumentException">A file cannot be read, the service does not exist, or a line of it is not supported.</exception>
    public static void Read(string service, IEnumerable<string> files, Additions options)
    {
        var searched = new List<string>();
        foreach (var file in files)
        {
            searched.Add(file);
            if (TryRead(service, file, options))
                return;
        }

        throw new ArgumentException(searched.Count == 0
            ? $"The service '{service}' cannot be found, because there is no service file: create ~/.pg_service.conf, or set PGSERVICEFILE to its path."
            : $"The service '{service}' is not in {string.Join(" or ", searched)}: check Service and PGSERVICE.");
    }

    private static bool TryRead(string service, string file, Additions options)
    {
        string[] lines;
        try
        {
            lines = File.ReadAllLines(file);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new ArgumentException($"The service file '{file}' cannot be read: {exception.Message}", exception);
        }

        var isIn = false;
        var (host, port) = ("", "");
        for (var at = 0; at < lines.Length; at++)
        {
            var line = lines[at].Trim();
            if (line.Length == 0 || line[0] == '#')
                continue;
            if (line[0] == '[')
            {
                // The first section with the name counts, as in libpq.
                if (isIn)
                    break;
                isIn = line.Length > 2 && line[^1] == ']' && line[1..^1] == service;
                continue;
            }

            if (isIn)
                AddLine(line, $"line {at + 1} of '{file}'", options, ref host, ref port);
        }

        if (isIn)
            AddHosts(host, port, file, options);
        return isIn;
    }

    // A line may contain a password, so messages contain at most its keyword.
    private static void AddLine(string line, string place, Additions options, ref string host, ref string port)
    {
        var equals = line.IndexOf('=', StringComparison.Ordinal);
        if (equals <= 0)
            throw new ArgumentException($"There is no keyword with a value on {place}: write keyword=value. (LDAP is not supported.)");
        var (keyword, value) = (line[..equals].TrimEnd(), line[(equals + 1)..].TrimStart());
        switch (keyword)
        {
            case "host":
                host = value;
                break;
            case "port":
                port = value;
                break;
            case "load_balance_hosts":
                options.Add(PgOptions.LoadBalanceHosts, value == "random" ? "true" : value == "disable" ? "false" : value, place);
                break;
            default:
                if (!Keywords.TryGetValue(keyword, out var option))
                    throw new ArgumentException($"The keyword '{keyword}' on {place} is not supported: remove the line.");
                options.Add(option, value, place);
                break;
        }
    }

    // libpq has a list of hosts and one of ports; here, each host has its own port.
    private static void AddHosts(string host, string port, string file, Additions options)
    {
        var ports = port.Split(',');
        // A list of ports belongs to the service's own hosts.
        if (options.Has(PgOptions.Host) && ports.Length > 1)
            return;
        if (options.Has(PgOptions.Host) || host.Length == 0 || ports.Length == 1)
        {
            if (host.Length > 0)
                options.Add(PgOptions.Host, host, $"the service file '{file}'");
            if (port.Length > 0)
                options.Add(PgOptions.Port, port, $"the service file '{file}'");
            return;
        }

        var hosts = host.Split(',');
        if (hosts.Length != ports.Length)
            throw new ArgumentException($"The service in '{file}' has {hosts.Length} hosts and {ports.Length} ports: give one port, or one for each host.");
        var pairs = hosts.Zip(ports, static (one, its) => its.Length > 0 ? $"{one}:{its}" : one);
        options.Add(PgOptions.Host, string.Join(',', pairs), $"the service file '{file}'");
    }
}
