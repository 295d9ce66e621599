using System.Globalization;
using System.Text;
using Slipstream.Core.Sessions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Sessions;

/// <summary>What the server knows of the time that a command has.</summary>
/// <param name="session">Whose commands they are.</param>
/// <param name="queue">Carries what the server is told in front of the next command.</param>
internal sealed class ToldDeadline(SessionContext session, ConversationQueue queue)
{
    // ER_UNKNOWN_SYSTEM_VARIABLE: before MySQL 5.7.8 and MariaDB 10.1 there is none, and the client's own clock is all there is.
    private const int UnknownVariable = 1193;

    // 0 as a new session, or a reset one, has it: whatever the server's own limit is.
    private long _milliseconds;

    /// <summary>A reset makes the server forget it.</summary>
    public void Forget() => _milliseconds = 0;

    /// <summary>Glues what tells the server how long the next command may take, unless it knows.</summary>
    /// <param name="milliseconds">0 or less: without limit.</param>
    public void Glue(long milliseconds)
    {
        milliseconds = Math.Max(milliseconds, 0);
        if (milliseconds == _milliseconds)
            return;
        _milliseconds = milliseconds;
        Say(milliseconds);
    }

    private void Say(long milliseconds)
    {
        // MariaDB counts seconds, with a fraction, for every statement; MySQL milliseconds, for SELECT alone.
        var (variable, limit) = session.State.IsMariaDb
            ? ("SET max_statement_time=", (milliseconds / 1000m).ToString(CultureInfo.InvariantCulture))
            : ("SET max_execution_time=", Math.Min(milliseconds, uint.MaxValue).ToString(CultureInfo.InvariantCulture));
        var sql = Encoding.UTF8.GetBytes(variable + (milliseconds == 0 ? "DEFAULT" : limit));
        queue.Prepend(new SimpleCommand(session.State, variable, writer => Query.Write(writer, sql)) { ToleratedError = UnknownVariable }, session.Wire);
    }
}
