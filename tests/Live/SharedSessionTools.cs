using System.Diagnostics;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Statements;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>Data sources whose commands share sessions from the first caller on.</summary>
internal static class SharedSessionTools
{
    public static async Task<MySqlDataSource> SourceAsync(ServerKind kind, string more = "")
    {
        var source = new MySqlDataSource(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Multiplexing=Auto;Async Engine=Own;" + more));
        source.Sharing!.FewestCallers = 1;
        return source;
    }

    // Until it runs on a shared session, which is opened behind the scenes, and so quickly that it will again: one that took long, be it for want of a processor, is not shared for a while.
    public static async Task WarmAsync(MySqlDataSource source, string sql, int value = 1, bool tolerant = false)
    {
        for (var i = 0; i < 2000; i++)
        {
            var (leased, began) = (source.Sharing!.Leased, Stopwatch.GetTimestamp());
            try
            {
                await ScalarAsync(source, sql, value);
            }
            catch (MySqlException) when (tolerant)
            {
                // What was killed may still lie in the pool.
                continue;
            }

            if (source.Sharing.Leased > leased && Stopwatch.GetElapsedTime(began).TotalMicroseconds < SharingMemory.SlowMicroseconds * 50)
                return;
            if (i > 3 && source.Sharing.Count == 0)
                await Task.Delay(5);
        }

        Assert.Fail($"'{sql}' is not shared");
    }

    public static async Task<int> ScalarAsync(MySqlDataSource source, string sql, int value)
    {
        await using var command = source.CreateCommand(sql);
        command.Parameters.AddWithValue("@v", value);
        return int.TryParse(Convert.ToString(await command.ExecuteScalarAsync()), out var result) ? result : 0;
    }

    public static async Task ExecuteAsync(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }

    // Only what is shared is still out of the pool.
    public static async Task NothingIsLeft(MySqlDataSource source)
    {
        for (var i = 0; ; i++)
        {
            // A session that is being opened to be shared is out of the pool for a while.
            var (busy, count) = (source.Statistics.Busy, source.Sharing!.Count);
            if (busy <= count)
                return;
            Assert.True(i < 400, $"{busy} sessions are in use, {count} are shared");
            await Task.Delay(50);
        }
    }
}
