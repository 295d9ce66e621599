using System.Data;
using Slipstream.Core.Conversations;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

// Encodes a command: the messages of its statements, then one Sync.
public sealed partial class PgCommand : IOutputs
{
    private StatementEncoder _encoder;

    /// <inheritdoc/>
    private protected override void Encode(Session session, Goal goal, CommandBehavior behavior, ScalarTarget? scalar)
    {
        var pg = (PgSession)session;
        var statement = _encoder.Find(Connection!.PgSource, CommandText, CommandType);
        _encoder.Map(statement, CommandType);
        var executes = (behavior & CommandBehavior.SchemaOnly) == 0;
        var prepared = statement.Slot >= 0 && executes && (IsPreparedByUser || pg.Prepared.Automatic.ShouldPrepare(statement))
            ? _encoder.PreparedFor(pg, statement, IsPreparedByUser)
            : null;

        var exchange = pg.Results;
        exchange.Prepare(null);
        exchange.UnknownColumns = _extras is { Unknown.IsWanted: true } ? _extras.Unknown : null;
        _encoder.RequestsText = executes && _extras is { Unknown.IsWanted: true };
        exchange.BeginCommand(statement, 0);
        exchange.WhenStale = IsPreparedByUser && prepared?.Request(pg.Leases.Ended) != false && !pg.State.IsBehindPooler ? WhenStale.Reported
            : exchange.CanRepeat ? WhenStale.Repeated : WhenStale.Avoided;
        var closes = pg.Prepared.WriteCloses(pg.Wire.Out);
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
        pg.Prepared.ClosesWritten(closes);
        exchange.Begin(goal, scalar, closes, (behavior & CommandBehavior.SequentialAccess) != 0, _encoder.HasOutputs ? this : null);
        pg.Queue.Begin(exchange);
    }

    /// <inheritdoc/>
    private protected override QuerySummary? Summarize(Session session) => _encoder.Find(Connection!.PgSource, CommandText, CommandType).Summary;

    void IOutputs.Take(PgRow row) => OutputParameters.Take(Parameters, row);
}
