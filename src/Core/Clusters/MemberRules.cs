using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Slipstream.Core.Errors;
using Slipstream.Core.Topology;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Clusters;

/// <summary>
/// Which of the servers may be used that a server or a source names. The password must not be sent to a server only because another one has named it.
/// </summary>
internal sealed record MemberRules
{
    /// <summary>Largest number of members of a list.</summary>
    public const int MostMembers = SelectionLimits.MostHosts;

    private const int LongestName = 253;

    // Galera's word for an address that the node does not know.
    private const string Unknown = "AUTO";

    /// <summary>The servers of the connection string. They may be used in any case.</summary>
    public IReadOnlyList<Endpoint> Listed { get; init; } = [];

    /// <summary>The port of a member that has none.</summary>
    public int DefaultPort { get; init; }

    /// <summary>Whether the options verify the certificate of each server.</summary>
    public bool VerifiesServers { get; init; }

    /// <summary>The option that makes <see cref="VerifiesServers"/> true, for messages.</summary>
    public string VerifyingOption { get; init; } = "";

    /// <summary>Returns whether a host may be used that a server names. A server may be wrong, even if it is verified.</summary>
    public Func<string, bool> IsAllowed { get; init; } = static _ => false;

    /// <summary>The option that sets <see cref="IsAllowed"/>, for messages.</summary>
    public string AllowingOption { get; init; } = "";

    /// <summary>Returns the members that may be used of those that a server has named.</summary>
    /// <param name="named">The members as the server writes them: <c>host:port</c>, with or without brackets.</param>
    /// <param name="self">The server itself in the same notation; null if unknown.</param>
    /// <param name="trust">What is known about the server.</param>
    public MemberList Read(IReadOnlyList<string> named, string? self, PeerTrust trust)
    {
        List<string> members = [];
        string? refusal = null;
        if (named.Count > MostMembers)
            return new([]) { Refusal = $"it names {named.Count} members, and at most {MostMembers} are allowed" };
        foreach (var text in named)
        {
            // An arbitrator has no address.
            if (text.Length == 0 || text.Equals(Unknown, StringComparison.OrdinalIgnoreCase))
                continue;
            if (ParseAddress(text, DefaultPort) is not { } member)
                refusal ??= $"'{ServerText.OneLine(text, 100)}' is not the address of a server";
            else if (IsListed(member))
                members.Add(member.ToString());
            else if (!VerifiesServers || trust != PeerTrust.Verified)
                refusal ??= $"it is not verified, and could send the password anywhere: set {VerifyingOption}";
            else if (!IsAllowed(member.Host))
                refusal ??= $"it names {member.Host}, which {AllowingOption} does not allow";
            else
                members.Add(member.ToString());
        }

        return new(members) { Self = string.IsNullOrEmpty(self) ? null : ParseAddress(self, DefaultPort)?.ToString(), Refusal = refusal };
    }

    /// <summary>Returns the servers that may be used of those that a source has named.</summary>
    /// <param name="named">The servers.</param>
    /// <param name="isTrusted">Whether the source may name any server.</param>
    public MemberList Read(IReadOnlyList<TopologyMember> named, bool isTrusted)
    {
        List<string> members = [];
        string? refusal = null;
        if (named.Count > MostMembers)
            return new([]) { Refusal = $"it names {named.Count} servers, and at most {MostMembers} are allowed" };
        foreach (var member in named)
        {
            if (member is null || Parse(member.Host, member.Port) is not { } server)
                refusal ??= $"'{ServerText.OneLine($"{member?.Host}:{member?.Port}", 100)}' is not the address of a server";
            else if (!isTrusted && !VerifiesServers && !IsListed(server))
                refusal ??= $"it names {server.Host}, whose certificate would not be verified: set {VerifyingOption}";
            else
                members.Add(server.ToString());
        }

        return new(members) { Refusal = refusal };
    }

    /// <summary>Returns the endpoint of an address that this object has returned, or of a listed one.</summary>
    public Endpoint EndpointOf(string address) => Listed.FirstOrDefault(one => one.ToString() == address)
        ?? ParseAddress(address, DefaultPort) ?? throw new ArgumentException($"'{address}' is not the address of a server.");

    private bool IsListed(Endpoint member) =>
        Listed.Any(one => one.Port == member.Port && one.Host.Equals(member.Host, StringComparison.OrdinalIgnoreCase));

    private Endpoint? Parse(string? host, int port)
    {
        if (port is < 0 or > ushort.MaxValue || string.IsNullOrEmpty(host) || host.Contains(':') && !IPAddress.TryParse(host, out _))
            return null;
        return ParseAddress(host.Contains(':') ? $"[{host}]" : host, port == 0 ? DefaultPort : port);
    }

    private static Endpoint? ParseAddress(string text, int defaultPort)
    {
        // A name, brackets and a port.
        if (text.Length > LongestName + 8 || text.AsSpan().ContainsAnyExceptInRange('!', '~'))
            return null;
        var (host, port) = (text, "");
        if (text[0] == '[' && text.IndexOf(']') is > 0 and var close)
            (host, port) = (text[1..close], text[(close + 1)..]);
        else if (text.LastIndexOf(':') is >= 0 and var colon && text.IndexOf(':') == colon)
            (host, port) = (text[..colon], text[colon..]);
        var isHost = IPAddress.TryParse(host, out var address)
            ? address.AddressFamily == AddressFamily.InterNetworkV6 ? host.Contains(':') : host == address.ToString()
            : host.Length <= LongestName && Uri.CheckHostName(host) == UriHostNameType.Dns;
        if (!isHost)
            return null;
        host = host.ToLowerInvariant();
        if (port.Length == 0)
            return defaultPort is > 0 and <= ushort.MaxValue ? new(host, defaultPort) : null;
        return port[0] == ':' && ushort.TryParse(port.AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture, out var number) && number > 0
            ? new(host, number)
            : null;
    }
}
