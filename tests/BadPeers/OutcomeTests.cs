using System.Data.Common;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>What an exception reports about the work whose server was lost, or has refused it: never more than the client can know.</summary>
[Collection("Outcomes")]
public sealed class OutcomeTests
{
    private const string Update = "UPDATE t SET a = 1";

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<string, bool, int, string, RetrySafety> Cuts
    {
        get
        {
            TheoryData<string, bool, int, string, RetrySafety> data = [];
            foreach (var (provider, asynchronously) in Statements.Providers.Select(static row => row.Data))
            {
                // The first and the second command of the transaction, with its BEGIN and after it; and its ends.
                data.Add(provider, asynchronously, 1, "UPDATE", RetrySafety.RolledBack);
                data.Add(provider, asynchronously, 2, "UPDATE", RetrySafety.RolledBack);
                data.Add(provider, asynchronously, 1, "COMMIT", RetrySafety.Unknown);
                data.Add(provider, asynchronously, 1, "ROLLBACK", RetrySafety.RolledBack);
                data.Add(provider, asynchronously, 1, "SAVEPOINT", RetrySafety.RolledBack);
            }

            return data;
        }
    }

    [Theory, MemberData(nameof(Cuts))]
    public async Task A_transaction_is_rolled_back_if_its_server_is_lost_before_the_commit(
        string provider, bool asynchronously, int occurrence, string statement, RetrySafety safety)
    {
        var peers = Statements.Of(provider);
        var seen = 0;
        peers.Script = (_, sql) => sql.StartsWith(statement, StringComparison.Ordinal) && ++seen == occurrence ? Reply.Cut : Reply.Success;
        Assert.Equal(safety, await FailsInTransaction(peers, asynchronously, async (connection, transaction) =>
        {
            await Execute(connection, transaction, Update, asynchronously);
            await Execute(connection, transaction, Update, asynchronously);
            if (statement == "SAVEPOINT")
                await (asynchronously ? transaction.SaveAsync("here", Token) : Task.Run(() => transaction.Save("here"), Token));
            if (statement == "ROLLBACK")
                await (asynchronously ? transaction.RollbackAsync(Token) : Task.Run(transaction.Rollback, Token));
        }));
    }

