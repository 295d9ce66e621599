using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql.Sessions;

/// <summary>
/// Who leases a session and hears what the server remarks meanwhile. Found by the session's holder, which is known weakly:
/// who listens can be found to have leaked, too.
/// </summary>
internal interface INoticeSink
{
    /// <summary>The server has remarked something.</summary>
    void Hear(ErrorFields fields);
}
