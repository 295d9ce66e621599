using System.Data;
using System.Data.Common;
using System.Globalization;
using Slipstream.Equivalence.Generating;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Running;

/// <summary>How thoroughly the results of a program are compared.</summary>
/// <param name="IsThorough">Each inspection queries the complete state, instead of a digest and some of the queries.</param>
/// <param name="InDetail">Tables are compared row by row, instead of by their digests.</param>
/// <param name="Anew">All tables are made anew, even if they seem unchanged.</param>
internal readonly record struct Manner(bool IsThorough = false, bool InDetail = false, bool Anew = false);

/// <summary>Executes a program under one configuration and records every observation.</summary>
internal sealed class Execution(EquivalenceProgram program, Side side, World world, bool isAgainstPeer = false, Manner manner = default)
{
    // The kinds of steps that leave nothing in an idle session that others wait for or see.
    private static readonly HashSet<string> Harmless =
    [
        "open", "close", "query", "insert", "update", "delete", "parameters", "set", "set inside", "user variable", "role", "last id", "last value",
        "found rows", "warnings",
        MySqlGenerator.ClearsWarnings, "error", "refused value", "several results",
        "batch", "large", "procedure", "procedure outputs", "constant", "sql prepare", "use", "change database", "look", "outside write", "large rows",
        "types", "types insert", "types parameters", "reload types", "outside notify", "batch with barriers", "record",
    ];

    private const string OwnSession = "its own session";

    private readonly Dictionary<int, Lease> _leases = [];

    // The server's numbers of the sessions that were returned to the pool; some are leased again.
    private readonly HashSet<long> _idle = [];
    private readonly Trace _trace = new();
    private RefusalWatch? _refusals;
    private int _step;

    /// <summary>Gets the current step.</summary>
    public string Where => _step < program.Steps.Length ? $"{side.Name}: at {program.Steps[_step].Kind}" : $"{side.Name}: at its end";

    /// <summary>Executes all steps on new tables, with sessions of its own or of a data source that earlier programs have used.</summary>
    public async Task<Trace> RunAsync(SharedSource? shared = null)
    {
        if (manner.Anew)
            world.Forget();
        await world.ResetAsync();
        // Only now, because the tables, and with them the types, have been made anew.
        var source = shared is null ? side.Driver.CreateSource(world.ConnectionString(side, program.PoolSize)) : await shared.GetAsync();
        try
        {
            for (_step = 0; _step < program.Steps.Length; _step++)
                await Do(source, program.Steps[_step]);
        }
        finally
        {
            _step = Trace.AtEnd;
            foreach (var lease in _leases.Values)
                await Try(async () => await lease.Connection.DisposeAsync());
            if (shared is null)
                await source.DisposeAsync();
            else if (!program.Steps.All(static step => Harmless.Contains(step.Kind)))
                await SettleAsync(source);
            await EndBranchesAsync();
        }

        foreach (var line in await world.LeaveAsync(program, manner.InDetail))
            _trace.Add(Trace.AtEnd, line);
        return _trace;
    }

    // A prepared branch outlives its session, and new tables would have to wait for its locks.
    private async Task EndBranchesAsync()
    {
        if (program.Steps.Any(static step => step.Kind is "xa" or "prepare transaction" or "enlist two"))
            await world.EndBranchesAsync();
    }

    // Starts another lease of each session that others could wait for.
    private async Task SettleAsync(DbDataSource source)
    {
        var leases = new List<DbConnection>();
        try
        {
            for (var i = 0; i < program.PoolSize; i++)
                leases.Add(await source.OpenConnectionAsync());
            foreach (var lease in leases)
            {
                await using var command = lease.CreateCommand();
                command.CommandText = "SELECT 1";
                await command.ExecuteScalarAsync();
            }
        }
        catch (DbException)
        {
            // A broken session no longer exists.
        }
        finally
        {
            foreach (var lease in leases)
                await lease.DisposeAsync();
        }
    }

    private RefusalWatch Refusals => _refusals ??= new(world, side, _trace, _leases.Values);

    // Executes a step, which a server may refuse.
    private async Task Refusable(Lease lease, Step step, Func<Task> execute)
    {
        await Refusals.BeginAsync(lease, step);
        await Try(execute);
        await Refusals.EndAsync(lease, step, _step);
    }

