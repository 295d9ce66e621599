namespace Slipstream.Race.Scenarios;

/// <summary>A scalar by a new command each time.</summary>
internal sealed class ExecuteScalar(Assignment seat) : Connected(seat)
{
    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            using var command = Connection.CreateCommand();
            command.CommandText = Statements.Scalar;
            Check.Maximum(command.ExecuteScalar());
        }
    }

    public override async Task RunAsync(int count)
    {
        for (var i = 0; i < count; i++)
        {
            await using var command = Connection.CreateCommand();
            command.CommandText = Statements.Scalar;
            Check.Maximum(await command.ExecuteScalarAsync());
        }
    }
}

/// <summary>A scalar by one kept command, prepared or not.</summary>
internal sealed class ExecuteScalarKept(Assignment seat, bool prepare) : WithCommand(seat, Statements.Scalar, prepare, keep: true)
{
    public override void Run(int count)
    {
        var command = Take();
        for (var i = 0; i < count; i++)
            Check.Maximum(command.ExecuteScalar());
    }

    public override async Task RunAsync(int count)
    {
        var command = Take();
        for (var i = 0; i < count; i++)
            Check.Maximum(await command.ExecuteScalarAsync());
    }
}

/// <summary>
/// A scalar by one kept command through the provider's typed method. A provider without one runs the plain method, because its users have only that.
/// </summary>
internal sealed class ExecuteScalarTyped(Assignment seat) : WithCommand(seat, Statements.Scalar, prepare: false, keep: true)
{
    private readonly ITypedScalar _typed = seat.TypedScalar ?? new BoxedScalar();

    public override void Run(int count)
    {
        var command = Take();
        for (var i = 0; i < count; i++)
            Check.Equal(9, _typed.Execute(command));
    }

    public override async Task RunAsync(int count)
    {
        var command = Take();
        for (var i = 0; i < count; i++)
            Check.Equal(9, await _typed.ExecuteAsync(command));
    }

    private sealed class BoxedScalar : ITypedScalar
    {
        public long Execute(System.Data.Common.DbCommand command) => Convert.ToInt64(command.ExecuteScalar());

        public async ValueTask<long> ExecuteAsync(System.Data.Common.DbCommand command) => Convert.ToInt64(await command.ExecuteScalarAsync());
    }
}
