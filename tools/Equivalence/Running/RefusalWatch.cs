using System.Data;
using System.Data.Common;
using Slipstream.Core.Errors;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Running;

/// <summary>
/// Has a server refuse steps, and checks what the driver does about it: whether it executes a command again, and whether what it reports agrees with what the
/// tables contain. A side without gateways refuses nothing.
/// </summary>
internal sealed class RefusalWatch(World world, Side side, Trace trace, IReadOnlyCollection<Lease> leases)
{
    private readonly bool _isPostgreSql = world.Stage.IsPostgreSql;
    private long _session;
    private bool _isInTransaction;
    private Repeat _expected;
    private string? _before;
    private Refusal? _reported;
    private bool _hasFailed;

    /// <summary>The execution of a step begins.</summary>
    public async Task BeginAsync(Lease lease, Step step)
    {
        if (!side.IsCluster)
            return;
        _session = lease.Connection.State == ConnectionState.Open ? side.Driver.SessionId(lease.Connection) : 0;
        _isInTransaction = lease.Transaction is not null;
        _expected = lease.History.Expect(step, _isInTransaction, _isPostgreSql);
        (_reported, _hasFailed) = (null, false);
        world.Gateways.Disarm(_session);
        _before = null;
        if (!step.IsRefused || _session == 0)
            return;
        // Another session could wait for an open transaction.
        if (leases.All(static one => one.Transaction is null && !one.History.MayHaveSqlTransaction))
            _before = await world.RowsDigestAsync();
        world.Gateways.Arm(_session);
    }

    /// <summary>The driver has reported an error.</summary>
    public void Reported(Exception exception, int command = -1)
    {
        _hasFailed = true;
        if (side.IsCluster && side.Driver.RefusalOf(exception) is { } safety)
            _reported ??= new(safety, command);
    }

    /// <summary>The execution of a step has ended.</summary>
    public async Task EndAsync(Lease lease, Step step, int number)
    {
        if (!side.IsCluster)
            return;
        var executed = world.Gateways.Disarm(_session);
        if (executed is not null && (_reported is not null || !_hasFailed))
            world.Refusals.Count(_reported is not null);
        if (_reported is { } reported)
        {
            trace.Refusals.TryAdd(number, reported with { Executed = executed ?? "" });
            if (executed is not null && _expected == Repeat.Must)
                trace.Violation(number, $"the refused command was not executed again: reported as {reported.Safety}");
            // What the step itself may do counts, too.
            lease.History.Add(step);
            await CheckAsync(lease, step, reported.Safety, number);
        }
        else if (executed is not null && !_hasFailed && _expected == Repeat.MustNot)
        {
            trace.Violation(number, "a refused command that depends on its session was executed again, or its refusal was not reported");
        }

        lease.History.Add(step);
    }

    private async Task CheckAsync(Lease lease, Step step, RetrySafety safety, int number)
    {
        // Only a text can have begun a transaction that the lease does not know.
        var isDoubtful = lease.History.MayHaveSqlTransaction;
        // MySQL goes on with the transaction. PostgreSQL does so only after a bulk copy, which has a savepoint of its own.
        var isWrong = safety switch
        {
            RetrySafety.Unknown => true,
            RetrySafety.RolledBack => !_isPostgreSql,
            RetrySafety.NotSent => _isPostgreSql && _isInTransaction && step is not BulkStep,
            _ => _isPostgreSql && _isInTransaction && !isDoubtful && !lease.History.MayHaveSavepoint,
        };
        if (isWrong)
            trace.Violation(number, $"a refusal {(_isInTransaction ? "in" : "outside")} a transaction was reported as {safety}");
        if (_before is null || safety == RetrySafety.NotApplicable)
            return;
        if (await world.RowsDigestAsync() != _before)
            trace.Violation(number, $"a refusal was reported as {safety}, but the tables have changed");
    }
}
