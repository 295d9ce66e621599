namespace Slipstream.WebRace.Site;

/// <summary>The floor: the same pages without a database. What a contestant needs beyond it is the driver's share.</summary>
internal sealed class FloorStore : Store
{
    private static readonly Fortune[] Fortunes =
        [.. Enumerable.Range(1, 12).Select(static id => new Fortune(id, $"A fortune of an ordinary length, number {id}."))];

    public override Task<World> OneAsync() => Task.FromResult(new World(RandomId(), RandomId()));

    public override Task<World[]> SeveralAsync()
    {
        var rows = new World[Several];
        for (var at = 0; at < rows.Length; at++)
            rows[at] = new(RandomId(), RandomId());
        return Task.FromResult(rows);
    }

    public override Task<World[]> UpdateAsync() => Task.FromResult(Array.ConvertAll(RandomIds(), static id => new World(id, RandomId())));

    public override Task<List<Fortune>> FortunesAsync() => Task.FromResult<List<Fortune>>([.. Fortunes]);

    public override Task<World[]> AllAsync() => Task.FromResult<World[]>([.. Enumerable.Range(1, Worlds).Select(static id => new World(id, RandomId()))]);
}
