using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Protocol.Connect;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Sessions;

/// <content>How this server prepares.</content>
internal sealed partial class MySqlSession
{
    /// <summary>Which statements prepare themselves.</summary>
    public AutoPrepare AutoPrepare => Prepared.Automatic;

    /// <summary>What is prepared in this session.</summary>
    public PreparedStatements Prepared { get; }

    /// <summary>
    /// The number by which a statement can be executed in the same send as its PREPARE; null when the answer to that must be awaited. Servers
    /// count, and the next number is foretold. MariaDB since 10.2 has a number for "the one prepared last", which serves only for the first of a
    /// session: a PREPARE that is refused because the server is full (error 1461) leaves the one before it "the last", and it would be executed.
    /// </summary>
    public uint? NextStatementNumber => !MayPipeline ? null
        : IsMariaDb && !Prepared.Numbers.HasLast && (_greeting.Capabilities & Capabilities.BulkOperations) != 0 ? StatementExecute.LastPrepared
        : TrackerIsOn ? Prepared.Numbers.Next(Unproven) : null;

    /// <summary>
    /// True when the server settles the types of parameters at PREPARE, and says which: MySQL since 8.0.22. Others take them from each execution.
    /// All of 8.0 counts, because a proxy may call itself 8.0.11 whatever is behind it.
    /// </summary>
    public bool SettlesTypes => !IsMariaDb && !(Version.TryParse(_greeting.ServerVersion.Split('-', '+', ' ')[0], out var version) && version.Major < 8);

    private void CloseApart()
    {
        while (Prepared.TryTakeToClose(out var id))
            Queue.Glue(new StatementClosing(id), Wire);
    }
}
