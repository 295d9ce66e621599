using Slipstream.Core.Errors;

namespace Slipstream.Core.Sessions;

/// <summary>Receives what the sessions of one of several servers learn about it. The calls come from the callers' threads and return at once.</summary>
internal interface ISessionWatcher
{
    /// <summary>The server has refused a command.</summary>
    void Refused(Session session, ServerError error);

    /// <summary>The connection was lost during an operation.</summary>
    void Lost(Session session, string reason);

    /// <summary>An operation has exceeded its time limit.</summary>
    void TimedOut(Session session, string reason);
}
