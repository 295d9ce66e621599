using System.Data.Common;
using System.Globalization;
using System.Runtime.CompilerServices;
using Slipstream.Contract;
using Slipstream.Core.Data;
using Slipstream.Lab;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>The heap is measured while no other test allocates.</summary>
[CollectionDefinition(nameof(IdleMemoryTests), DisableParallelization = true)]
public class IdleMemoryCollection;

/// <summary>What an idle session keeps of the values that its last user sent or read: nothing.</summary>
[Collection(nameof(IdleMemoryTests))]
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
        await using var source = Create(kind, await LiveServers.GetAsync(kind));
        var value = await ReadAsync(source, kind.IsPostgreSql(), isScalar, asynchronous ? Mode.Async : Mode.Sync);
        // A thread that has just completed an asynchronous call may still have it on its stack.
        for (var tries = 0; value.IsAlive && tries < 50; tries++)
        {
            await Task.Delay(10);
            GC.Collect();
        }

        Assert.False(value.IsAlive);
    }

    public static TheoryData<ServerKind> Kinds => [.. ServerKinds.All];

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_pooled_session_does_not_hold_the_scalar_of_a_command_that_failed_afterwards(ServerKind kind)
    {
        await using var source = Create(kind, await LiveServers.GetAsync(kind));
        await FailAsync(source, "SELECT 'a'; SELECT * FROM no_such_table");
        var before = GC.GetTotalMemory(forceFullCollection: true);
        await FailAsync(source, "SELECT REPEAT('abcd', 4000000); SELECT * FROM no_such_table");
        // The string alone has 32 MB.
        await Eventually.TrueAsync(() => GC.GetTotalMemory(forceFullCollection: true) - before < 16_000_000);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_pooled_session_does_not_hold_the_parameters_of_the_commands_that_it_executed(ServerKind kind)
    {
        await using var source = Create(kind, await LiveServers.GetAsync(kind));
        var values = await ExecuteAsync(source, kind.IsPostgreSql());
        await Eventually.TrueAsync(() =>
        {
            GC.Collect();
            return values.TrueForAll(static value => !value.IsAlive);
        });
    }

    private static ProviderDataSource Create(ServerKind kind, LabServer server) =>
        DataSources.Create(kind, ConnectionStrings.Of(server, "Maximum Pool Size=1"));

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task FailAsync(DbDataSource source, string text)
    {
        await using var connection = await source.OpenConnectionAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = text;
        await Assert.ThrowsAnyAsync<DbException>(() => command.ExecuteScalarAsync());
    }

    // A prepared command and a batch, one after the other: the second is not what releases the values of the first.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static async Task<List<WeakReference>> ExecuteAsync(DbDataSource source, bool isPostgreSql)
    {
        var values = new List<WeakReference>();
        await using var connection = await source.OpenConnectionAsync();
        var batch = connection.CreateBatch();
        for (var i = 0; i < 2; i++)
        {
            var command = batch.CreateBatchCommand();
            command.CommandText = isPostgreSql ? "SELECT length(@value)" : "SELECT LENGTH(@value)";
            command.Parameters.Add(Parameter(command.CreateParameter(), values));
            batch.BatchCommands.Add(command);
        }

        await batch.ExecuteNonQueryAsync();
        await batch.DisposeAsync();

        var prepared = connection.CreateCommand();
        prepared.CommandText = isPostgreSql ? "SELECT length(@value)" : "SELECT LENGTH(@value)";
        prepared.Parameters.Add(Parameter(prepared.CreateParameter(), values));
        await prepared.PrepareAsync();
        for (var i = 0; i < 2; i++)
            Assert.Equal(2_000_000, Convert.ToInt32(await prepared.ExecuteScalarAsync(), CultureInfo.InvariantCulture));
        await prepared.DisposeAsync();
        return values;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static DbParameter Parameter(DbParameter parameter, List<WeakReference> values)
    {
        var value = new byte[2_000_000];
        values.Add(new(value));
        parameter.ParameterName = "@value";
        parameter.Value = value;
        return parameter;
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
