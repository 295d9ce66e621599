namespace Slipstream.Core.Conversations;

/// <summary>
/// The one conversation that suspends inside a message: a row too large to hold, read forward only (<c>SequentialAccess</c>). Small
/// columns are gathered and lie under the row's window as usual; a large one is read from the wire in pieces.
/// <see cref="Conversation.Advance"/> returns <see cref="Step.Completed"/> when what <see cref="Seek"/> or <see cref="More"/> asked for is at hand.
/// </summary>
internal abstract class MessagePart : Conversation
{
    /// <summary>
    /// With sequential access a value from this size on is read from the wire, forward only and once: whether it has arrived already, in which form it came
    /// and what makes the driver fast do not count.
    /// </summary>
    public const int StreamedFrom = 64 * 1024;

    /// <summary>Counts up with every row: the same object reads all of them, also for whoever uses the session next.</summary>
    public int Number { get; protected set; }

    /// <summary>The large column whose bytes are on the wire now; −1 when there is none.</summary>
    public abstract int Ordinal { get; }

    /// <summary>Bytes of the large column's value.</summary>
    public abstract long Length { get; }

    /// <summary>Bytes of it that have been read or skipped.</summary>
    public abstract long Position { get; }

    /// <summary>Asks for column <paramref name="ordinal"/>, dropping a large one that lies before it.</summary>
    /// <exception cref="InvalidOperationException">The column has been dropped already.</exception>
    public abstract void Seek(int ordinal);

    /// <summary>Asks for at least one more byte of the value, when <see cref="Read"/> returned 0 before its end.</summary>
    public abstract void More();

    /// <summary>Copies bytes of the value that have arrived; 0 when none has, or at the value's end.</summary>
    public abstract int Read(Span<byte> target);
}
