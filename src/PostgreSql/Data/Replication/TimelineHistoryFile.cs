namespace Slipstream.PostgreSql.Replication;

/// <summary>The history file of a timeline: the result of <see cref="ReplicationConnection.TimelineHistory"/>.</summary>
public readonly struct TimelineHistoryFile
{
    internal TimelineHistoryFile(string fileName, byte[] content) => (FileName, Content) = (fileName, content);

    /// <summary>Gets the name of the file, such as <c>00000002.history</c>.</summary>
    public string FileName { get; }

    /// <summary>Gets the content of the file.</summary>
    public byte[] Content { get; }
}