    // What the server refuses instead of the refused step, and what follows of that step.
    private async Task Refused(Lease lease, RefusedStep step)
    {
        await Try(() => step.Instead switch
        {
            BatchStep batch => Batch(lease, batch),
            TransactionStep transaction => Transaction(lease, transaction),
            _ => Command(lease, (CommandStep)step.Instead),
        });
        if (step.Rest is { } rest)
            await Repeat(lease, rest);
    }

    private bool Asynchronously(Step step) => side.Ways switch
    {
        Ways.Blocking => false,
        Ways.Asynchronous => true,
        _ => step.Async,
    };

    private async Task Do(DbDataSource source, Step step)
    {
        step = step with { Async = Asynchronously(step) };
        switch (step)
        {
            case OpenStep open:
                if (!_leases.ContainsKey(step.User))
                    await Try(async () =>
                        _leases[step.User] = Observed(step.Async ? await source.OpenConnectionAsync() : source.OpenConnection(), open));
                return;
            case OutsideStep outside:
                // The peer's driver executes it on both sides.
                try
                {
                    await world.OutsideAsync(outside.Sql);
                }
                catch (DbException refused)
                {
                    Record("error outside " + refused.SqlState);
                }

                return;
            case LookStep:
                await new Look(world, side, _trace, _step) { IsThorough = manner.IsThorough, Turn = Turn }.At(source, program.PoolSize - _leases.Count);
                return;
            case NewTablesStep:
                await SettleAsync(source);
                await EndBranchesAsync();
                await world.LeaveAsync(program, inDetail: false);
                var types = world.TypesVersion;
                await world.ResetAsync();
                if (types != world.TypesVersion)
                {
                    await using var connection = await source.OpenConnectionAsync();
                    await PgCalls.ReloadTypes(connection, isAsync: true);
                }

                return;
            case PoolKilledStep killed:
                await new SessionKilling(world, side, _trace, _step).InPool(
                    source, killed, [.. _idle.Except(_leases.Values.Select(SessionOf)).Where(static session => session != 0)],
                    program.PoolSize - _leases.Count);
                return;
        }

        if (!_leases.TryGetValue(step.User, out var lease))
        {
            Record("no lease");
            return;
        }

        switch (step)
        {
            case CloseStep:
                CheckNotifications(lease);
                _leases.Remove(step.User);
                _idle.Add(SessionOf(lease));
                await Try(async () =>
                {
                    if (step.Async)
                        await lease.Connection.DisposeAsync();
                    else
                        lease.Connection.Dispose();
                });
                break;
            case CommandStep command:
                await Repeat(lease, command);
                break;
            case BatchStep batch:
                await Refusable(lease, batch, () => Batch(lease, batch));
                break;
            case TransactionStep transaction:
                await Refusable(lease, transaction, () => Transaction(lease, transaction));
                break;
            case BulkStep bulk:
                await Refusable(lease, bulk, async () => Record(await side.Driver.BulkAsync(lease.Connection, lease.Transaction, bulk)));
                break;
            case RefusedStep refused:
                await Refused(lease, refused);
                break;
            case CopyStep copy:
                await Refusable(lease, copy, () => side.Driver.CopyAsync(lease.Connection, copy, Record));
                break;
            case NotificationsStep notifications:
                await Try(() => Notifications(lease, notifications));
                break;
            case ReloadTypesStep:
                await Try(() => side.Driver.ReloadTypesAsync(lease.Connection, step.Async));
                break;
            case FreshTypeStep:
                await Try(() => FreshType(lease, step.Async));
                break;
            case LargeObjectStep large:
                await Try(() => side.Driver.LargeObjectAsync(lease.Connection, large, Record));
                break;
            case ChangeDatabaseStep change:
                await Try(async () =>
                {
                    if (step.Async)
                        await lease.Connection.ChangeDatabaseAsync(change.Database);
                    else
                        lease.Connection.ChangeDatabase(change.Database);
                });
                break;
            case LeaseKilledStep killed:
                await new SessionKilling(world, side, _trace, _step).InLease(lease, killed);
                break;
            case EnlistStep enlist:
                await Enlist(lease, enlist);
                break;
            case StoppedStep stopped:
                await new Stopping(world, side, _trace, _step).Do(lease, stopped);
                break;
        }

        if (step is not (CloseStep or StoppedStep or LeaseKilledStep))
            Record(lease.Connection.State.ToString());
    }

