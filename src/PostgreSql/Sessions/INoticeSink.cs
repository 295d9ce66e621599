using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql.Sessions;

/// <summary>
/// The lessee of a session, which receives the server's notices and notifications. The session finds it through its holder, to which it has only a weak
/// reference, so that a leaked lessee can be detected, too.
/// </summary>
internal interface INoticeSink
{
    /// <summary>Receives a notice of the server.</summary>
    void OnNotice(ErrorFields fields);

    /// <summary>Receives a notification on a channel that the session listens to.</summary>
    void OnNotification(in NotificationResponse notification);
}
