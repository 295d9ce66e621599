using System.Data.Common;

namespace Slipstream.Race.Scenarios;

/// <summary>An operation on one connection that stays open.</summary>
internal abstract class Connected(Assignment seat) : Operation
{
    protected Assignment Assignment { get; } = seat;

    protected DbConnection Connection { get; } = seat.NewConnection();

    public override void Open() => Connection.Open();

    public override Task OpenAsync() => Connection.OpenAsync();

    protected override void Close() => Connection.Dispose();
}

/// <summary>
/// An operation that repeats one statement, with a command that it keeps, prepared or not, or with a new one each time, as in the 2017 benchmark.
/// </summary>
internal abstract class WithCommand(Assignment seat, string text, bool prepare, bool keep) : Connected(seat)
{
    private readonly bool _keep = keep || prepare;
    private DbCommand? _kept;

    public override void Open()
    {
        base.Open();
        if (!_keep)
            return;
        _kept = NewCommand();
        if (prepare)
            _kept.Prepare();
    }

    public override async Task OpenAsync()
    {
        await base.OpenAsync();
        if (!_keep)
            return;
        _kept = NewCommand();
        if (prepare)
            await _kept.PrepareAsync();
    }

    protected DbCommand Take() => _kept ?? NewCommand();

    protected void Return(DbCommand command)
    {
        if (!_keep)
            command.Dispose();
    }

    protected virtual void AddParameters(DbCommand command) { }

    protected override void Close()
    {
        _kept?.Dispose();
        base.Close();
    }

    private DbCommand NewCommand()
    {
        var command = Connection.CreateCommand();
        command.CommandText = text;
        AddParameters(command);
        return command;
    }
}