    // Inspections query different parts of the state in turn.
    private int Turn => (int)((program.Seed * 31 + _step) & 0xFFFF);

    private long SessionOf(Lease lease) => lease.Connection.State == ConnectionState.Open ? side.Driver.SessionId(lease.Connection) : 0;

    private async Task Enlist(Lease lease, EnlistStep step)
    {
        using var transaction = new System.Transactions.CommittableTransaction();
        Lease[] leases = step.Other >= 0 && _leases.TryGetValue(step.Other, out var other) ? [lease, other] : [lease];
        foreach (var one in leases)
            await Try(() => Told(() => one.Connection.EnlistTransaction(transaction)));
        for (var i = 0; i < step.Commands.Length; i++)
            await Try(() => Command(leases[i % leases.Length], new CommandStep(step.User, step.Kind, step.Commands[i], Verb.NonQuery) { Async = step.Async }));
        await Try(() => Told(() =>
        {
            if (step.Commits)
                transaction.Commit();
            else
                transaction.Rollback();
        }));
    }

    private Task Told(Action action)
    {
        action();
        Record("done");
        return Task.CompletedTask;
    }

    private Lease Observed(DbConnection connection, OpenStep step)
    {
        if (step.Listens)
            side.Driver.Listen(connection, Hear);
        var lease = new Lease(connection) { MayBeNotified = program.ListensAfter(_step), History = new() { Listens = step.Listens } };
        side.Driver.HearNotifications(
            connection,
            (channel, payload, session) =>
                lease.Heard.Add($"notification {channel}: {payload} from {(session == SessionOf(lease) ? OwnSession : "another session")}"));
        return lease;
    }

