using System.Data.Common;

namespace Slipstream.Race.Scenarios;

/// <summary>Closes and opens one connection object again.</summary>
internal sealed class OpenFromPool(Assignment seat) : Operation
{
    private readonly DbConnection _connection = seat.NewConnection();

    public override void Open() => _connection.Open();

    public override Task OpenAsync() => _connection.OpenAsync();

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            _connection.Close();
            _connection.Open();
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await _connection.CloseAsync();
            await _connection.OpenAsync();
        }
    }

    protected override void Close() => _connection.Dispose();
}

/// <summary>Opens a new connection object each time, with a pool (OpenFromPoolNew) or without one (ColdConnect).</summary>
internal sealed class OpenNew(Assignment seat) : Operation
{
    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            using var connection = seat.NewConnection();
            connection.Open();
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await using var connection = seat.NewConnection();
            await connection.OpenAsync();
        }
    }
}

/// <summary>Opens a connection each time through <see cref="DbDataSource.OpenConnectionAsync"/>.</summary>
internal sealed class OpenFromDataSource(Assignment seat) : Operation
{
    private readonly DbDataSource _source = seat.Factory.CreateDataSource(seat.ConnectionString);

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
            _source.OpenConnection().Dispose();
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await using var connection = await _source.OpenConnectionAsync();
        }
    }

    protected override void Close() => _source.Dispose();
}

/// <summary>The work of a web request: opens a connection, executes one scalar and closes it.</summary>
internal sealed class OpenQueryClose(Assignment seat) : Operation
{
    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            using var connection = seat.NewConnection();
            connection.Open();
            using var command = connection.CreateCommand();
            command.CommandText = Statements.Scalar;
            Check.Maximum(command.ExecuteScalar());
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await using var connection = seat.NewConnection();
            await connection.OpenAsync();
            await using var command = connection.CreateCommand();
            command.CommandText = Statements.Scalar;
            Check.Maximum(await command.ExecuteScalarAsync());
        }
    }
}
