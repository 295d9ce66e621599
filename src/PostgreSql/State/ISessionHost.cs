using Slipstream.Core.Errors;
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

    /// <summary>Returns an error together with what it proves about the operation.</summary>
    /// <param name="error">The error.</param>
    /// <param name="isWhole">Whether an operation outside of a transaction is one that cannot have committed a part of its work.</param>
    /// <param name="isOnly">Whether the operation has no other statements than the refused one.</param>
    ServerError Judge(ServerError error, bool isWhole, bool isOnly);

    /// <summary>Reports that what is about to be sent may commit an open transaction.</summary>
    void MayCommit();

    /// <summary>Reports that something was, or may have been, committed, whatever follows it in the same command.</summary>
    void Committed();

    /// <summary>Throws if messages have arrived that do not answer a command.</summary>
    void RefuseLeftovers();
}