    // Executes a command repeatedly. The first execution of a text comes as text, the later ones in the binary format.
    private async Task Repeat(Lease lease, CommandStep command)
    {
        List<string>? first = null;
        for (var i = 0; i < command.Times; i++)
        {
            var before = _trace.Observations.Count;
            await Refusable(lease, i == 0 ? command : command with { IsRefused = false }, () => Command(lease, command));
            if (!command.IsSteady)
                continue;
            var told = _trace.Observations.Skip(before).Select(static observation => observation.Text).ToList();
            first ??= told;
            // An error ends a transaction; text in another DateStyle or IntervalStyle is refused.
            if (first.Concat(told).Any(static text => text.StartsWith("error", StringComparison.Ordinal)
                || text.StartsWith("notice", StringComparison.Ordinal) || text.Contains("!FormatException", StringComparison.Ordinal)))
                continue;
            if (!told.SequenceEqual(first))
                _trace.Violation(
                    _step,
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"execution {i + 1}: {string.Join("; ", told.Except(first))} <> {string.Join("; ", first.Except(told))}"));
        }
    }

    private async Task FreshType(Lease lease, bool isAsync)
    {
        var type = await PgCalls.FreshType(
            lease.Connection, isAsync, FreshTypeStep.Definition, FreshTypeStep.Query, side.Driver.ReloadTypesAsync, Record);
        if (!type.IsArray)
            _trace.Violation(_step, $"a type that was created before the types were loaded is read as {type.Name}");
    }

    private async Task Notifications(Lease lease, NotificationsStep step)
    {
        try
        {
            switch (step.How)
            {
                case Hearing.WaitForOne:
                    await using (var command = lease.Connection.CreateCommand())
                    {
                        command.CommandText = Waited.Listen;
                        _ = step.Async ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery();
                    }

                    await world.OutsideAsync(Waited.Notify);
                    Record("came " + await PgCalls.WaitLong(lease.Connection, step.Async));
                    break;
                case Hearing.WaitCancelled:
                    await PgCalls.Collect(lease.Connection, step.Async, 0);
                    await PgCalls.WaitCancelled(lease.Connection);
                    break;
            }
        }
        finally
        {
            await PgCalls.Collect(lease.Connection, step.Async, step.How == Hearing.Collect ? step.Milliseconds : 0);
            CheckNotifications(lease);
            // The peer passes on what came from others before its reset.
            foreach (var heard in lease.Heard.Where(line => !isAgainstPeer || line.EndsWith(OwnSession, StringComparison.Ordinal)))
                Record(heard);
            lease.Heard.Clear();
        }
    }

    // A lease that has not listened must not get what a previous lease of its session listened to.
    private void CheckNotifications(Lease lease)
    {
        // The peer passes on what came before its reset.
        if (!side.Driver.IsPeer && !lease.MayBeNotified && lease.Heard.Count > 0)
            _trace.Violation(_step, "a lease that does not listen: " + lease.Heard[0]);
    }

    // The notices of a stopped statement depend on how far it came.
    private void Hear(string words)
    {
        if (_step == Trace.AtEnd || program.Steps[_step] is not StoppedStep)
            Record("notice: " + words);
    }

    private async Task Command(Lease lease, CommandStep step)
    {
        await using var command = lease.Connection.CreateCommand();
        command.CommandText = step.Text.Sql;
        command.Transaction = lease.Transaction;
        if (step.IsProcedure)
            command.CommandType = CommandType.StoredProcedure;
        AddTo(command.Parameters, command.CreateParameter, step.Text);
        if (step.HasOutputs)
            Direct(command.Parameters);
        if (step.Prepares)
        {
            if (step.Async)
                await command.PrepareAsync();
            else
                command.Prepare();
        }

        await Execute(command, step, lease);
        if (side.Driver.GeneratedKey(command) is { } key)
            Record("key " + Canonical.Value(key));
        if (step.HasOutputs)
            Record("outputs " + string.Join(" | ", command.Parameters.Cast<DbParameter>().Select(static parameter => Canonical.Value(parameter.Value))));
    }

    private static void Direct(DbParameterCollection parameters)
    {
        (string, ParameterDirection)[] directions = [("a", ParameterDirection.Input), ("b", ParameterDirection.Output), ("c", ParameterDirection.InputOutput)];
        for (var i = 0; i < parameters.Count; i++)
            (parameters[i].ParameterName, parameters[i].Direction) = directions[i];
    }

    private async Task Execute(DbCommand command, CommandStep step, Lease lease)
    {
        switch (step.Verb)
        {
            case Verb.NonQuery:
                Record("changed " + Canonical.Value(step.Async ? await command.ExecuteNonQueryAsync() : command.ExecuteNonQuery()));
                break;
            case Verb.Scalar:
                Record("scalar " + Canonical.Value(step.Async ? await command.ExecuteScalarAsync() : command.ExecuteScalar()));
                break;
            default:
                var reader = step.Async ? await command.ExecuteReaderAsync(step.Read.Behavior) : command.ExecuteReader(step.Read.Behavior);
                await new Walk(step.Read, step.Async, isAgainstPeer, Record).Through(reader, command, lease);
                break;
        }
    }

    private async Task Batch(Lease lease, BatchStep step)
    {
        await using var batch = lease.Connection.CreateBatch();
        batch.Transaction = lease.Transaction;
        await FillAsync(batch, step);
        try
        {
            switch (step.Verb)
            {
                case Verb.NonQuery:
                    Record("changed " + Canonical.Value(step.Async ? await batch.ExecuteNonQueryAsync() : batch.ExecuteNonQuery()));
                    break;
                case Verb.Scalar:
                    Record("scalar " + Canonical.Value(step.Async ? await batch.ExecuteScalarAsync() : batch.ExecuteScalar()));
                    break;
                default:
                    var reader = step.Async ? await batch.ExecuteReaderAsync(step.Read.Behavior) : batch.ExecuteReader(step.Read.Behavior);
                    await new Walk(step.Read, step.Async, isAgainstPeer, Record).Through(reader, batch, lease);
                    break;
            }
        }
        catch (DbException exception) when (exception.BatchCommand is { } refused && !isAgainstPeer)
        {
            Record("refused command " + Canonical.Value(batch.BatchCommands.IndexOf(refused)));
            Refusals.Reported(exception, batch.BatchCommands.IndexOf(refused));
            throw;
        }
        finally
        {
            if (!side.Driver.IsPeer && !isAgainstPeer)
                Record("each " + string.Join(", ", batch.BatchCommands.Select(static command => command.RecordsAffected)));
        }
    }

    private async Task FillAsync(DbBatch batch, BatchStep step)
    {
        foreach (var text in step.Commands)
        {
            var command = batch.CreateBatchCommand();
            command.CommandText = text.Sql;
            AddTo(command.Parameters, command.CreateParameter, text);
            batch.BatchCommands.Add(command);
        }

        if (step.Prepares)
        {
            if (step.Async)
                await batch.PrepareAsync();
            else
                batch.Prepare();
        }

        if (step.HasBarriers || step.BarrierAfter >= 0)
            side.Driver.SetBarriers(batch, step.HasBarriers, step.BarrierAfter < step.Commands.Length ? step.BarrierAfter : -1);
    }

    private void AddTo(DbParameterCollection parameters, Func<DbParameter> create, Text text)
    {
        for (var i = 0; i < text.Args.Length; i++)
        {
            var parameter = create();
            parameter.ParameterName = string.Create(CultureInfo.InvariantCulture, $"@p{i}");
            parameter.Value = text.Args[i].Value(side.Driver.IsPeer);
            if (text.Args[i].TypeName is { Length: > 0 } type)
                side.Driver.SetTypeName(parameter, type);
            parameters.Add(parameter);
        }
    }

    private async Task Transaction(Lease lease, TransactionStep step)
    {
        if (step.Verb == TransactionVerb.Begin)
        {
            lease.Transaction = step.Async ? await lease.Connection.BeginTransactionAsync(step.Level) : lease.Connection.BeginTransaction(step.Level);
            return;
        }

        var transaction = lease.Transaction ?? throw new InvalidOperationException("the program has no transaction here");
        if (step.Verb is TransactionVerb.Commit or TransactionVerb.Rollback or TransactionVerb.Dispose)
            lease.Transaction = null;
        // Peers differ in whether a transaction whose commit failed stays usable, so it is disposed.
        using var ended = isAgainstPeer && lease.Transaction is null ? transaction : null;
        switch (step.Verb, step.Async)
        {
            case (TransactionVerb.Commit, true): await transaction.CommitAsync(); break;
            case (TransactionVerb.Commit, false): transaction.Commit(); break;
            case (TransactionVerb.Rollback, true): await transaction.RollbackAsync(); break;
            case (TransactionVerb.Rollback, false): transaction.Rollback(); break;
            case (TransactionVerb.Dispose, true): await transaction.DisposeAsync(); break;
            case (TransactionVerb.Dispose, false): transaction.Dispose(); break;
            case (TransactionVerb.Save, true): await transaction.SaveAsync(step.Name); break;
            case (TransactionVerb.Save, false): transaction.Save(step.Name); break;
            case (TransactionVerb.RollbackTo, true): await transaction.RollbackAsync(step.Name); break;
            case (TransactionVerb.RollbackTo, false): transaction.Rollback(step.Name); break;
            case (TransactionVerb.Release, true): await transaction.ReleaseAsync(step.Name); break;
            case (TransactionVerb.Release, false): transaction.Release(step.Name); break;
        }
    }

    private async Task Try(Func<Task> action)
    {
        try
        {
            await action();
        }
        catch (Exception exception)
        {
            Refusals.Reported(exception);
            Record("error " + (isAgainstPeer ? Canonical.ErrorOfAny(side.Driver, exception) : Canonical.Error(side.Driver, exception)));
        }
    }

    private void Record(string text) => _trace.Add(_step, text);
}

/// <summary>A user's connection, and its transaction object.</summary>
internal sealed class Lease(DbConnection connection)
{
    public DbConnection Connection => connection;

    public DbTransaction? Transaction { get; set; }

    /// <summary>Gets what has happened in the lease.</summary>
    public LeaseHistory History { get; init; } = new();

    /// <summary>Gets the notifications that have arrived since they were last recorded.</summary>
    public List<string> Heard { get; } = [];

    /// <summary>Gets whether the lease listens to notifications.</summary>
    public bool MayBeNotified { get; init; }
}
