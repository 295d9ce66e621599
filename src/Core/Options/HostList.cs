using System.Globalization;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Options;

/// <summary>Parses the servers of a connection string: "a", "a,b:3307", "10.0.0.1", "::1", "[::1]:3307".</summary>
internal static class HostList
{
    private const string DefaultHost = "localhost";

    /// <summary>Whether the text is the path of a unix socket, not a host name.</summary>
    public static bool IsSocketPath(string text) => text.StartsWith('/') || text.StartsWith("./", StringComparison.Ordinal);

    /// <summary>Parses at least one endpoint: localhost if the text is empty.</summary>
    /// <exception cref="ArgumentException">A part is empty, or its port is not valid, or there is an '@'.</exception>
    public static Endpoint[] Parse(string text, int defaultPort, string keyword)
    {
        ArgumentNullException.ThrowIfNull(text);
        if (string.IsNullOrWhiteSpace(text))
            return [new(DefaultHost, defaultPort)];
        // What precedes an '@' is often a secret, so the message must not repeat it.
        if (text.Contains('@'))
            throw new ArgumentException($"The option '{keyword}' has an '@', which no host name contains: user and password have options of their own.");
        var parts = text.Split(',', StringSplitOptions.TrimEntries);
        var endpoints = new Endpoint[parts.Length];
        for (var at = 0; at < parts.Length; at++)
            endpoints[at] = ParseOne(parts[at], defaultPort, keyword);
        return endpoints;
    }

    private static Endpoint ParseOne(string part, int defaultPort, string keyword)
    {
        var (host, port) = (part, "");
        if (part.StartsWith('[') && part.IndexOf(']') is > 0 and var end)
            (host, port) = (part[1..end], part[(end + 1)..]);
        else if (part.IndexOf(':') is >= 0 and var colon && part.LastIndexOf(':') == colon)
            (host, port) = (part[..colon], part[colon..]);
        if (host.Length == 0)
            throw new ArgumentException($"The option '{keyword}' has an empty host name.");
        if (port.Length == 0)
            return new(host, defaultPort);
        return port[0] == ':' && ushort.TryParse(port.AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number > 0
            ? new(host, number)
            : throw new ArgumentException($"'{part}' in the option '{keyword}' has no port from 1 to 65535 after the colon.");
    }
}
