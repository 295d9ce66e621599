using Slipstream.Core.Errors;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Conversations;

/// <summary>What a <see cref="BatchExchange"/> sends, flight by flight, and what gets the results of its commands.</summary>
internal interface IBatchPlan
{
    /// <summary>Gets whether commands are left that have not been encoded and come before the first one that cannot be.</summary>
    bool HasMore { get; }

    /// <summary>Gets whether the application has asked for the commands to be prepared.</summary>
    bool IsPreparedByUser { get; }

    /// <summary>Gets why the command after the last one that can be written cannot be; null while none is known.</summary>
    Exception? Refusal { get; }

    /// <summary>Ends the plan at the command that could not be written. Nothing of the current flight leaves; it is encoded again up to that command.</summary>
    void StopAtRefusal(Exception refusal);

    /// <summary>Appends the next flight to the session's wire and announces its answers by <see cref="BatchExchange.Expect"/>.</summary>
    void EncodeNext(SessionContext session, BatchExchange exchange);

    /// <summary>
    /// Appends a refused read once more, after those that were on their way already, so that the session's diagnostics of the last statement are those of
    /// the error. False if it is not a read.
    /// </summary>
    bool EncodeAgain(SessionContext session, BatchExchange exchange, int command);

    /// <summary>Returns the command's text, as the application wrote it.</summary>
    string TextOf(int command);

    /// <summary>Notes how many rows a command has changed.</summary>
    void Changed(int command, long rows);

    /// <summary>Notes that the flight that began with this command was not executed, and cannot be in the form it had.</summary>
    void ResendAsText(int command);

    /// <summary>
    /// Notes that the server has refused a call in a text of several. True if nothing was called and the call has to be written again:
    /// it and what follows it are sent again.
    /// </summary>
    bool TryResendCall(int command, ServerError error);

    /// <summary>Sends the command, and what follows it, again: it has left no trace.</summary>
    void ResendFrom(int command);

    /// <summary>Notes that the server has refused a command.</summary>
    void Refused(int command, ServerError error);
}
