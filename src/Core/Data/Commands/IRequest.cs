using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <summary>What an execution says to the server, after what the session owes.</summary>
internal interface IRequest
{
    /// <summary>Whether it could see what a lease leaves that was proven to leave nothing else: then the reset is not left out.</summary>
    bool SeesWhatIsLeft(Session session);

    /// <summary>Whether it replaces what a question in front of it leaves: see <see cref="Session.PrependQuestion"/>.</summary>
    bool CoversQuestion(Session session);

    /// <summary>Appends its bytes to the session's wire, and begins its exchange in the session's queue.</summary>
    void Encode(Session session);
}
