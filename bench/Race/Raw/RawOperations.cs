using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Raw;

/// <summary>An operation of the raw floor: one connection, one statement, blocking only.</summary>
internal abstract class RawOperation(RawSeat seat, string text, bool prepare) : Operation
{
    protected RawClient Client { get; private set; } = null!;

    protected RawStatement Statement { get; private set; } = null!;

    public override void Open()
    {
        Client = seat.Connect();
        Statement = Client.Statement(text, prepare);
    }

    public override Task RunAsync(int count) => throw new NotSupportedException("the floor is synchronous");

    protected override void Close() => Client?.Dispose();
}

internal sealed class RawScalar(RawSeat seat, bool prepare) : RawOperation(seat, Statements.Scalar, prepare)
{
    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
            Check.Equal(9, Client.Scalar(Statement)!.Value);
    }
}

internal sealed class RawManyRows(RawSeat seat, bool prepare) : RawOperation(seat, Statements.Many(seat.Track.Dialect), prepare)
{
    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
            Check.Equal(Statements.ManyRowsSum, Client.SumSecondColumn(Statement));
    }
}

internal sealed class RawFortunes(RawSeat seat, bool prepare) : RawOperation(seat, Statements.Fortunes, prepare)
{
    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var fortunes = new List<Fortune>(Statements.FortuneCount);
            Client.Fortunes(Statement, fortunes);
            Check.Equal(Statements.FortuneCount, fortunes.Count);
        }
    }
}

internal sealed class RawBlobs(RawSeat seat, bool prepare) : RawOperation(seat, Statements.Blobs(seat.Track.Dialect), prepare)
{
    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
            Check.Equal(3, Client.Walk(Statement));
    }
}

internal sealed class RawLargeBlob(RawSeat seat, bool prepare) : RawOperation(seat, Statements.LargeBlob, prepare)
{
    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
            Check.Equal(Statements.LargeBlobLength, Client.LargeValue(Statement).Length);
    }
}

internal sealed class RawInsert(RawSeat seat, bool prepare) : RawOperation(seat, Statements.Insert, prepare)
{
    private int _next;

    public override Task BeforeAsync(Mode mode, int count)
    {
        Client.Execute("begin");
        return Task.CompletedTask;
    }

    public override Task AfterAsync(Mode mode)
    {
        Client.Execute("commit");
        Client.Execute("truncate table test");
        return Task.CompletedTask;
    }

    public override void Run(int count)
    {
        Span<int> values = stackalloc int[9];
        for (var i = 0; i < count; i++)
        {
            foreach (ref var value in values)
                value = _next++;
            Client.Insert(Statement, values);
        }
    }
}

internal sealed class RawConnect(RawSeat seat) : Operation
{
    public override void Run(int count)
    {
        for (var i = 0; i < count; i++)
            seat.Connect().Dispose();
    }

    public override Task RunAsync(int count) => throw new NotSupportedException("the floor is synchronous");
}

/// <summary>
/// An operation of the raw floor on many threads with a connection each. It shows the remaining time if the client costs almost nothing.
/// </summary>
internal sealed class RawLoad(int workers, Func<RawOperation> create) : Load(workers)
{
    private readonly RawOperation[] _operations = new RawOperation[workers];

    public override void Open()
    {
        for (var i = 0; i < _operations.Length; i++)
            (_operations[i] = create()).Open();
    }

    protected override void One(int worker) => _operations[worker].Run(1);

    protected override Task WorkerAsync() => throw new NotSupportedException("the floor is synchronous");

    protected override void Close()
    {
        foreach (var operation in _operations)
            operation?.Dispose();
    }
}
