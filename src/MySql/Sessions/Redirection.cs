using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Wires;

namespace Slipstream.MySql.Sessions;

/// <summary>
/// A server's redirection: <c>mysql://host:port/?user=name&amp;ttl=seconds</c> or <c>mariadb://…</c>. Everything after the host is optional. MariaDB 11.3 and
/// later sends it in the variable redirect_url, Azure in the info of the login's OK after <c>Location: </c>. The parser is strict: other forms are not
/// followed.
/// </summary>
/// <param name="Endpoint">The other server.</param>
/// <param name="User">The user for the login there; null for the same user.</param>
internal sealed record Redirection(Endpoint Endpoint, string? User)
{
    private const int LongestUrl = 1024;
    private const int DefaultPort = 3306;

    private static readonly string[] Schemes = ["mysql://", "mariadb://"];

    /// <summary>Parses a redirection. Returns null if the text is not one.</summary>
    public static Redirection? Parse(string url)
    {
        if (url.Length > LongestUrl
            || url.AsSpan().ContainsAnyExceptInRange('!', '~')
            || Array.Find(Schemes, scheme => url.StartsWith(scheme, StringComparison.OrdinalIgnoreCase)) is not { } found)
            return null;
        var rest = url[found.Length..];
        var end = rest.AsSpan().IndexOfAny('/', '?');
        var authority = end < 0 ? rest : rest[..end];
        var tail = end < 0 ? "" : rest[end..];
        return ParseAuthority(authority) is { } endpoint && TryParseUser(tail, out var user) ? new(endpoint, user) : null;
    }

    /// <summary>Returns whether the host is one of those that the user allows: a name, an address, or <c>*.domain</c>.</summary>
    public static bool IsAllowed(string host, IEnumerable<string> allowed)
    {
        foreach (var one in allowed)
            if (one.StartsWith("*.", StringComparison.Ordinal)
                ? host.EndsWith(one[1..], StringComparison.OrdinalIgnoreCase) && host.Length > one.Length - 1
                : host.Equals(one, StringComparison.OrdinalIgnoreCase))
                return true;
        return false;
    }

    // User and password before the host are not allowed: the driver does not use a secret that a server sends.
    private static Endpoint? ParseAuthority(string authority)
    {
        var (host, port) = (authority, "");
        if (authority.StartsWith('[') && authority.IndexOf(']') is > 0 and var close)
            (host, port) = (authority[1..close], authority[(close + 1)..]);
        else if (authority.IndexOf(':') is >= 0 and var colon)
            (host, port) = (authority[..colon], authority[colon..]);
        var isHost = IPAddress.TryParse(host, out var address)
            ? authority.StartsWith('[') || address.AddressFamily == AddressFamily.InterNetwork
            : Uri.CheckHostName(host) == UriHostNameType.Dns;
        if (!isHost)
            return null;
        if (port.Length == 0)
            return new(host, DefaultPort);
        return port[0] == ':' && ushort.TryParse(port.AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number > 0
            ? new(host, number)
            : null;
    }

    // Accepts "/?user=…", "?user=…", and Azure's older "/user=…".
    private static bool TryParseUser(string tail, out string? user)
    {
        user = null;
        foreach (var pair in tail.TrimStart('/').TrimStart('?').Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            switch (pair.Split('=', 2))
            {
                case ["user", var name] when user is null && Uri.UnescapeDataString(name) is { Length: > 0 and <= 128 } plain && !plain.Any(char.IsControl):
                    user = plain;
                    break;
                case ["ttl", var seconds] when uint.TryParse(seconds, NumberStyles.None, CultureInfo.InvariantCulture, out _):
                    break;
                default:
                    return false;
            }
        }

        return true;
    }
}
