using Slipstream.Core.Sessions;

namespace Slipstream.Core.Data;

/// <summary>The request of an execution, which follows the owed exchanges of the session.</summary>
internal interface IRequest
{
    /// <summary>Whether the request could see what a clean lease still leaves. Then the reset is not left out.</summary>
    bool DependsOnReset(Session session);

    /// <summary>Whether the request replaces what a preceding question leaves: see <see cref="Session.PrependQuestion"/>.</summary>
    bool CoversQuestion(Session session);

    /// <summary>Appends the request to the session's wire, and begins its exchange in the session's queue.</summary>
    void Encode(Session session);
}
