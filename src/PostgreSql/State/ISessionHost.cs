using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql.State;

/// <summary>The session as its exchanges may use it: they report to it, and know nothing else of it.</summary>
internal interface ISessionHost
{
    /// <summary>The server has remarked something.</summary>
    void Hear(ErrorFields notice);

    /// <summary>The session is in doubt, or the server has ended it: it is never used again.</summary>
    void Break(string because);

    /// <summary>Throws when something has arrived that answers nothing.</summary>
    void RefuseLeftovers();
}