    // What may commit makes the outcome of everything after it unknown, too.
    [Theory]
    [InlineData("MySQL", "CREATE TABLE u (a INT)")]
    [InlineData("MySQL", "CALL p()")]
    [InlineData("MySQL", "UPDATE t SET a = 1; COMMIT")]
    [InlineData("MySQL", "SET autocommit = 1")]
    [InlineData("MySQL", "UPDATE t SET a = 1 /*! ; COMMIT */")]
    [InlineData("MySQL", "COMMIT")]
    [InlineData("MySQL", "EXECUTE s")]
    [InlineData("PostgreSQL", "CALL p()")]
    [InlineData("PostgreSQL", "DO 'BEGIN COMMIT; END'")]
    [InlineData("PostgreSQL", "UPDATE t SET a = 1; COMMIT")]
    [InlineData("PostgreSQL", "PREPARE TRANSACTION 'a'")]
    public async Task A_statement_that_may_commit_leaves_the_outcome_unknown(string provider, string statement)
    {
        foreach (var (asynchronously, isLostLater) in new[] { (false, false), (true, false), (false, true), (true, true) })
        {
            var peers = Statements.Of(provider);
            peers.Script = (_, sql) => (isLostLater ? sql == "SELECT 7" : statement.EndsWith(sql, StringComparison.Ordinal)) ? Reply.Cut : Reply.Success;
            var safety = await FailsInTransaction(peers, asynchronously, async (connection, transaction) =>
            {
                await Execute(connection, transaction, "SELECT 1", asynchronously);
                await Execute(connection, transaction, statement, asynchronously);
                var hasEnded = statement.EndsWith("COMMIT", StringComparison.Ordinal) && provider != "MySQL";
                await Execute(connection, hasEnded ? null : transaction, "SELECT 7", asynchronously);
            });
            Assert.Equal(RetrySafety.Unknown, safety);
        }
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_command_outside_of_a_transaction_has_an_unknown_outcome(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        peers.Script = static (_, sql) => sql == Update ? Reply.Cut : Reply.Success;
        Assert.Equal(RetrySafety.Unknown, await Fails(peers, connection => Execute(connection, null, Update, asynchronously)));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_transaction_that_a_text_has_begun_has_an_unknown_outcome(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        peers.Script = static (_, sql) => sql == Update ? Reply.Cut : Reply.Success;
        Assert.Equal(RetrySafety.Unknown, await Fails(peers, async connection =>
        {
            await Execute(connection, null, "BEGIN", asynchronously);
            await Execute(connection, null, Update, asynchronously);
        }));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_deadlock_rolls_the_transaction_back(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        peers.Script = (_, sql) => sql == Update ? peers.Deadlock : Reply.Success;
        Assert.Equal(
            RetrySafety.RolledBack, await FailsInTransaction(peers, asynchronously, (connection, transaction) =>
                Execute(connection, transaction, Update, asynchronously)));
        Assert.Equal(RetrySafety.RolledBack, await Fails(peers, connection => Execute(connection, null, Update, asynchronously)));
    }

    // The BEGIN is sent with the next command then.
    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_command_after_one_that_could_not_be_encoded_is_still_rolled_back_with_its_transaction(string provider, bool asynchronously)
    {
        foreach (var isLost in new[] { false, true })
        {
            var peers = Statements.Of(provider);
            peers.Script = (_, sql) => sql == Update ? isLost ? Reply.Cut : peers.Deadlock : Reply.Success;
            Assert.Equal(RetrySafety.RolledBack, await FailsInTransaction(peers, asynchronously, async (connection, transaction) =>
            {
                await CannotBeEncoded("SELECT @p", provider, connection, transaction, asynchronously);
                await Execute(connection, transaction, Update, asynchronously);
            }));
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_text_that_could_not_be_encoded_has_not_committed(bool asynchronously)
    {
        var peers = Statements.Of("PostgreSQL");
        peers.Script = (_, sql) => sql == Update ? Reply.Cut : Reply.Success;
        Assert.Equal(RetrySafety.RolledBack, await FailsInTransaction(peers, asynchronously, async (connection, transaction) =>
        {
            await CannotBeEncoded("COMMIT; SELECT @p", "PostgreSQL", connection, transaction, asynchronously);
            await Execute(connection, transaction, Update, asynchronously);
        }));
    }

    private static async Task CannotBeEncoded(string sql, string provider, DbConnection connection, DbTransaction transaction, bool asynchronously)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = sql;
        command.Transaction = transaction;
        var value = command.CreateParameter();
        (value.ParameterName, value.Value) = ("p", provider == "MySQL" ? new Version(1, 2) : "\uD801");
        command.Parameters.Add(value);
        var refused = await Record.ExceptionAsync(async () => _ = asynchronously ? await command.ExecuteNonQueryAsync(Token) : command.ExecuteNonQuery());
        Assert.True(refused is ArgumentException or NotSupportedException, $"{refused}");
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_deadlock_in_a_later_statement_of_a_text_may_leave_the_earlier_ones(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        peers.Script = (_, sql) => sql == Update ? peers.Deadlock : Reply.Success;
        var safety = await Fails(peers, connection => Execute(connection, null, "SELECT 1; " + Update, asynchronously));
        // PostgreSQL commits the statements of one command together.
        Assert.Equal(provider == "MySQL" ? RetrySafety.NotApplicable : RetrySafety.RolledBack, safety);
        Assert.Equal(RetrySafety.NotApplicable, await Fails(peers, connection => Execute(connection, null, "CALL p(); " + Update, asynchronously)));
    }

    [Theory, InlineData("DEALLOCATE ALL"), InlineData("CREATE TABLE u (a INT)"), InlineData("SET a = 1")]
    public async Task A_utility_statement_of_PostgreSQL_that_cannot_commit_leaves_the_outcome_known(string statement)
    {
        var peers = Statements.Of("PostgreSQL");
        peers.Script = (_, sql) => sql == Update ? peers.Deadlock : Reply.Success;
        Assert.Equal(RetrySafety.RolledBack, await FailsInTransaction(peers, true, async (connection, transaction) =>
        {
            await Execute(connection, transaction, statement, true);
            await Execute(connection, transaction, Update, true);
        }));
    }

    // The transaction can continue from there.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_deadlock_after_a_savepoint_does_not_end_a_transaction_of_PostgreSQL(bool asynchronously)
    {
        var peers = Statements.Of("PostgreSQL");
        peers.Script = (_, sql) => sql == Update ? peers.Deadlock : Reply.Success;
        Assert.Equal(RetrySafety.NotApplicable, await FailsInTransaction(peers, asynchronously, async (connection, transaction) =>
        {
            await Execute(connection, transaction, "SELECT 1", asynchronously);
            transaction.Save("here");
            await Execute(connection, transaction, Update, asynchronously);
        }));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_deadlock_at_the_commit_rolls_the_transaction_back(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        peers.Script = (_, sql) => sql == "COMMIT" ? peers.Deadlock : Reply.Success;
        Assert.Equal(
            RetrySafety.RolledBack, await FailsInTransaction(peers, asynchronously, (connection, transaction) =>
                Execute(connection, transaction, Update, asynchronously)));
    }

    // The server may have rolled everything back (innodb_rollback_on_timeout): what follows would be committed by itself.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_command_after_a_lock_timeout_has_an_unknown_outcome_on_MySQL(bool asynchronously)
    {
        var peers = Statements.Of("MySQL");
        peers.Script = static (_, sql) => sql == Update ? new("1205") : sql == "SELECT 7" ? Reply.Cut : Reply.Success;
        Assert.Equal(RetrySafety.Unknown, await FailsInTransaction(peers, asynchronously, async (connection, transaction) =>
        {
            await Execute(connection, transaction, "SELECT 1", asynchronously);
            await Assert.ThrowsAsync<MySqlException>(() => Execute(connection, transaction, Update, asynchronously));
            await Execute(connection, transaction, "SELECT 7", asynchronously);
        }));
    }

    // A procedure may have committed before.
    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_server_that_ends_the_session_leaves_a_command_outside_of_a_transaction_unknown(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        peers.Script = (_, sql) => sql == "CALL p()" ? new(provider == "MySQL" ? "1927" : "57P01", "stopped", Closes: true) : Reply.Success;
        Assert.Equal(RetrySafety.Unknown, await Fails(peers, connection => Execute(connection, null, "CALL p()", asynchronously)));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_server_that_ends_the_session_rolls_the_transaction_back(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        peers.Script = (_, sql) => sql == Update ? new(provider == "MySQL" ? "1927" : "57P01", "stopped", Closes: true) : Reply.Success;
        var safety = await FailsInTransaction(peers, asynchronously, async (connection, transaction) =>
        {
            await Execute(connection, transaction, "SELECT 1", asynchronously);
            await Execute(connection, transaction, Update, asynchronously);
        });
        Assert.Equal(RetrySafety.RolledBack, safety);
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_refused_write_on_a_replica_has_not_run(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        peers.Script = (_, sql) => sql == Update ? peers.NotPrimary : Reply.Success;
        Assert.Equal(RetrySafety.NotSent, await Fails(peers, connection => Execute(connection, null, Update, asynchronously)));
        Assert.Equal(
            provider == "MySQL" ? RetrySafety.NotApplicable : RetrySafety.RolledBack,
            await Fails(peers, connection => Execute(connection, null, "SELECT 1; " + Update, asynchronously)));
        // In MySQL, the transaction is still open, without the refused statement.
        Assert.Equal(
            provider == "MySQL" ? RetrySafety.NotSent : RetrySafety.RolledBack,
            await FailsInTransaction(peers, asynchronously, (connection, transaction) => Execute(connection, transaction, Update, asynchronously)));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_batch_that_a_replica_refuses_is_rolled_back_only_if_it_is_one_transaction(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        peers.Script = (_, sql) => sql == Update ? peers.NotPrimary : Reply.Success;
        Assert.Equal(provider == "MySQL" ? RetrySafety.NotApplicable : RetrySafety.RolledBack, await Fails(peers, async connection =>
        {
            await using var batch = connection.CreateBatch();
            foreach (var text in new[] { "DELETE FROM t", Update })
            {
                var command = batch.CreateBatchCommand();
                command.CommandText = text;
                batch.BatchCommands.Add(command);
            }

            _ = asynchronously ? await batch.ExecuteNonQueryAsync(Token) : batch.ExecuteNonQuery();
        }));
    }

    [Fact]
    public async Task A_commit_that_a_replica_of_MySQL_refuses_is_rolled_back()
    {
        var peers = Statements.Of("MySQL");
        peers.Script = (_, sql) => sql == "COMMIT" ? peers.NotPrimary : Reply.Success;
        Assert.Equal(
            RetrySafety.RolledBack, await FailsInTransaction(peers, true, static (connection, transaction) => Execute(connection, transaction, Update, true)));
    }

    [Theory]
    [InlineData("SAVEPOINT a", RetrySafety.RolledBack), InlineData("ROLLBACK TO SAVEPOINT a", RetrySafety.RolledBack)]
    [InlineData("rollback to a", RetrySafety.RolledBack), InlineData("RELEASE SAVEPOINT a", RetrySafety.RolledBack)]
    [InlineData("ROLLBACK TO a; COMMIT", RetrySafety.Unknown), InlineData("ROLLBACK /*! RELEASE */", RetrySafety.Unknown)]
    [InlineData("SAVEPOINT a /*!; COMMIT */", RetrySafety.Unknown), InlineData("ROLLBACK", RetrySafety.Unknown)]
    public async Task A_statement_about_a_savepoint_of_MySQL_does_not_commit(string statement, RetrySafety safety)
    {
        var peers = Statements.Of("MySQL");
        peers.Script = static (_, sql) => sql == Update ? Reply.Cut : Reply.Success;
        Assert.Equal(safety, await FailsInTransaction(peers, true, async (connection, transaction) =>
        {
            await Execute(connection, transaction, "SELECT 1", true);
            await Execute(connection, transaction, statement, true);
            await Execute(connection, transaction, Update, true);
        }));
    }

    // A member that leaves its group gives this answer to commits that wait for the others, who may have received the transaction.
    [Fact]
    public async Task A_commit_that_Group_Replication_ends_has_an_unknown_outcome()
    {
        var peers = Statements.Of("MySQL");
        peers.Script = static (_, sql) => sql == "COMMIT"
            ? new("3101", "Plugin instructed the server to rollback the current transaction.") : Reply.Success;
        Assert.Equal(
            RetrySafety.Unknown, await FailsInTransaction(peers, true, static (connection, transaction) => Execute(connection, transaction, Update, true)));
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_time_out_that_ends_the_session_rolls_the_transaction_back(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        using var silence = new ManualResetEventSlim();
        peers.Script = (_, sql) =>
        {
            if (sql == Update)
                silence.Wait(Client.Deadline);
            return Reply.Cut with { Closes = sql == Update };
        };
        var options = provider == "MySQL" ? "Default Command Timeout=1;Cancellation Timeout=-1" : "Command Timeout=1;Cancellation Timeout=-1";
        var safety = await FailsInTransaction(
            peers, asynchronously, (connection, transaction) => Execute(connection, transaction, Update, asynchronously), options);
        silence.Set();
        Assert.Equal(RetrySafety.RolledBack, safety);
    }

    [Theory, MemberData(nameof(Statements.Providers), MemberType = typeof(Statements))]
    public async Task A_command_behind_a_reset_that_ends_the_session_has_not_run_if_the_server_says_so(string provider, bool asynchronously)
    {
        var peers = Statements.Of(provider);
        peers.Script = (_, sql) => sql is "RESET" or "DISCARD ALL" ? new(provider == "MySQL" ? "1053" : "57P01", "stopping", Closes: true) : Reply.Success;
        using var server = peers.Start();
        await using var source = peers.Connect(server);
        await using (var first = await source.OpenConnectionAsync(Token))
            await Execute(first, null, "SET a = 1", asynchronously);
        var failure = await Assert.ThrowsAnyAsync<DbException>(async () =>
        {
            await using var connection = await source.OpenConnectionAsync(Token);
            await Execute(connection, null, Update, asynchronously);
        });
        // A server of MySQL goes on after an error.
        Assert.Equal(provider == "MySQL" ? RetrySafety.Unknown : RetrySafety.NotSent, SafetyOf(failure));
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_command_behind_a_refused_reset_may_have_run_on_PostgreSQL(bool asynchronously)
    {
        var peers = Statements.Of("PostgreSQL");
        peers.Script = static (_, sql) => sql == "DISCARD ALL" ? new("42501") : Reply.Success;
        using var server = peers.Start();
        await using var source = peers.Connect(server);
        await using (var first = await source.OpenConnectionAsync(Token))
            await Execute(first, null, "SET a = 1", asynchronously);
        await using var connection = await source.OpenConnectionAsync(Token);
        var failure = await Assert.ThrowsAsync<PgException>(() => Execute(connection, null, Update, asynchronously));
        Assert.Equal(RetrySafety.Unknown, failure.RetrySafety);
        Assert.Contains("may have run without it", failure.Message);
        // The server reads on after its refusal.
        await Testing.Eventually.TrueAsync(() => peers.Received.Contains($"0: {Update}"));
    }

    // Without pipelining, the command waits for the answer to the reset.
    [Theory]
    [InlineData(false, "1047", false), InlineData(true, "1047", false), InlineData(false, null, true), InlineData(true, null, true)]
    public async Task A_command_behind_a_reset_that_is_sent_alone_has_not_run(bool asynchronously, string? code, bool closes)
    {
        var peers = Statements.Of("MySQL");
        peers.Script = (_, sql) => sql == "RESET" ? new(code, Closes: closes) : Reply.Success;
        using var server = peers.Start();
        await using var source = peers.Connect(server, "Pipelining Mode=Off");
        await using (var first = await source.OpenConnectionAsync(Token))
            await Execute(first, null, "SET a = 1", asynchronously);
        await using var connection = await source.OpenConnectionAsync(Token);
        var failure = await Assert.ThrowsAsync<MySqlException>(() => Execute(connection, null, Update, asynchronously));
        Assert.Equal(RetrySafety.NotSent, failure.RetrySafety);
        Assert.DoesNotContain($"0: {Update}", peers.Received);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_command_behind_a_refused_BEGIN_has_not_run_on_PostgreSQL(bool asynchronously)
    {
        var peers = Statements.Of("PostgreSQL");
        peers.Script = static (_, sql) => sql.StartsWith("BEGIN", StringComparison.Ordinal) ? new("53200") : Reply.Success;
        Assert.Equal(
            RetrySafety.NotSent, await FailsInTransaction(peers, asynchronously, (connection, transaction) =>
                Execute(connection, transaction, Update, asynchronously)));
    }

    internal static RetrySafety SafetyOf(Exception exception) => exception switch
    {
        MySqlException failure => failure.RetrySafety,
        PgException failure => failure.RetrySafety,
        _ => throw new InvalidOperationException("Another exception was expected.", exception),
    };

    internal static async Task Execute(DbConnection connection, DbTransaction? transaction, string sql, bool asynchronously)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = sql;
        command.Transaction = transaction;
        _ = asynchronously ? await command.ExecuteNonQueryAsync(Token) : await Task.Run(command.ExecuteNonQuery, Token);
    }

    private static Task<RetrySafety> FailsInTransaction(
        Statements peers, bool asynchronously, Func<DbConnection, DbTransaction, Task> work, string options = "") =>
        Fails(peers, async connection =>
        {
            var transaction = asynchronously ? await connection.BeginTransactionAsync(Token) : connection.BeginTransaction();
            await work(connection, transaction);
            await (asynchronously ? transaction.CommitAsync(Token) : Task.Run(transaction.Commit, Token));
        }, options);

    private static async Task<RetrySafety> Fails(Statements peers, Func<DbConnection, Task> work, string options = "")
    {
        using var server = peers.Start();
        await using var source = peers.Connect(server, options);
        await using var connection = source.CreateConnection();
        await connection.OpenAsync(Token);
        return SafetyOf(await Assert.ThrowsAnyAsync<DbException>(() => work(connection)));
    }
}
