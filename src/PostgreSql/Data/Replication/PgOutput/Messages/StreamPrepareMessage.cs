namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The preparation of a streamed transaction for a two-phase commit.</summary>
public sealed class StreamPrepareMessage : PrepareMessageBase
{
    internal StreamPrepareMessage()
    {
    }

    /// <summary>The flags of the message. None are defined yet.</summary>
    [Flags]
    public enum StreamPrepareFlags : byte
    {
        /// <summary>No flag.</summary>
        None = 0,
    }

    /// <summary>Gets the flags.</summary>
    public StreamPrepareFlags Flags { get; internal init; }
}
