namespace Slipstream.Core.Wires;

/// <summary>
/// An encoding of the bytes below the provider's framing, in both directions: a compressed protocol, for example. It does no I/O: see
/// <see cref="CodedTransport"/>. Sending and receiving may run at the same time; each direction is used by one thread at a time.
/// </summary>
internal interface ITransportCoding : IDisposable
{
    /// <summary>Encodes bytes. The result is valid until the next call. It is empty if a few bytes wait for the next ones.</summary>
    ReadOnlyMemory<byte> Encode(ReadOnlySpan<byte> bytes);

    /// <summary>Buffer for the next receive.</summary>
    Memory<byte> FreeMemory();

    /// <summary>Records that a receive has written <paramref name="count"/> bytes into the buffer.</summary>
    void Advance(int count);

    /// <summary>Decodes received bytes. Returns 0 if more must be received first.</summary>
    /// <exception cref="Errors.ProtocolException">The peer's bytes cannot be decoded, or decode to more than it announced.</exception>
    int Decode(Span<byte> room);

    /// <summary>Whether received bytes have not been taken yet.</summary>
    bool HasLeft { get; }
}
