using System.Data.Common;
using System.Runtime.CompilerServices;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>What an idle session keeps of the values that its last user read: nothing.</summary>
public class IdleMemoryTests
{
    public static TheoryData<ServerKind, bool, bool> Ways
    {
        get
        {
            var ways = new TheoryData<ServerKind, bool, bool>();
            foreach (var kind in ServerKinds.All)
                foreach (var isScalar in new[] { false, true })
                    foreach (var asynchronous in new[] { false, true })
                        ways.Add(kind, isScalar, asynchronous);
            return ways;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_pooled_session_does_not_hold_the_large_value_that_it_has_returned(ServerKind kind, bool isScalar, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        await using DbDataSource source = kind.IsPostgreSql()
            ? new PgDataSourceBuilder(ConnectionStrings.PostgreSql(server, "Maximum Pool Size=1")).Build()
            : new MySqlDataSource(ConnectionStrings.MySql(server, "Maximum Pool Size=1"));
        var value = await ReadAsync(source, kind.IsPostgreSql(), isScalar, asynchronous ? Mode.Async : Mode.Sync);
        // A thread that has just completed an asynchronous call may still have it on its stack.
        for (var tries = 0; value.IsAlive && tries < 50; tries++)
        {
            await Task.Delay(10);
            GC.Collect();
        }

        Assert.False(value.IsAlive);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<WeakReference> ReadAsync(DbDataSource source, bool isPostgreSql, bool isScalar, Mode mode)
    {
        await using var connection = await mode.Open(source);
        await using var command = connection.CreateCommand();
        // The getter returns the array into which the value was received; PostgreSQL sends binary values to prepared commands.
        command.CommandText = isScalar ? "SELECT REPEAT('abcd', 500000)"
            : isPostgreSql ? "SELECT decode(REPEAT('abcd', 1000000), 'hex')" : "SELECT UNHEX(REPEAT('abcd', 1000000))";
        if (isScalar)
            return new(Assert.IsType<string>(await mode.Scalar(command)));
        await mode.Prepare(command);
        await using var reader = await mode.Reader(command);
        Assert.True(await mode.Read(reader));
        var value = reader.GetFieldValue<byte[]>(0);
        Assert.Equal(2_000_000, value.Length);
        return new(value);
    }
}
