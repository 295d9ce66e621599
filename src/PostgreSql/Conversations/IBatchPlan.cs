using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>A batch as its exchange uses it: it writes its commands in flights and gets their outcomes.</summary>
internal interface IBatchPlan
{
    /// <summary>Whether commands have not been written yet.</summary>
    bool HasMore { get; }

    /// <summary>Whether a Sync follows some of the commands, so that an error ends only the commands up to the next Sync.</summary>
    bool ContinuesAfterErrors { get; }

    /// <summary>Whether no Sync has been written after the last written command.</summary>
    bool HasOpenGroup { get; }

    /// <summary>Whether what has been written is undone by an error, if the batch is its own transaction.</summary>
    bool IsWhole { get; }

    /// <summary>Whether the batch may run again from its first command after the server has undone all of it.</summary>
    bool CanBeRepeated { get; }

    /// <summary>Why the command after the last written one cannot be written; null if no reason is known.</summary>
    Exception? Refusal { get; }

    /// <summary>Writes the next flight, up to a command that cannot be written. If that is the first, it writes nothing.</summary>
    void WriteNext(CommandExchange exchange);

    /// <summary>Ends a batch whose next command cannot be written. If the batch is its own transaction, that undoes the commands that ran.</summary>
    void WriteEnd(CommandExchange exchange);

    /// <summary>Writes the first flight again.</summary>
    void WriteAgain(CommandExchange exchange);

    /// <summary>Returns the receiver of the command's first row; null if the command has no output parameters, or an earlier result had its row.</summary>
    IOutputs? TakeOutputs(int command);

    /// <summary>A statement of the command has ended.</summary>
    void Completed(int command, in StatementOutcome outcome);

    /// <summary>The server skips the commands up to the next Sync, of which those that have not been written are not written at all.</summary>
    void SkipGroup();

    /// <summary>The server refused a statement of the command.</summary>
    void Refused(int command, ServerError error);
}
