using System.Data.Common;

namespace Slipstream.Race.Scenarios;

/// <summary>
/// The insert race by the pipelined rule: the strict statement of three rows, but up to 64 of them in flight on the one connection, each with a command of its own.
/// One operation is one statement. Providers that run one command at a time on a connection cannot take part, and say so themselves.
/// </summary>
internal sealed class InsertPipelined(Seat seat) : Connected(seat)
{
    private const int InFlight = 64;

    private readonly DbCommand[] _commands = new DbCommand[InFlight];
    private readonly Task<int>[] _answers = new Task<int>[InFlight];
    private InsertTransaction? _transaction;
    private int _next;

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        for (var i = 0; i < InFlight; i++)
        {
            _commands[i] = Connection.CreateCommand();
            _commands[i].CommandText = Statements.Insert;
            for (var place = 1; place <= 9; place++)
            {
                var parameter = _commands[i].CreateParameter();
                parameter.ParameterName = "@p" + place;
                parameter.Value = place;
                _commands[i].Parameters.Add(parameter);
            }

            await _commands[i].PrepareAsync();
        }
    }

    public override async Task BeforeAsync(Mode mode, int count)
    {
        _transaction ??= new InsertTransaction(Connection);
        var transaction = await _transaction.BeginAsync(mode);
        foreach (var command in _commands)
            command.Transaction = transaction;
    }

    public override Task AfterAsync(Mode mode) => _transaction!.EndAsync(mode);

    public override void Run(int count) => throw new NotSupportedException("several commands in flight are asynchronous");

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var place = i % InFlight;
            if (i >= InFlight)
                Check.Equal(3, await _answers[place]);
            var parameters = _commands[place].Parameters;
            for (var value = 0; value < 9; value++)
                parameters[value].Value = _next++;
            _answers[place] = _commands[place].ExecuteNonQueryAsync();
        }

        for (var i = Math.Max(0, count - InFlight); i < count; i++)
            Check.Equal(3, await _answers[i % InFlight]);
    }

    protected override void Close()
    {
        foreach (var command in _commands)
            command?.Dispose();
        base.Close();
    }
}
