using Slipstream.Core.Wires;

namespace Slipstream.Recorder.Replay;

/// <summary>The sender of a passage of a recording.</summary>
public enum Speaker
{
    Client,
    Server,

    /// <summary>Neither side: the connection was upgraded to TLS here, and the rest was recorded decrypted.</summary>
    Upgrade,
}

/// <summary>Bytes that one side sent before the other side sent any.</summary>
/// <param name="Speaker">The sender.</param>
/// <param name="Bytes">The bytes; empty for an upgrade.</param>
public sealed record Passage(Speaker Speaker, byte[] Bytes);

/// <summary>
/// A recorded connection to a real server, from the first byte to the last, with the results that a client must read from it. It is stored as text (see
/// <see cref="RecordingText"/>), so that it can be compared with the protocol's documentation.
/// </summary>
internal sealed class Recording
{
    /// <summary>Gets the server's name and version.</summary>
    public string Server { get; set; } = "";

    /// <summary>Gets the connection string that was used, without host and port. The password is a temporary one of the lab.</summary>
    public string Options { get; set; } = "";

    /// <summary>Gets how far the server was trusted before an upgrade to TLS.</summary>
    public PeerTrust Trust { get; set; } = PeerTrust.Loopback;

    /// <summary>Gets how far the server was trusted after the upgrade to TLS.</summary>
    public PeerTrust UpgradedTrust { get; set; } = PeerTrust.Verified;

    public List<Passage> Passages { get; } = [];

    /// <summary>Gets the scenario's results, one value per line.</summary>
    public List<string> Account { get; } = [];

    /// <summary>Adds bytes, to the last passage if the sender is the same.</summary>
    public void Add(Speaker speaker, ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty && speaker != Speaker.Upgrade)
            return;
        if (speaker != Speaker.Upgrade && Passages is [.., var last] && last.Speaker == speaker)
            Passages[^1] = last with { Bytes = [.. last.Bytes, .. bytes] };
        else
            Passages.Add(new(speaker, bytes.ToArray()));
    }

    /// <summary>Returns all bytes that the server sent, for programs that read a single answer.</summary>
    public byte[] ServerBytes() => [.. Passages.Where(static passage => passage.Speaker == Speaker.Server).SelectMany(static passage => passage.Bytes)];
}
