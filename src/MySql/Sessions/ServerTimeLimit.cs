using System.Globalization;
using System.Text;
using Slipstream.Core.Sessions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Sessions;

/// <summary>The time limit of commands that the server knows.</summary>
/// <param name="session">The session of the commands.</param>
/// <param name="queue">The queue that carries the statement before the next command.</param>
internal sealed class ServerTimeLimit(SessionContext session, ConversationQueue queue)
{
    // ER_UNKNOWN_SYSTEM_VARIABLE: servers before MySQL 5.7.8 and MariaDB 10.1 do not have the variable, so only the client's clock limits the time.
    private const int UnknownVariable = 1193;

    // 0 in a new or reset session: the server's own limit applies.
    private long _milliseconds;

    /// <summary>Records that a reset removed the limit.</summary>
    public void Forget() => _milliseconds = 0;

    /// <summary>Prepends a statement that sets the time limit of the next command, unless the server has that limit already.</summary>
    /// <param name="milliseconds">The limit in milliseconds; 0 or less for none.</param>
    public void Prepend(long milliseconds)
    {
        milliseconds = Math.Max(milliseconds, 0);
        if (milliseconds == _milliseconds)
            return;
        _milliseconds = milliseconds;
        PrependStatement(milliseconds);
    }

    private void PrependStatement(long milliseconds)
    {
        // MariaDB counts seconds with a fraction and limits every statement. MySQL counts milliseconds and limits only SELECT.
        var (variable, limit) = session.State.IsMariaDb
            ? ("SET max_statement_time=", (milliseconds / 1000m).ToString(CultureInfo.InvariantCulture))
            : ("SET max_execution_time=", Math.Min(milliseconds, uint.MaxValue).ToString(CultureInfo.InvariantCulture));
        var sql = Encoding.UTF8.GetBytes(variable + (milliseconds == 0 ? "DEFAULT" : limit));
        queue.Prepend(new SimpleCommand(session.State, variable, writer => Query.Write(writer, sql)) { ToleratedError = UnknownVariable }, session.Wire);
    }
}
