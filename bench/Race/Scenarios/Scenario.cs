using Slipstream.Race.Raw;

namespace Slipstream.Race.Scenarios;

/// <summary>One scenario of the race under its published name. What it says here is what <c>./race --list</c> prints.</summary>
internal sealed record Scenario(string Name, string Summary, Func<Seat, Operation> Create)
{
    /// <summary>The same on the raw floor; null where the floor has nothing to compare.</summary>
    public Func<RawSeat, Operation>? CreateRaw { get; init; }

    public bool Sync { get; init; } = true;

    public bool Async { get; init; } = true;

    /// <summary>Prepared commands have pools of their own: some providers reuse a prepared statement for unprepared text on the same session.</summary>
    public bool Prepared { get; init; }

    public bool Pooling { get; init; } = true;

    public int Workers { get; init; } = 1;

    /// <summary>How long a contestant runs in a round, all slices together. With a fixed <see cref="Count"/>: about how long that takes, for the estimate.</summary>
    public TimeSpan Block { get; init; } = TimeSpan.FromMilliseconds(96);

    /// <summary>Into how many slices a round is cut, see <see cref="Measuring.Slices"/>. A fixed count runs in one.</summary>
    public int Slices { get; init; } = 8;

    /// <summary>Fixed number of operations per round instead of a calibrated one.</summary>
    public int? Count { get; init; }

    /// <summary>The most rounds worth running; null: as many as asked for.</summary>
    public int? MaxRounds { get; init; }

    /// <summary>Operations of the untimed pass through the counting proxy; 0: not counted.</summary>
    public int Counted { get; init; } = 100;

    /// <summary>Starts a process per operation instead of running here.</summary>
    public bool OwnProcess { get; init; }

    /// <param name="asked">How many rounds were asked for.</param>
    public int RoundsOf(int asked) => Math.Min(asked, MaxRounds ?? int.MaxValue);

    public bool Has(Mode mode) => mode is Mode.Sync ? Sync : Async;
}
