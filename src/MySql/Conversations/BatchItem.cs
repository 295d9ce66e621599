namespace Slipstream.MySql.Conversations;

/// <summary>The commands of a batch to which a part of an answer belongs.</summary>
/// <param name="First">The first command.</param>
/// <param name="Count">The number of commands: more than one if their rows were merged into one statement.</param>
/// <param name="Ends">What shows the end of the part.</param>
internal record struct BatchItem(int First, int Count, BatchItemEnd Ends)
{
    /// <summary>Gets or sets the number of rows changed; −1 while the server has reported none.</summary>
    public long Affected { get; set; } = -1;
}

/// <summary>What shows the end of one command's results.</summary>
internal enum BatchItemEnd : byte
{
    /// <summary>The end of a result: each statement has one.</summary>
    Result,

    /// <summary>An OK, which follows a procedure's result sets.</summary>
    Ok,

    /// <summary>The end of the answer: the request has a text of several statements for this command alone.</summary>
    Answer,
}
