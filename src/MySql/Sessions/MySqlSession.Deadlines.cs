using System.Globalization;
using System.Text;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Commands;

namespace Slipstream.MySql.Sessions;

/// <content>What the server knows of the time that a command has.</content>
internal sealed partial class MySqlSession
{
    // ER_UNKNOWN_SYSTEM_VARIABLE: before MySQL 5.7.8 and MariaDB 10.1 there is none, and the client's own clock is all there is.
    private const int UnknownVariable = 1193;

    // As a new session, or a reset one, has it: whatever the server's own limit is.
    private long _toldDeadline;

    protected override void GlueDeadline(long milliseconds)
    {
        milliseconds = Math.Max(milliseconds, 0);
        if (milliseconds == _toldDeadline)
            return;
        _toldDeadline = milliseconds;
        // MariaDB counts seconds, with a fraction, for every statement; MySQL milliseconds, for SELECT alone.
        var (variable, limit) = State.IsMariaDb
            ? ("SET max_statement_time=", (milliseconds / 1000m).ToString(CultureInfo.InvariantCulture))
            : ("SET max_execution_time=", Math.Min(milliseconds, uint.MaxValue).ToString(CultureInfo.InvariantCulture));
        var sql = Encoding.UTF8.GetBytes(variable + (milliseconds == 0 ? "DEFAULT" : limit));
        Queue.Glue(new SimpleCommand(State, variable, writer => Query.Write(writer, sql)) { ToleratedError = UnknownVariable }, Wire);
    }
}
