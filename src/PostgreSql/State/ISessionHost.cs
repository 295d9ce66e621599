using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql.State;

/// <summary>The part of the session that its exchanges may use: they report events to it.</summary>
internal interface ISessionHost
{
    /// <summary>Reports a notice of the server.</summary>
    void ReportNotice(ErrorFields notice);

    /// <summary>Reports a notification on a channel that the session listens to.</summary>
    void ReportNotification(in NotificationResponse notification);

    /// <summary>Marks the session as broken, because its state is unknown or the server has ended it. It is never used again.</summary>
    void Break(string because);

    /// <summary>Throws if messages have arrived that do not answer a command.</summary>
    void RefuseLeftovers();
}
