using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.PostgreSql.Replication;
using Slipstream.PostgreSql.Replication.PgOutput;
using Slipstream.PostgreSql.Replication.PgOutput.Messages;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Tables, publications and connections for replication, each named after its test.</summary>
public abstract class ReplicationTestBase
{
    private static int _names;

    // A slot's name has small letters, digits and underscores.
    protected string Name { get; } = $"repl_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}";

    protected virtual ServerKind Kind => ServerKind.PostgreSql;

    protected static CancellationToken Token => TestContext.Current.CancellationToken;

    protected string Slot => Name;

    protected string Publication => Name + "_p";

    protected async Task<string> StringAsync(string options = "") => ConnectionStrings.PostgreSql(await LiveServers.GetAsync(Kind), options);

    protected async Task<LogicalReplicationConnection> OpenAsync(string options = "")
    {
        var connection = new LogicalReplicationConnection(await StringAsync(options));
        await connection.Open(Token);
        return connection;
    }

    protected Task SetupAsync(params string[] statements) => ExecuteAsync([.. statements, "CREATE PUBLICATION {0}_p FOR TABLE {0}"]);

    protected async Task ExecuteAsync(params string[] statements)
    {
        await using var connection = new PgConnection(await StringAsync());
        await connection.OpenAsync(Token);
        foreach (var statement in statements)
        {
            await using var command = new PgCommand(string.Format(null, statement, Name), connection);
            await command.ExecuteNonQueryAsync(Token);
        }
    }

    protected async Task<object?> ScalarAsync(string sql)
    {
        await using var connection = new PgConnection(await StringAsync());
        await connection.OpenAsync(Token);
        await using var command = new PgCommand(sql, connection);
        return await command.ExecuteScalarAsync(Token);
    }

    protected async Task UntilAsync(string condition)
    {
        for (var i = 0; await ScalarAsync(string.Format(null, condition, Name)) is not true; i++)
        {
            Assert.True(i < 600, $"not true in time: {condition}");
            await Task.Delay(100, Token);
        }
    }

    protected static async IAsyncEnumerable<T> Limited<T>(IAsyncEnumerable<T> messages)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(Token);
        limit.CancelAfter(TimeSpan.FromSeconds(90));
        await foreach (var message in messages.WithCancellation(limit.Token))
            yield return message;
    }

    protected static async Task<List<string>> CollectAsync(
        LogicalReplicationConnection connection, PgOutputReplicationSlot slot, PgOutputReplicationOptions options,
        Func<PgOutputReplicationMessage, bool> isLast, Func<PgOutputReplicationMessage, Task<string>> describe)
    {
        var seen = new List<string>();
        await foreach (var message in Limited(connection.StartReplication(slot, options, Token)))
        {
            seen.Add(await describe(message));
            if (isLast(message))
                break;
        }

        return seen;
    }
}
