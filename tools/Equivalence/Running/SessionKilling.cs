using System.Data.Common;
using System.Globalization;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Running;

/// <summary>
/// Sessions that are ended from outside while nobody uses them: idle in the pool, or between two steps of a lease. The next command is told that it is lost, or works; what was told
/// done is done once, what was told lost at most once, and never outside the transaction that was lost.
/// </summary>
internal sealed class SessionKilling(World world, Side side, Trace trace, int step)
{
    /// <summary>Ends the sessions that are idle in the pool, then leases each free place of it.</summary>
    /// <param name="source">The pool.</param>
    /// <param name="killed">What each lease executes.</param>
    /// <param name="idle">The server's numbers of the sessions.</param>
    /// <param name="places">How many places of the pool are free.</param>
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

    /// <summary>Ends a lease's session, then executes a command on it.</summary>
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
        // What has no open connection any more refuses further commands.
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
            trace.Violation(step, "a command of a transaction whose session was killed was told done");
        else if (isLost && transaction is not null ? done != 0 : done != 1 && !(isLost && done == 0))
            trace.Violation(step, string.Create(CultureInfo.InvariantCulture, $"a session killed while idle: told {(isLost ? "lost" : "done")}, but the row was changed {done} times"));
    }
}
