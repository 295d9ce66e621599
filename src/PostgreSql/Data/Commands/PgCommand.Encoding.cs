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
        _encoder.Map(statement, CommandType, takesOutputs: true);
        var executes = (behavior & CommandBehavior.SchemaOnly) == 0;
        var prepared = statement.Slot >= 0 && executes && (IsPreparedByUser || pg.Prepared.Automatic.ShouldPrepare(statement))
            ? _encoder.PreparedFor(pg, statement, IsPreparedByUser)
            : null;

        var exchange = pg.Results;
        exchange.Prepare(null);
        exchange.BeginCommand(statement, 0);
        exchange.WhenStale = IsPreparedByUser && prepared?.Request(pg.Leases.Ended) != false ? WhenStale.Reported
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

    // Matches output parameters to columns by name first. The remaining parameters take the remaining columns, in order.
    void IOutputs.Take(PgRow row)
    {
        var isTaken = new bool[row.FieldCount];
        var left = new List<PgParameter>();
        foreach (var parameter in (IEnumerable<PgParameter>)Parameters)
        {
            if (parameter.Direction is not (ParameterDirection.Output or ParameterDirection.InputOutput))
                continue;
            if (IndexOf(row, parameter.BareName, isTaken) is >= 0 and var column)
                Fill(parameter, row, column, isTaken);
            else
                left.Add(parameter);
        }

        foreach (var parameter in left)
            if (Array.IndexOf(isTaken, false) is >= 0 and var column)
                Fill(parameter, row, column, isTaken);
    }

    private static void Fill(PgParameter parameter, PgRow row, int column, bool[] isTaken)
    {
        isTaken[column] = true;
        parameter.Value = row.GetValue(column);
    }

    private static int IndexOf(PgRow row, ReadOnlySpan<char> name, bool[] isTaken)
    {
        var alike = -1;
        for (var i = 0; i < isTaken.Length && !name.IsEmpty; i++)
        {
            if (isTaken[i])
                continue;
            if (name.SequenceEqual(row.GetName(i)))
                return i;
            if (alike < 0 && name.Equals(row.GetName(i), StringComparison.OrdinalIgnoreCase))
                alike = i;
        }

        return alike;
    }
}
