namespace Slipstream.WebRace.Site;

/// <summary>A row of the table <c>world</c>.</summary>
internal record struct World(int Id, int RandomNumber);

/// <summary>A row of the table <c>fortune</c>.</summary>
internal sealed record Fortune(int Id, string Message);

/// <summary>Where the pages get their data.</summary>
internal abstract class Store
{
    /// <summary>The number of rows of the table <c>world</c>.</summary>
    public const int Worlds = 10_000;

    /// <summary>The number of rows on a page with several.</summary>
    public const int Several = 20;

    /// <summary>Reads a random row.</summary>
    public abstract Task<World> OneAsync();

    /// <summary>Reads random rows, each by a query of its own.</summary>
    public abstract Task<World[]> SeveralAsync();

    /// <summary>Reads random rows, and writes a new number into each.</summary>
    public abstract Task<World[]> UpdateAsync();

    /// <summary>Reads all fortunes.</summary>
    public abstract Task<List<Fortune>> FortunesAsync();

    /// <summary>Reads all rows, for the cache.</summary>
    public abstract Task<World[]> AllAsync();

    public static int RandomId() => Random.Shared.Next(1, Worlds + 1);

    /// <summary>Returns different ids in ascending order: two requests that update the same rows in another order would block each other.</summary>
    public static int[] RandomIds()
    {
        var ids = new HashSet<int>();
        while (ids.Count < Several)
            ids.Add(RandomId());
        return [.. ids.Order()];
    }
}
