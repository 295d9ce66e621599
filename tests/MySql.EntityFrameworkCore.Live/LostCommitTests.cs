using System.Data.Common;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Slipstream.Core.Errors;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>A connection that is lost while a transaction is committed, so that its outcome is not known.</summary>
public class LostCommitTests
{
    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    public static TheoryData<ServerKind, bool, bool> Ways
    {
        get
        {
            TheoryData<ServerKind, bool, bool> rows = [];
            foreach (var kind in Servers.Kinds.Select(static row => row.Data))
                foreach (var isCommitted in (bool[])[false, true])
                    foreach (var isAsync in (bool[])[false, true])
                        rows.Add(kind, isCommitted, isAsync);
            return rows;
        }
    }

    [Theory, MemberData(nameof(Ways))]
    public Task The_application_is_asked_and_work_that_was_not_done_is_repeated(ServerKind kind, bool isCommitted, bool isAsync)
    {
        var loss = new Loss(isCommitted);
        return WithAsync(kind, loss, async create =>
        {
            await using var context = create();
            context.Add(new Note { Text = "once" });
            var (tries, questions) = (0, 0);
            if (isAsync)
                await context.Database.CreateExecutionStrategy().ExecuteInTransactionAsync(
                    async token =>
                    {
                        tries++;
                        await context.SaveChangesAsync(false, token);
                    },
                    token =>
                    {
                        questions++;
                        return context.Set<Note>().AsNoTracking().AnyAsync(token);
                    },
                    Stop);
            else
                context.Database.CreateExecutionStrategy().ExecuteInTransaction(
                    () =>
                    {
                        tries++;
                        context.SaveChanges(false);
                    },
                    () =>
                    {
                        questions++;
                        return context.Set<Note>().AsNoTracking().Any();
                    });
            Assert.True(loss.IsOver);
            Assert.Equal((isCommitted ? 1 : 2, 1), (tries, questions));
            Assert.Equal(1, await context.Set<Note>().CountAsync(Stop));
        });
    }

    [Theory, MemberData(nameof(Ways))]
    public Task Without_a_question_the_exception_reports_that_the_outcome_is_unknown(ServerKind kind, bool isCommitted, bool isAsync)
    {
        var loss = new Loss(isCommitted);
        return WithAsync(kind, loss, async create =>
        {
            await using var context = create();
            context.AddRange(new Note { Text = "once" }, new Other());
            var exception = await Assert.ThrowsAsync<MySqlException>(async () => _ = isAsync ? await context.SaveChangesAsync(Stop) : context.SaveChanges());
            Assert.Equal(RetrySafety.Unknown, exception.RetrySafety);
            Assert.Equal(isCommitted ? 1 : 0, await context.Set<Note>().CountAsync(Stop));
        });
    }

    private static Task WithAsync(ServerKind kind, Loss loss, Func<Func<Context>, Task> test) => Servers.WithDatabaseAsync(
        kind, static options => new Context(options), async create =>
        {
            loss.Begin();
            await test(create);
        },
        static options => options.EnableRetryOnFailure(2, TimeSpan.FromMilliseconds(1), null), loss);

    private sealed class Context(DbContextOptions options) : DbContext(options)
    {
        protected override void OnModelCreating(ModelBuilder modelBuilder)
        {
            modelBuilder.Entity<Note>();
            modelBuilder.Entity<Other>();
        }
    }

    private sealed class Note
    {
        public int Id { get; set; }

        public required string Text { get; set; }
    }

    private sealed class Other
    {
        public int Id { get; set; }
    }

    // Ends the session at the first COMMIT, or after it, before the driver sends its own.
    private sealed class Loss(bool isCommitted) : DbTransactionInterceptor
    {
        private bool _isAwaited;

        public bool IsOver { get; private set; }

        public void Begin() => _isAwaited = true;

        public override InterceptionResult TransactionCommitting(DbTransaction transaction, TransactionEventData eventData, InterceptionResult result)
        {
            Lose(transaction);
            return result;
        }

        public override ValueTask<InterceptionResult> TransactionCommittingAsync(
            DbTransaction transaction, TransactionEventData eventData, InterceptionResult result, CancellationToken cancellationToken = default)
        {
            Lose(transaction);
            return new(result);
        }

        private void Lose(DbTransaction transaction)
        {
            var connection = (MySqlConnection)transaction.Connection!;
            if (!_isAwaited)
                return;
            (_isAwaited, IsOver) = (false, true);
            if (isCommitted)
                Execute(connection, "COMMIT AND CHAIN", transaction);
            using var other = connection.CloneWith(connection.ConnectionString);
            other.Open();
            Execute(other, $"KILL {connection.ServerThread}");
        }

        private static void Execute(MySqlConnection connection, string sql, DbTransaction? transaction = null)
        {
            using var command = connection.CreateCommand();
            command.Transaction = (MySqlTransaction?)transaction;
            command.CommandText = sql;
            command.ExecuteNonQuery();
        }
    }
}
