using System.Data.Common;
using System.Globalization;
using Slipstream.Core.Causality;
using Slipstream.Core.Data;

namespace Slipstream.Live.Clusters;

/// <summary>The views of a cluster's data source, as tests of both providers need them.</summary>
internal interface ICausalViews
{
    ProviderDataSource Primary { get; }

    ProviderDataSource PreferReplica { get; }

    ProviderDataSource Replica { get; }

    ProviderDataSource WithToken(ProviderDataSource view, WriteToken? token);

    /// <summary>Stops and restarts the execution of the log on all replicas.</summary>
    Task PauseReplicasAsync();

    Task ContinueReplicasAsync();

    /// <summary>A query for a number that identifies the server.</summary>
    string WhichServer { get; }
}

/// <summary>Reads that see the writes before them, while replicas are behind and while they are not.</summary>
internal sealed class CausalReads(ICausalViews views, Func<CancellationToken> token)
{
    private const string Read = "SELECT COUNT(*) FROM seen WHERE id = ";

    private int _last;

    /// <summary>Runs all checks. The cluster is running, and has no table yet.</summary>
    public async Task RunAsync()
    {
        await ExecuteAsync(views.Primary, "CREATE TABLE seen (id int PRIMARY KEY)");
        await Testing.Eventually.TrueAsync(SeesTableAsync);
        await views.PauseReplicasAsync();
        var written = await Writes_of_a_connection_have_a_token();
        await Reads_with_a_token_use_the_primary_while_replicas_are_behind(written);
        await A_replica_that_stays_behind_is_refused(written);
        await A_scope_covers_its_writes(asynchronously: true);
        await A_scope_covers_its_writes(asynchronously: false);
        await views.ContinueReplicasAsync();
        await A_replica_that_has_caught_up_is_used(written);
        await No_read_of_a_running_cluster_is_stale();
    }

    /// <summary>Runs the checks that need no replica that is behind.</summary>
    public async Task RunRunningAsync()
    {
        await ExecuteAsync(views.Primary, "CREATE TABLE seen (id int PRIMARY KEY)");
        await Testing.Eventually.TrueAsync(SeesTableAsync);
        await No_read_of_a_running_cluster_is_stale();
    }

    private async Task<bool> SeesTableAsync()
    {
        try
        {
            return await CountAsync(views.Replica, 0) == 0;
        }
        catch (DbException)
        {
            return false;
        }
    }

    private async Task<WriteToken> Writes_of_a_connection_have_a_token()
    {
        await using var connection = (ProviderConnection)await views.Primary.OpenConnectionAsync(token());
        Assert.Null(connection.LastWriteToken);
        await ExecuteAsync(connection, $"INSERT INTO seen VALUES ({++_last})");
        var first = connection.LastWriteToken;
        Assert.NotNull(first);
        await using (var transaction = await connection.BeginTransactionAsync(token()))
        {
            await ExecuteAsync(connection, $"INSERT INTO seen VALUES ({++_last})", transaction);
            Assert.Equal(first, connection.LastWriteToken);
            await transaction.CommitAsync(token());
        }

        var second = connection.LastWriteToken;
        Assert.NotNull(second);
        Assert.NotEqual(first, second);
        Assert.True(second.Position.Covers(first.Position));
        await using (var transaction = await connection.BeginTransactionAsync(token()))
        {
            await ExecuteAsync(connection, "INSERT INTO seen VALUES (0)", transaction);
            await transaction.RollbackAsync(token());
        }

        Assert.Equal(second, connection.LastWriteToken);
        return second;
    }

    private async Task Reads_with_a_token_use_the_primary_while_replicas_are_behind(WriteToken written)
    {
        var seen = views.WithToken(views.PreferReplica, WriteToken.Parse(written.ToString()));
        for (var read = 0; read < 20; read++)
        {
            Assert.Equal(1, await CountAsync(seen, _last));
            Assert.Equal(1, Count(seen, _last));
        }

        // The replicas are really behind.
        Assert.Equal(0, await CountAsync(views.PreferReplica, _last));
        Assert.Equal(0, await CountAsync(views.Replica, _last));
        Assert.Equal(1, await CountAsync(views.WithToken(views.PreferReplica, WriteToken.Parse("u")), _last));
    }

