namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>The end of a transaction that was prepared for a two-phase commit.</summary>
public sealed class PrepareMessage : PrepareMessageBase
{
    internal PrepareMessage()
    {
    }

    /// <summary>The flags of the message. None are defined yet.</summary>
    [Flags]
    public enum PrepareFlags : byte
    {
        /// <summary>No flag.</summary>
        None = 0,
    }

    /// <summary>Gets the flags.</summary>
    public PrepareFlags Flags { get; internal init; }
}
