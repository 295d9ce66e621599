using Slipstream.Core.Errors;

namespace Slipstream.MySql.State;

/// <summary>The part of a session that its state uses and its exchanges report to.</summary>
internal interface ISessionHost
{
    /// <summary>Gets whether several commands may be sent at once.</summary>
    bool MayPipeline { get; }

    /// <summary>Prevents another lease of the session.</summary>
    void ServeOnce();

    /// <summary>Returns an error together with what it proves about the operation.</summary>
    ServerError Judge(ServerError error, bool isBeginning);

    /// <summary>Reports that what is about to be sent may commit an open transaction.</summary>
    void MayCommit();

    /// <summary>Reports that the server has rolled back the whole open transaction without a request.</summary>
    void LoseTransaction(ServerError error);

    /// <summary>Reports the global transaction identifiers of transactions that have ended.</summary>
    void Wrote(string gtids);

    /// <summary>Reports that something may have been committed, whose identifiers the server will not report.</summary>
    void LoseWrites();

    /// <summary>Throws if bytes have arrived that do not answer a command.</summary>
    void RefuseLeftovers();

    /// <summary>
    /// Requests the query of <see cref="SendBufferGrowth"/>. It is sent before a command that is not affected by the state that the query leaves.
    /// </summary>
    void RequestQuestion();

    /// <summary>Requests the packet of <see cref="SendBufferGrowth"/>. It is sent before the next command.</summary>
    void RequestPacket();
}
