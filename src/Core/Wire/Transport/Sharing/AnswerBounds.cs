namespace Slipstream.Core.Wires;

/// <summary>What a protocol must know so that several callers can share one connection: which messages are answered, and where an answer ends. One per connection.</summary>
public abstract class AnswerBounds
{
    /// <summary>How many answers of how many kinds one send may ask for.</summary>
    public const int MostRequests = 64;

    /// <summary>Reads messages that are about to be sent, whole ones.</summary>
    /// <param name="sent">The messages.</param>
    /// <param name="kinds">Takes the kind of each that is answered, in the protocol's own numbers.</param>
    /// <returns>How many are answered.</returns>
    /// <exception cref="InvalidOperationException">One of them cannot be sent on a shared connection.</exception>
    public abstract int FindRequests(ReadOnlySpan<byte> sent, Span<byte> kinds);

    /// <summary>Goes on through the answer to a request of <paramref name="kind"/>.</summary>
    /// <param name="arrived">What has arrived and was not taken before.</param>
    /// <param name="kind">From <see cref="FindRequests"/>.</param>
    /// <param name="ended">True when the answer ends behind the bytes taken.</param>
    /// <param name="wanted">How many bytes must be there to go on; 0 when any number will do.</param>
    /// <returns>How many bytes belong to the answer.</returns>
    /// <exception cref="Errors.ProtocolException">The peer sent what the protocol does not allow here.</exception>
    public abstract int Take(ReadOnlySpan<byte> arrived, byte kind, out bool ended, out int wanted);
}
