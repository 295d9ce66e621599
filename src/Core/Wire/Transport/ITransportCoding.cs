namespace Slipstream.Core.Wires;

/// <summary>
/// What a layer under the provider's framing makes of the bytes, in both directions: a compressed protocol, for one. It does no I/O: see
/// <see cref="CodedTransport"/>. Sending and receiving may happen at the same time; neither half is called by two threads at once.
/// </summary>
internal interface ITransportCoding : IDisposable
{
    /// <summary>What must be sent for these bytes: valid until the next call. Empty when a few bytes wait for those that follow.</summary>
    ReadOnlyMemory<byte> Encode(ReadOnlySpan<byte> bytes);

    /// <summary>Room for the next receive.</summary>
    Memory<byte> Room();

    /// <summary>A receive has put so many bytes into the room.</summary>
    void Took(int count);

    /// <summary>Decodes what has been received; 0 when more must be received first.</summary>
    /// <exception cref="Errors.ProtocolException">The peer sent something that cannot be decoded, or decodes to more than it announced.</exception>
    int Decode(Span<byte> room);

    /// <summary>True when something has been received that nobody has taken.</summary>
    bool HasLeft { get; }
}
