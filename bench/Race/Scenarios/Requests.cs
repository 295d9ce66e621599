namespace Slipstream.Race.Scenarios;

/// <summary>Opens a connection, prepares and executes a new command and closes: the work of a data layer that prepares every command.</summary>
internal sealed class PrepareOnce(Assignment seat) : Operation
{
    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            using var connection = seat.NewConnection();
            connection.Open();
            using var command = connection.CreateCommand();
            command.CommandText = Statements.Scalar;
            command.Prepare();
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
            await command.PrepareAsync();
            Check.Maximum(await command.ExecuteScalarAsync());
        }
    }
}

/// <summary>Opens a connection, begins a transaction, reads one row by its primary key, commits and closes.</summary>
internal sealed class BeginSelectCommit(Assignment seat) : Operation
{
    private int _next;

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            using var connection = seat.NewConnection();
            connection.Open();
            using var transaction = connection.BeginTransaction();
            using var command = connection.CreateCommand();
            command.Transaction = transaction;
            command.CommandText = Statements.FortuneById;
            var parameter = command.CreateParameter();
            parameter.ParameterName = "@id";
            parameter.Value = NextId();
            command.Parameters.Add(parameter);
            Check.Text(command.ExecuteScalar());
            transaction.Commit();
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await using var connection = seat.NewConnection();
            await connection.OpenAsync();
            await using var transaction = await connection.BeginTransactionAsync();
            await using var command = connection.CreateCommand();
            command.Transaction = transaction;
            command.CommandText = Statements.FortuneById;
            var parameter = command.CreateParameter();
            parameter.ParameterName = "@id";
            parameter.Value = NextId();
            command.Parameters.Add(parameter);
            Check.Text(await command.ExecuteScalarAsync());
            await transaction.CommitAsync();
        }
    }

    private int NextId() => _next++ % Statements.FortuneCount + 1;
}
