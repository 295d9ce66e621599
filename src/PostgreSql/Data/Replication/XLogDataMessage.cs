namespace Slipstream.PostgreSql.Replication;

/// <summary>A section of the write-ahead log, or the output of a plug-in. The object is reused for the next message.</summary>
public class XLogDataMessage : ReplicationMessage
{
    /// <summary>Creates a message without content.</summary>
    public XLogDataMessage()
    {
    }

    /// <summary>
    /// Gets the data: raw WAL in physical replication, the output of the plug-in in logical replication. It is valid until the next message is requested. A
    /// record of the log is never split across two messages, except where it crosses a page.
    /// </summary>
    public Stream Data { get; internal set; } = Stream.Null;
}
