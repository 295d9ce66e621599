namespace Slipstream.PeerRace;

/// <summary>A contestant in a cell. Its first failure ends its part in the cell, and the others continue.</summary>
internal sealed class Lane(Contestant contestant)
{
    private readonly List<Sample> _samples = [];
    private bool _isOpen;

    public Contestant Contestant => contestant;

    public IReadOnlyList<Sample> Samples => _samples;

    /// <summary>Gets why the contestant has no figures; null if it has.</summary>
    public string? Error { get; private set; }

    public Task OpenAsync(Cell cell) => TryAsync(async () =>
    {
        await contestant.OpenAsync(cell.Scenario, cell.Callers);
        _isOpen = true;
    });

    /// <summary>Runs a block.</summary>
    public async Task RunAsync(int seconds, Func<string, bool> isRight, bool counts)
    {
        if (Error is null)
            await TryAsync(async () =>
            {
                var sample = await contestant.RunAsync(seconds, isRight);
                if (counts)
                    _samples.Add(sample);
            });
    }

    public async Task CloseAsync()
    {
        if (_isOpen)
            await TryAsync(contestant.CloseAsync);
    }

    public Row ToRow(Cell cell, IReadOnlyList<Sample>? sync, IReadOnlyList<Sample>? async)
    {
        var isOurs = contestant.Entry.Name == Entry.Ours;
        return new(
            cell, contestant.Entry.Name, contestant.Entry.Mode, contestant.Version, Error is null ? Samples : [], isOurs ? null : sync, isOurs ? null : async,
            Error);
    }

    private async Task TryAsync(Func<Task> work)
    {
        try
        {
            await work();
        }
        catch (InvalidOperationException exception)
        {
            Error ??= exception.Message;
            await Console.Error.WriteLineAsync($"{contestant.Entry.Name} {contestant.Entry.Mode}: {exception.Message}");
        }
    }
}
