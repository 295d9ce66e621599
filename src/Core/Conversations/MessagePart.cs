namespace Slipstream.Core.Conversations;

/// <summary>
/// The only conversation that suspends inside a message: a row that is too large to hold, read forward only (<c>SequentialAccess</c>). Small columns are
/// collected and read through the row's window as usual. A large column is read from the wire in pieces. <see cref="Conversation.Advance"/> returns
/// <see cref="Step.Completed"/> when the bytes that <see cref="Seek"/> or <see cref="More"/> requested are available.
/// </summary>
internal abstract class MessagePart : Conversation
{
    /// <summary>
    /// With sequential access, a value of at least this size (64 KiB) is read from the wire, forward only and once. Whether it has already arrived, its format
    /// and the optimisations in use make no difference.
    /// </summary>
    public const int StreamedFrom = 64 * 1024;

    /// <summary>
    /// Number of the current row. The same object reads all rows, also for the next user of the session, so a changed number marks an outdated reader.
    /// </summary>
    public int Number { get; protected set; }

    /// <summary>The large column whose bytes are on the wire now; −1 without one.</summary>
    public abstract int Ordinal { get; }

    /// <summary>Length of the large column's value in bytes.</summary>
    public abstract long Length { get; }

    /// <summary>Number of the value's bytes that have been read or skipped.</summary>
    public abstract long Position { get; }

    /// <summary>Requests column <paramref name="ordinal"/> and drops a large column before it.</summary>
    /// <exception cref="InvalidOperationException">The column has already been dropped.</exception>
    public abstract void Seek(int ordinal);

    /// <summary>Requests at least one more byte of the value, after <see cref="Read"/> returned 0 before its end.</summary>
    public abstract void More();

    /// <summary>Copies bytes of the value that have arrived. Returns 0 if there are none, or at the end of the value.</summary>
    public abstract int Read(Span<byte> target);
}
