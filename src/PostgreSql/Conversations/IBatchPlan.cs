using Slipstream.Core.Errors;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>A batch as its exchange sees it: it writes itself in flights, and hears how its commands fared.</summary>
internal interface IBatchPlan
{
    /// <summary>Whether commands have not been written yet.</summary>
    bool HasMore { get; }

    /// <summary>A Sync of its own behind each command, and an error ends only that.</summary>
    bool ContinuesAfterErrors { get; }

    /// <summary>Whether running it again from its first command is right, when the server has undone all of it.</summary>
    bool CanBeRepeated { get; }

    /// <summary>Why the command behind the last one that was written cannot be; null while none is known.</summary>
    Exception? Refusal { get; }

    /// <summary>Writes the next flight: nothing when its first command cannot be written, up to such a command otherwise.</summary>
    void WriteNext(CommandExchange exchange);

    /// <summary>Behind commands that ran in front of one that cannot be written: undoes them if the batch is a transaction of its own, and ends it.</summary>
    void WriteEnd(CommandExchange exchange);

    /// <summary>Writes the first flight again.</summary>
    void WriteAgain(CommandExchange exchange);

    /// <summary>A statement of the command has changed rows.</summary>
    void Changed(int command, long rows);

    void Refused(int command, ServerError error);
}