    private async Task A_replica_that_stays_behind_is_refused(WriteToken written)
    {
        var failure = await Assert.ThrowsAnyAsync<DbException>(() => CountAsync(views.WithToken(views.Replica, written), _last));
        Assert.Contains(written.ToString(), failure.Message, StringComparison.Ordinal);
    }

    private async Task A_scope_covers_its_writes(bool asynchronously)
    {
        using var scope = views.Primary.BeginCausalScope();
        Assert.Null(scope.Token);
        var primary = views.Primary.CreateCommand($"INSERT INTO seen VALUES ({++_last})");
        if (asynchronously)
            await primary.ExecuteNonQueryAsync(token());
        else
            primary.ExecuteNonQuery();
        Assert.NotNull(scope.Token);
        Assert.NotEqual("u", scope.Token.ToString());
        Assert.Equal(1, asynchronously ? await CountAsync(views.PreferReplica, _last) : Count(views.PreferReplica, _last));
        var before = scope.Token;
        await using var connection = await views.Primary.OpenConnectionAsync(token());
        await using var transaction = await connection.BeginTransactionAsync(token());
        await ExecuteAsync(connection, $"INSERT INTO seen VALUES ({++_last})", transaction);
        if (asynchronously)
            await transaction.CommitAsync(token());
        else
            transaction.Commit();
        Assert.NotEqual(before, scope.Token);
        Assert.Equal(1, asynchronously ? await CountAsync(views.PreferReplica, _last) : Count(views.PreferReplica, _last));
    }

    private async Task A_replica_that_has_caught_up_is_used(WriteToken written)
    {
        var primary = await ServerAsync(views.Primary);
        await Testing.Eventually.TrueAsync(async () => await ServerAsync(views.WithToken(views.PreferReplica, written)) != primary);
        Assert.NotEqual(primary, await ServerAsync(views.WithToken(views.Replica, written)));
        Assert.Equal(1, await CountAsync(views.WithToken(views.Replica, written), 1));
    }

    private async Task No_read_of_a_running_cluster_is_stale()
    {
        var primary = await ServerAsync(views.Primary);
        var (stale, ofReplicas) = (0, 0);
        for (var write = 0; write < 100; write++)
        {
            using var scope = views.Primary.BeginCausalScope();
            await ExecuteAsync(views.Primary, $"INSERT INTO seen VALUES ({++_last})");
            await using var connection = await views.PreferReplica.OpenConnectionAsync(token());
            if (await ServerAsync(connection) != primary)
                ofReplicas++;
            await using var command = connection.CreateCommand();
            command.CommandText = Read + _last.ToString(CultureInfo.InvariantCulture);
            if (Convert.ToInt32(await command.ExecuteScalarAsync(token()), CultureInfo.InvariantCulture) == 0)
                stale++;
        }

        Assert.Equal(0, stale);
        Assert.NotEqual(0, ofReplicas);
        TestContext.Current.TestOutputHelper?.WriteLine($"{ofReplicas} of 100 reads were answered by replicas.");
    }

    private async Task<long> ServerAsync(ProviderDataSource source)
    {
        await using var connection = await source.OpenConnectionAsync(token());
        return await ServerAsync(connection);
    }

    private async Task<long> ServerAsync(DbConnection connection)
    {
        await using var command = connection.CreateCommand();
        command.CommandText = views.WhichServer;
        return Convert.ToInt64(await command.ExecuteScalarAsync(token()), CultureInfo.InvariantCulture);
    }

    private async Task<int> CountAsync(ProviderDataSource source, int id)
    {
        await using var command = source.CreateCommand(Read + id.ToString(CultureInfo.InvariantCulture));
        return Convert.ToInt32(await command.ExecuteScalarAsync(token()), CultureInfo.InvariantCulture);
    }

    private static int Count(ProviderDataSource source, int id)
    {
        using var command = source.CreateCommand(Read + id.ToString(CultureInfo.InvariantCulture));
        return Convert.ToInt32(command.ExecuteScalar(), CultureInfo.InvariantCulture);
    }

    private async Task ExecuteAsync(ProviderDataSource source, string sql)
    {
        await using var command = source.CreateCommand(sql);
        await command.ExecuteNonQueryAsync(token());
    }

    private async Task ExecuteAsync(DbConnection connection, string sql, DbTransaction? transaction = null)
    {
        await using var command = connection.CreateCommand();
        (command.CommandText, command.Transaction) = (sql, transaction);
        await command.ExecuteNonQueryAsync(token());
    }
}
