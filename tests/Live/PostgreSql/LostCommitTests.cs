using Slipstream.Contract;
using Slipstream.Core.Errors;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>A connection that is lost during COMMIT: the driver asks the server what became of the transaction. A deferred trigger holds the COMMIT.</summary>
public class LostCommitTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<bool, bool> Ways => new() { { false, false }, { false, true }, { true, false }, { true, true } };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_transaction_whose_answer_was_lost_is_committed(bool isNewest, bool asynchronous)
    {
        await using var held = await HeldCommit.CreateAsync(isNewest, asynchronous, seconds: 30);
        var commit = await held.CommitAsync(held.Transaction);
        held.Proxy.CutAll();
        await held.ReleaseAsync();
        var lost = await Assert.ThrowsAsync<PgException>(() => commit);
        Assert.Equal((PgCommitOutcome.Committed, RetrySafety.NotApplicable, false), (lost.CommitOutcome, lost.RetrySafety, lost.IsTransient));
        Assert.Equal((ErrorKind.ConnectionLost, System.Data.ConnectionState.Closed), (lost.Kind, held.Connection.State));
        Assert.IsType<PgException>(lost.InnerException);
        Assert.Equal(1L, await held.CountAsync());
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_transaction_that_the_server_refused_meanwhile_is_rolled_back(bool isNewest, bool asynchronous)
    {
        await using var held = await HeldCommit.CreateAsync(isNewest, asynchronous, seconds: 30, refuses: true);
        var commit = await held.CommitAsync(held.Transaction);
        held.Proxy.CutAll();
        await held.ReleaseAsync();
        var lost = await Assert.ThrowsAsync<PgException>(() => commit);
        Assert.Equal((PgCommitOutcome.RolledBack, RetrySafety.RolledBack, true), (lost.CommitOutcome, lost.RetrySafety, lost.IsTransient));
        Assert.Equal(0L, await held.CountAsync());
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_transaction_of_a_session_that_was_ended_is_rolled_back(bool isNewest, bool asynchronous)
    {
        await using var held = await HeldCommit.CreateAsync(isNewest, asynchronous, seconds: 30);
        var commit = await held.CommitAsync(held.Transaction);
        await held.TerminateAsync();
        var lost = await Assert.ThrowsAsync<PgException>(() => commit);
        Assert.Equal((PgCommitOutcome.RolledBack, "57P01", true), (lost.CommitOutcome, lost.SqlState, lost.IsTransient));
        await held.ReleaseAsync();
        Assert.Equal(0L, await held.CountAsync());
    }

    // The server's own error says why the session ended, and the COMMIT was not sent.
    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_transaction_of_a_session_that_was_ended_before_the_commit_is_rolled_back(bool isNewest, bool asynchronous)
    {
        await using var held = await HeldCommit.CreateAsync(isNewest, asynchronous, seconds: 30);
        await held.TerminateAsync();
        var lost = await Assert.ThrowsAsync<PgException>(() => held.Mode.Commit(held.Transaction));
        Assert.Equal((PgCommitOutcome.RolledBack, RetrySafety.RolledBack, true), (lost.CommitOutcome, lost.RetrySafety, lost.IsTransient));
        await held.ReleaseAsync();
        Assert.Equal(0L, await held.CountAsync());
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_commit_that_the_server_still_executes_is_in_progress(bool isNewest, bool asynchronous)
    {
        await using var held = await HeldCommit.CreateAsync(isNewest, asynchronous, seconds: 1);
        var commit = await held.CommitAsync(held.Transaction);
        held.Proxy.CutAll();
        var lost = await Assert.ThrowsAsync<PgException>(() => commit);
        Assert.Equal((PgCommitOutcome.InProgress, RetrySafety.Unknown, false), (lost.CommitOutcome, lost.RetrySafety, lost.IsTransient));
        await held.ReleaseAsync();
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_commit_that_was_not_sent_is_rolled_back(bool isNewest, bool asynchronous)
    {
        await using var held = await HeldCommit.CreateAsync(isNewest, asynchronous, seconds: 30);
        held.Proxy.Stalled = true;
        var commit = Task.Run(() => held.Mode.Commit(held.Transaction), Token);
        // The question before the COMMIT waits in the proxy, or has not been sent yet: the COMMIT follows its answer.
        held.Proxy.CutAll();
        held.Proxy.Stalled = false;
        var lost = await Assert.ThrowsAsync<PgException>(() => commit);
        Assert.Equal((PgCommitOutcome.RolledBack, true), (lost.CommitOutcome, lost.IsTransient));
        await held.ReleaseAsync();
        Assert.Equal(0L, await held.CountAsync());
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Another_server_does_not_know_the_outcome(bool isNewest, bool asynchronous)
    {
        await using var held = await HeldCommit.CreateAsync(isNewest, asynchronous, seconds: 2, hasOther: true);
        var commit = await held.CommitAsync(held.Transaction);
        await held.Proxy.DisposeAsync();
        await held.ReleaseAsync();
        var lost = await Assert.ThrowsAsync<PgException>(() => commit);
        Assert.Equal((PgCommitOutcome.Unknown, RetrySafety.Unknown, false), (lost.CommitOutcome, lost.RetrySafety, lost.IsTransient));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Without_the_option_nothing_is_asked(bool asynchronous)
    {
        await using var held = await HeldCommit.CreateAsync(isNewest: false, asynchronous, seconds: 0);
        var commit = await held.CommitAsync(held.Transaction);
        held.Proxy.CutAll();
        var lost = await Assert.ThrowsAsync<PgException>(() => commit);
        Assert.Equal((null, RetrySafety.Unknown, true), (lost.CommitOutcome, lost.RetrySafety, lost.IsTransient));
        await held.ReleaseAsync();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Commits_that_succeed_or_are_refused_are_as_without_the_option(bool asynchronous)
    {
        var mode = asynchronous ? Mode.Async : Mode.Sync;
        await using var source = PgDataSource.Create(
            ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql), "Commit Status Timeout=5"));
        await using var connection = source.CreateConnection();
        await mode.Open(connection);
        for (var round = 0; round < 5; round++)
        {
            await mode.Commit(await mode.Begin(connection));
            var transaction = await mode.Begin(connection);
            await using (var command = new PgCommand("SELECT 1", connection))
                Assert.Equal(1, await mode.Scalar(command));
            await mode.Commit(transaction);
            Assert.Null(transaction.Connection);
            transaction = await mode.Begin(connection);
            await using (var command = new PgCommand(
                "CREATE TEMPORARY TABLE told (a int UNIQUE DEFERRABLE INITIALLY DEFERRED); INSERT INTO told VALUES (1), (1)", connection))
            {
                await mode.NonQuery(command);
            }

            var refused = await Assert.ThrowsAsync<PgException>(() => mode.Commit(transaction));
            Assert.Equal(("23505", null), (refused.SqlState, refused.CommitOutcome));
            await mode.Rollback(transaction);
            transaction = await mode.Begin(connection);
            await using (var command = new PgCommand("SELECT 1 / 0", connection))
                await Assert.ThrowsAsync<PgException>(() => mode.Scalar(command));
            refused = await Assert.ThrowsAsync<PgException>(() => mode.Commit(transaction));
            Assert.Equal(("25P02", null), (refused.SqlState, refused.CommitOutcome));
        }
    }

    /// <summary>A transaction whose COMMIT waits for an advisory lock.</summary>
    private sealed class HeldCommit : IAsyncDisposable
    {
        private static int _lastKey = 48_300;

        private readonly int _key = Interlocked.Increment(ref _lastKey);
        private PgConnection _keeper = null!;
        private PgDataSource _source = null!;

        public LabProxy Proxy { get; private set; } = null!;

        public PgConnection Connection { get; private set; } = null!;

        public PgTransaction Transaction { get; private set; } = null!;

        public Mode Mode { get; private set; } = null!;

        private string Table => $"held_commit_{_key}";

        public static async Task<HeldCommit> CreateAsync(bool isNewest, bool asynchronous, int seconds, bool refuses = false, bool hasOther = false)
        {
            var held = new HeldCommit { Mode = asynchronous ? Mode.Async : Mode.Sync };
            var server = await LiveServers.GetAsync(isNewest ? ServerKind.PostgreSql18 : ServerKind.PostgreSql);
            held._keeper = new PgConnection(ConnectionStrings.PostgreSql(server, "Pooling=false"));
            await held._keeper.OpenAsync(Token);
            await held.KeeperAsync($"""
                DROP TABLE IF EXISTS {held.Table};
                CREATE TABLE {held.Table} (a int);
                CREATE OR REPLACE FUNCTION {held.Table}() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    PERFORM pg_advisory_xact_lock({held._key});
                    IF {refuses} THEN RAISE EXCEPTION 'refused'; END IF;
                    RETURN NULL;
                END $$;
                CREATE CONSTRAINT TRIGGER held AFTER INSERT ON {held.Table} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION {held.Table}();
                SELECT pg_advisory_lock({held._key})
                """);
            held.Proxy = LabProxy.Start(server.Host, server.Port);
            var hosts = $"Host={held.Proxy.Host}:{held.Proxy.Port}";
            if (hasOther)
            {
                var other = await LiveServers.GetAsync(isNewest ? ServerKind.PostgreSql : ServerKind.PostgreSql18);
                hosts += $",{other.Host}:{other.Port}";
            }

            held._source = PgDataSource.Create(ConnectionStrings.PostgreSql(server, $"{hosts};Commit Status Timeout={seconds}"));
            held.Connection = await held._source.OpenConnectionAsync(Token);
            held.Transaction = (PgTransaction)await held.Mode.Begin(held.Connection);
            await using var insert = new PgCommand($"INSERT INTO {held.Table} VALUES (1)", held.Connection);
            await held.Mode.NonQuery(insert);
            return held;
        }

        /// <summary>Begins the commit, and waits until the server executes it.</summary>
        public async Task<Task> CommitAsync(PgTransaction transaction)
        {
            var pid = Connection.ProcessID;
            var commit = Task.Run(() => Mode.Commit(transaction), Token);
            await Eventually.TrueAsync(async () => await KeeperAsync($"SELECT count(*) FROM pg_locks WHERE pid = {pid} AND locktype = 'advisory'") is 1L);
            return commit;
        }

        public Task<object?> ReleaseAsync() => KeeperAsync($"SELECT pg_advisory_unlock({_key})");

        public Task<object?> TerminateAsync() => KeeperAsync($"SELECT pg_terminate_backend({Connection.ProcessID})");

        public async Task<object?> CountAsync() => await KeeperAsync($"SELECT count(*) FROM {Table}");

        public async ValueTask DisposeAsync()
        {
            await Connection.DisposeAsync();
            await _source.DisposeAsync();
            await Proxy.DisposeAsync();
            await KeeperAsync($"DROP TABLE {Table}; DROP FUNCTION {Table}()");
            await _keeper.DisposeAsync();
        }

        private async Task<object?> KeeperAsync(string sql)
        {
            await using var command = new PgCommand(sql, _keeper);
            return await command.ExecuteScalarAsync(Token);
        }
    }
}
