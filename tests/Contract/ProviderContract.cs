using System.Data;
using System.Data.Common;
using System.Globalization;

namespace Slipstream.Contract;

/// <summary>
/// The rules that every provider follows towards users of ADO.NET, whatever its database. There is a subclass for each server and each mode, synchronous or
/// asynchronous. Each file contains one part of the rules.
/// </summary>
public abstract partial class ProviderContract(Mode mode) : IAsyncLifetime
{
    private static int _tables;

    /// <summary>The mode of this run: synchronous or asynchronous.</summary>
    protected Mode Mode => mode;

    /// <summary>The provider and its server.</summary>
    protected ContractServer Server { get; private set; } = null!;

    public async ValueTask InitializeAsync() => Server = await StartAsync();

    public virtual ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        return default;
    }

    protected abstract Task<ContractServer> StartAsync();

    protected DbConnection Create(string? connectionString = null)
    {
        var connection = Server.Factory.CreateConnection()!;
        connection.ConnectionString = connectionString ?? Server.ConnectionString;
        return connection;
    }

    protected async Task<DbConnection> Open(string? connectionString = null)
    {
        var connection = Create(connectionString);
        await Mode.Open(connection);
        return connection;
    }

    protected static DbCommand Command(DbConnection connection, string sql, params (string Name, object? Value)[] parameters)
    {
        var command = connection.CreateCommand();
        command.CommandText = sql;
        foreach (var (name, value) in parameters)
            Add(command, name, value);
        return command;
    }

    protected static DbParameter Add(DbCommand command, string name, object? value)
    {
        var parameter = command.CreateParameter();
        parameter.ParameterName = name;
        parameter.Value = value;
        command.Parameters.Add(parameter);
        return parameter;
    }

    protected async Task<object?> Scalar(DbConnection connection, string sql, params (string Name, object? Value)[] parameters)
    {
        await using var command = Command(connection, sql, parameters);
        return await Mode.Scalar(command);
    }

    protected async Task<long> Number(DbConnection connection, string sql, params (string Name, object? Value)[] parameters) =>
        Convert.ToInt64(await Scalar(connection, sql, parameters), CultureInfo.InvariantCulture);

    protected async Task<int> Execute(DbConnection connection, string sql, params (string Name, object? Value)[] parameters)
    {
        await using var command = Command(connection, sql, parameters);
        return await Mode.NonQuery(command);
    }

    /// <summary>Checks that an operation is refused because the connection is busy.</summary>
    protected async Task ThrowsBusy(Func<Task> action) => Assert.IsAssignableFrom(Server.Busy, await Record.ExceptionAsync(action));

    /// <summary>Checks that the connection still answers, and that the answer belongs to the query.</summary>
    protected async Task StillUsable(DbConnection connection)
    {
        Assert.Equal(ConnectionState.Open, connection.State);
        for (var i = 0; i < 3; i++)
            Assert.Equal(4711 + i, await Number(connection, $"SELECT {4711 + i}"));
    }

    /// <summary>Creates a table for one test, which is dropped at the end of the scope.</summary>
    protected async Task<TestTable> CreateTable(string columns)
    {
        var name = $"contract_{Environment.ProcessId}_{Interlocked.Increment(ref _tables)}";
        await using var connection = Create();
        await connection.OpenAsync();
        await using var command = Command(connection, $"CREATE TABLE {name} ({columns})");
        await command.ExecuteNonQueryAsync();
        return new TestTable(name, this);
    }

    protected sealed class TestTable(string name, ProviderContract contract) : IAsyncDisposable
    {
        public override string ToString() => name;

        public async ValueTask DisposeAsync()
        {
            await using var connection = contract.Create();
            await connection.OpenAsync();
            await using var command = Command(connection, $"DROP TABLE {name}");
            await command.ExecuteNonQueryAsync();
        }
    }
}
