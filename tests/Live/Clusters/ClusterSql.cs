using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.Clusters;

/// <summary>Statements on one server of a cluster of MySQL's family.</summary>
internal static class ClusterSql
{
    /// <summary>The collection of tests whose clusters do not run at the same time: together, they take too much memory.</summary>
    public const string OneAtATime = "Clusters";

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static async Task ExecuteAsync(LabServer server, string sql)
    {
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(server));
        await source.CreateCommand(sql).ExecuteNonQueryAsync(Token);
    }

    public static async Task<T> ScalarAsync<T>(LabServer server, string sql)
    {
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(server));
        return (T)(await source.CreateCommand(sql).ExecuteScalarAsync(Token))!;
    }

    /// <summary>Returns the number of the error with which a server refuses a statement.</summary>
    public static async Task<int> RefusalAsync(LabServer server, string sql) =>
        (await Assert.ThrowsAsync<MySqlException>(() => ExecuteAsync(server, sql))).Number;
}
