namespace Slipstream.PostgreSql.Replication.PgOutput.Messages;

/// <summary>A message that an application wrote into the log with pg_logical_emit_message.</summary>
public sealed class LogicalDecodingMessage : TransactionalMessage
{
    internal LogicalDecodingMessage()
    {
    }

    /// <summary>Gets 1 if the message belongs to a transaction, otherwise 0.</summary>
    public byte Flags { get; internal init; }

    /// <summary>Gets the location of the message in the log.</summary>
    public PgLogSequenceNumber MessageLsn { get; internal init; }

    /// <summary>Gets the prefix of the message.</summary>
    public string Prefix { get; internal init; } = "";

    /// <summary>Gets the content. It is valid until the next message is requested.</summary>
    public Stream Data { get; internal init; } = Stream.Null;
}
