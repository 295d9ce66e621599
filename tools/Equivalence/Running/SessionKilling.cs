using System.Data.Common;
using System.Globalization;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Running;

/// <summary>
/// Kills sessions while they are not in use: idle in the pool, or between two steps of a lease. The next command either works or is reported as lost. A command
/// reported as done was executed once, one reported as lost at most once, and never outside the transaction that was lost.
/// </summary>
internal sealed class SessionKilling(World world, Side side, Trace trace, int step)
{
    /// <summary>Kills the idle sessions of the pool, then leases each free place of the pool.</summary>
    /// <param name="source">The pool.</param>
    /// <param name="killed">The statement that each lease executes.</param>
    /// <param name="idle">The server's numbers of the idle sessions.</param>
    /// <param name="places">The number of free places of the pool.</param>
    public async Task InPool(DbDataSource source, PoolKilledStep killed, IReadOnlyCollection<long> idle, int places)
    {
        foreach (var session in idle)
            await world.KillAsync(session);
        var leases = new List<DbConnection>();
        try
        {
            for (var i = 0; i < places; i++)
                leases.Add(killed.Async ? await source.OpenConnectionAsync() : source.OpenConnection());
            foreach (var lease in leases)
                await Mark(lease, null, killed.Sql, killed.Mark, killed.Async);
        }
        catch (Exception exception) when (exception is DbException or InvalidOperationException)
        {
            trace.Violation(step, "a lease of a pool whose sessions were killed: " + Canonical.Error(side.Driver, exception));
        }
        finally
        {
            foreach (var lease in leases)
                await lease.DisposeAsync();
        }
    }

    /// <summary>Kills a lease's session, then executes a command in the lease.</summary>
    public async Task InLease(Lease lease, LeaseKilledStep killed)
    {
        if (lease.Connection.State != System.Data.ConnectionState.Open)
            return;
        await world.KillAsync(side.Driver.SessionId(lease.Connection));
        for (var i = 0; i < killed.Times; i++)
            await Mark(lease.Connection, lease.Transaction, killed.Sql, killed.Mark, killed.Async);
    }

    private async Task Mark(DbConnection connection, DbTransaction? transaction, string sql, int mark, bool isAsync)
    {
        var question = string.Create(CultureInfo.InvariantCulture, $"SELECT n FROM {world.Database}.mark WHERE m = {mark}");
        var before = Convert.ToInt64(await world.AskAsync(question), CultureInfo.InvariantCulture);
        await using var command = connection.CreateCommand();
        command.CommandText = sql;
        command.Transaction = transaction;
        var isLost = false;
        try
        {
            _ = isAsync ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery();
        }
        // A connection that is no longer open refuses further commands.
        catch (Exception exception) when (exception is DbException or InvalidOperationException && connection.State != System.Data.ConnectionState.Open)
        {
            isLost = true;
        }
        catch (DbException exception) when (exception.IsTransient)
        {
            isLost = true;
        }

        var done = Convert.ToInt64(await world.AskAsync(question), CultureInfo.InvariantCulture) - before;
        if (!isLost && transaction is not null)
            trace.Violation(step, "a command of a transaction whose session was killed was reported as done");
        else if (isLost && transaction is not null ? done != 0 : done != 1 && !(isLost && done == 0))
            trace.Violation(
                step,
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"a session killed while idle: reported as {(isLost ? "lost" : "done")}, but the row was changed {done} times"));
    }
}
