using System.Data.Common;
using System.Globalization;
using System.Text;

namespace Slipstream.Lab;

/// <summary>The address of a server and its users, as one value that fits into an environment variable.</summary>
/// <remarks>
/// <c>mariadb://user:password@host:port/database?version=…&amp;socket=…&amp;ca=…&amp;clientCertificate=…&amp;clientKey=…&amp;clientPfx=…</c>
/// and <c>&amp;user=name:password:method:notes</c> for each further user.
/// Everything after <c>host</c> is optional, and each part is percent-encoded. The scheme is <c>mariadb</c>, <c>mysql</c> or <c>postgresql</c>.
/// </remarks>
public sealed record ServerSettings(ServerKind Kind, string Host, int Port, string User, string Password, string Database)
{
    public string Version { get; init; } = "";
    public string UnixSocket { get; init; } = "";
    public string CaFile { get; init; } = "";
    public string OtherCaFile { get; init; } = "";
    public string ClientCertificatePem { get; init; } = "";
    public string ClientKeyPem { get; init; } = "";
    public string ClientPfx { get; init; } = "";
    public string ClientPfxPassword { get; init; } = "";
    /// <summary>Gets the PEM file of the RSA key with which MySQL's clients encrypt a password; empty if there is none.</summary>
    public string ServerPublicKeyFile { get; init; } = "";
    public IReadOnlyList<LabUser> Users { get; init; } = [];

    /// <summary>Returns an example for messages.</summary>
    public static string UrlShape(ServerKind kind) => $"{Scheme(kind)}://user:password@host:{DefaultPort(kind)}/database";

    public string ToUrl()
    {
        var url = new StringBuilder();
        var host = Host.Contains(':', StringComparison.Ordinal) ? $"[{Host}]" : Host;
        url.Append(CultureInfo.InvariantCulture, $"{Scheme(Kind)}://{Escape(User)}:{Escape(Password)}@{host}:{Port}/{Escape(Database)}");
        var mark = '?';
        void Add(string key, string value)
        {
            if (value.Length == 0)
                return;
            url.Append(mark).Append(key).Append('=').Append(value);
            mark = '&';
        }

        Add("version", Escape(Version));
        Add("socket", Escape(UnixSocket));
        Add("ca", Escape(CaFile));
        Add("otherCa", Escape(OtherCaFile));
        Add("clientCertificate", Escape(ClientCertificatePem));
        Add("clientKey", Escape(ClientKeyPem));
        Add("clientPfx", Escape(ClientPfx));
        Add("clientPfxPassword", Escape(ClientPfxPassword));
        Add("serverPublicKey", Escape(ServerPublicKeyFile));
        foreach (var user in Users)
            Add("user", $"{Escape(user.Name)}:{Escape(user.Password)}:{Escape(user.Method)}:{Escape(user.Notes)}");
        return url.ToString();
    }

    /// <summary>
    /// Returns the main user's connection string, for Slipstream and its peers, which do not read URLs. It demands verified TLS if the authority is known.
    /// </summary>
    public string ToConnectionString() => ToConnectionString([this]);

    /// <summary>Returns a connection string with the addresses of several servers that have the same users. The first one counts for the rest.</summary>
    public static string ToConnectionString(IReadOnlyList<ServerSettings> servers)
    {
        ArgumentNullException.ThrowIfNull(servers);
        var first = servers[0];
        var isPostgreSql = first.Kind.IsPostgreSql();
        // The builder quotes values if necessary.
        var text = new DbConnectionStringBuilder
        {
            { isPostgreSql ? "Host" : "Server", servers.Count == 1 ? first.Host : string.Join(',', servers.Select(static one => $"{one.Host}:{one.Port}")) },
        };
        if (servers.Count == 1)
            text.Add("Port", first.Port);
        text.Add(isPostgreSql ? "Username" : "User ID", first.User);
        text.Add("Password", first.Password);
        text.Add("Database", first.Database);
        if (first.CaFile.Length > 0)
        {
            text.Add("SSL Mode", "VerifyCA");
            text.Add(isPostgreSql ? "Root Certificate" : "SSL CA", first.CaFile);
        }

        return text.ConnectionString;
    }

    /// <summary>Reads a URL as <see cref="ToUrl"/> writes it.</summary>
    /// <exception cref="FormatException">The text is not such a URL. The message contains the fault, but never the password.</exception>
    public static ServerSettings Parse(ServerKind kind, string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (!Uri.TryCreate(text, UriKind.Absolute, out var uri) || uri.Host.Length == 0)
            throw new FormatException($"it is not a URL of the form {UrlShape(kind)}");
        if (!ServerKinds.TryParse(uri.Scheme, out var named) || Scheme(named) != Scheme(kind))
            throw new FormatException($"it begins with {uri.Scheme}: where {Scheme(kind)}: was expected");
        var login = uri.UserInfo.Split(':', 2);
        if (login[0].Length == 0)
            throw new FormatException($"it names no user; the form is {UrlShape(kind)}");

        var users = new List<LabUser>();
        var database = Unescape(uri.AbsolutePath.TrimStart('/'));
        var settings = new ServerSettings(kind, uri.Host.Trim('[', ']'), uri.Port > 0 ? uri.Port : DefaultPort(kind), Unescape(login[0]),
            login.Length > 1 ? Unescape(login[1]) : "", database.Length > 0 ? database : ServerPlan.Database);
        foreach (var pair in uri.Query.TrimStart('?').Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            var parts = pair.Split('=', 2);
            var value = parts.Length > 1 ? parts[1] : "";
            settings = parts[0] switch
            {
                "version" => settings with { Version = Unescape(value) },
                "socket" => settings with { UnixSocket = Unescape(value) },
                "ca" => settings with { CaFile = Unescape(value) },
                "otherCa" => settings with { OtherCaFile = Unescape(value) },
                "clientCertificate" => settings with { ClientCertificatePem = Unescape(value) },
                "clientKey" => settings with { ClientKeyPem = Unescape(value) },
                "clientPfx" => settings with { ClientPfx = Unescape(value) },
                "clientPfxPassword" => settings with { ClientPfxPassword = Unescape(value) },
                "serverPublicKey" => settings with { ServerPublicKeyFile = Unescape(value) },
                "user" => AddUser(settings, value),
                _ => throw new FormatException($"it has an unknown part '{parts[0]}'"),
            };
        }

        return settings with { Users = users };

        ServerSettings AddUser(ServerSettings unchanged, string value)
        {
            if (value.Split(':') is not [var name, var password, var method, var notes])
                throw new FormatException("a user is written user=name:password:method:notes");
            users.Add(new LabUser(Unescape(name), Unescape(password), Unescape(method), Unescape(notes)));
            return unchanged;
        }
    }

    private static string Scheme(ServerKind kind) => kind.IsMariaDb() ? "mariadb" : kind.IsPostgreSql() ? "postgresql" : "mysql";

    private static int DefaultPort(ServerKind kind) => kind.IsPostgreSql() ? 5432 : 3306;

    private static string Escape(string text) => Uri.EscapeDataString(text);

    private static string Unescape(string text) => Uri.UnescapeDataString(text);
}
