using System.Data.Common;

namespace Slipstream.Race.Scenarios;

/// <summary>
/// Three rows per statement, nine integers set by index, every statement awaited ("strict"), all in one transaction. One operation is one statement.
/// </summary>
internal sealed class InsertRows(Assignment seat, bool prepare) : WithCommand(seat, Statements.Insert, prepare, keep: true)
{
    private InsertTransaction? _transaction;
    private int _next;

    public override async Task BeforeAsync(Mode mode, int count)
    {
        _transaction ??= new InsertTransaction(Connection);
        Take().Transaction = await _transaction.BeginAsync(mode);
    }

    public override Task AfterAsync(Mode mode) => _transaction!.EndAsync(mode);

    public override void Run(int count)
    {
        var command = Take();
        for (var i = 0; i < count; i++)
        {
            SetValues(command);
            Check.Equal(3, command.ExecuteNonQuery());
        }
    }

    public override async Task RunAsync(int count)
    {
        var command = Take();
        for (var i = 0; i < count; i++)
        {
            SetValues(command);
            Check.Equal(3, await command.ExecuteNonQueryAsync());
        }
    }

    protected override void AddParameters(DbCommand command)
    {
        for (var i = 1; i <= 9; i++)
        {
            var parameter = command.CreateParameter();
            parameter.ParameterName = "@p" + i;
            parameter.Value = i;
            command.Parameters.Add(parameter);
        }
    }

    private void SetValues(DbCommand command)
    {
        var parameters = command.Parameters;
        for (var i = 0; i < 9; i++)
            parameters[i].Value = _next++;
    }
}

/// <summary>Creates 30,000 named parameters, sets them by name and executes the command once.</summary>
internal sealed class Parameters30000(Assignment seat) : Connected(seat)
{
    private const int ParameterCount = 30_000;

    private readonly string _text = Statements.InsertOf(ParameterCount);
    private readonly string[] _names = [.. Enumerable.Range(0, ParameterCount).Select(i => "@p" + i)];
    private DbTransaction? _transaction;

    public override async Task BeforeAsync(Mode mode, int count) =>
        _transaction = mode is Mode.Sync ? Connection.BeginTransaction() : await Connection.BeginTransactionAsync();

    public override async Task AfterAsync(Mode mode)
    {
        if (mode is Mode.Sync)
            _transaction!.Rollback();
        else
            await _transaction!.RollbackAsync();
        _transaction.Dispose();
    }

    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            using var command = Build();
            Check.Equal(ParameterCount / 3, command.ExecuteNonQuery());
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await using var command = Build();
            Check.Equal(ParameterCount / 3, await command.ExecuteNonQueryAsync());
        }
    }

    private DbCommand Build()
    {
        var command = Connection.CreateCommand();
        command.CommandText = _text;
        command.Transaction = _transaction;
        foreach (var name in _names)
        {
            var parameter = command.CreateParameter();
            parameter.ParameterName = name;
            command.Parameters.Add(parameter);
        }

        for (var i = 0; i < _names.Length; i++)
            command.Parameters[_names[i]].Value = i;
        return command;
    }
}
