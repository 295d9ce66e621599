using Slipstream.Core.Errors;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Conversations;

/// <summary>What a batch still has to say, flight by flight, and what it wants to hear about its commands.</summary>
internal interface IBatchPlan
{
    /// <summary>True while commands are left that have not been encoded, and stand in front of the one that cannot be, if there is one.</summary>
    bool HasMore { get; }

    /// <summary>True when the caller has asked for the commands to be prepared.</summary>
    bool IsPreparedByUser { get; }

    /// <summary>Why the command behind the last one that can be written cannot be; null while none is known.</summary>
    Exception? Refusal { get; }

    /// <summary>The flight under way, of which nothing will leave, is to be encoded anew, up to the command that could not be written.</summary>
    void StopAtRefusal(Exception refusal);

    /// <summary>Appends the next flight to the session's wire and says by <see cref="BatchExchange.Expect"/> which answers will come.</summary>
    void EncodeNext(SessionContext session, BatchExchange exchange);

    /// <summary>
    /// Appends a read that was refused once more, behind those that were on their way already: what the session tells of its last statement is to be the error.
    /// False when it is no read.
    /// </summary>
    bool EncodeAgain(SessionContext session, BatchExchange exchange, int command);

    /// <summary>The command's text, as the application wrote it.</summary>
    string TextOf(int command);

    /// <summary>A command has changed so many rows.</summary>
    void Changed(int command, long rows);

    /// <summary>The flight that began with this command has not been executed, and cannot be in the form it had.</summary>
    void SayAsText(int command);

    /// <summary>
    /// The server has refused a call in a text of several. True when nothing was called, and it has to be written anew:
    /// it and what stands behind it go out again.
    /// </summary>
    bool SaysAgain(int command, ServerError error);

    /// <summary>The command, and what stands behind it, goes out again: nothing of it has left a trace.</summary>
    void SayFrom(int command);

    /// <summary>The server has refused a command.</summary>
    void Refused(int command, ServerError error);
}
