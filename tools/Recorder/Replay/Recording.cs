using Slipstream.Core.Wires;

namespace Slipstream.Recorder.Replay;

/// <summary>Who speaks in a passage of a recording.</summary>
public enum Speaker
{
    Client,
    Server,

    /// <summary>Nobody: the connection was upgraded to TLS here, and what follows was recorded decrypted.</summary>
    Upgrade,
}

/// <summary>Bytes that one side sent before the other said anything.</summary>
/// <param name="Speaker">Who sent them.</param>
/// <param name="Bytes">What was sent; empty for an upgrade.</param>
public sealed record Passage(Speaker Speaker, byte[] Bytes);

/// <summary>
/// One conversation with a real server, from the first byte to the last, with what a client must have made of it. Kept as text (see <see cref="RecordingText"/>), so that it can be
/// read beside the protocol's documentation.
/// </summary>
internal sealed class Recording
{
    /// <summary>The server's name and version.</summary>
    public string Server { get; set; } = "";

    /// <summary>The connection string that was used, without host and port; its password is a throwaway one of the lab.</summary>
    public string Options { get; set; } = "";

    /// <summary>What was known of the peer before any upgrade.</summary>
    public PeerTrust Trust { get; set; } = PeerTrust.Loopback;

    /// <summary>What was known of the peer after the upgrade to TLS.</summary>
    public PeerTrust UpgradedTrust { get; set; } = PeerTrust.Verified;

    public List<Passage> Passages { get; } = [];

    /// <summary>What the scenario saw, value by value.</summary>
    public List<string> Account { get; } = [];

    /// <summary>Appends to the last passage when the same side goes on speaking.</summary>
    public void Add(Speaker speaker, ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty && speaker != Speaker.Upgrade)
            return;
        if (speaker != Speaker.Upgrade && Passages is [.., var last] && last.Speaker == speaker)
            Passages[^1] = last with { Bytes = [.. last.Bytes, .. bytes] };
        else
            Passages.Add(new(speaker, bytes.ToArray()));
    }

    /// <summary>All that the server sent, in one piece: for programs that look at one answer only.</summary>
    public byte[] ServerBytes() => [.. Passages.Where(static passage => passage.Speaker == Speaker.Server).SelectMany(static passage => passage.Bytes)];
}
