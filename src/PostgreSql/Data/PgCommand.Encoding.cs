using System.Data;
using Slipstream.Core.Conversations;
using Slipstream.Core.Sessions;
using Slipstream.PostgreSql.Protocol.Commands;

namespace Slipstream.PostgreSql;

// How a command becomes messages: those of its statements, then one Sync.
public sealed partial class PgCommand
{
    private StatementEncoder _encoder;

    /// <inheritdoc/>
    protected override void Encode(Session session, Goal goal, CommandBehavior behavior, ScalarTarget? scalar)
    {
        var pg = (PgSession)session;
        var statement = _encoder.Find(Connection!.PgSource, CommandText, CommandType);
        _encoder.Map(statement);
        var executes = (behavior & CommandBehavior.SchemaOnly) == 0;
        var prepared = statement.Slot >= 0 && executes && (IsPreparedByUser || pg.AutoPreparation.Wants(statement))
            ? _encoder.PreparedFor(pg, statement, IsPreparedByUser)
            : null;

        var exchange = pg.Results;
        exchange.Prepare(null);
        exchange.BeginCommand(statement, 0);
        var closes = pg.WriteCloses();
        UnnamedStatement unnamed = default;
        try
        {
            _encoder.Write(pg, statement, prepared, executes, ref unnamed);
        }
        catch
        {
            exchange.Forget();
            throw;
        }

        pg.Wire.IsAnsweredEarly = statement.Parts.Length > 1;
        Sync.Write(pg.Wire.Out);                                     // C: Sync
        exchange.EndOfGroup();
        pg.ClosesWritten(closes);
        exchange.Begin(goal, scalar, closes, (behavior & CommandBehavior.SequentialAccess) != 0);
        pg.Queue.Begin(exchange);
    }
}
