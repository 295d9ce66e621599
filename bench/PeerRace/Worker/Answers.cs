using System.Diagnostics.CodeAnalysis;
using Slipstream.Race.Scenarios;

namespace Slipstream.PeerRace.Worker;

/// <summary>What an operation does with its rows, and how the race checks them.</summary>
internal static class Answers
{
    private const int Worlds = 10_000;

    public static int RandomId() => Random.Shared.Next(1, Worlds + 1);

    public static World Checked(World world, int id) => world.Id == id ? world : throw Wrong($"row {world.Id} for {id}");

    /// <summary>Adds a fortune to those of the table, and sorts them.</summary>
    public static List<Fortune> Complete(List<Fortune> fortunes)
    {
        if (fortunes.Count != Statements.FortuneCount)
            throw Wrong($"{fortunes.Count} fortunes");
        fortunes.Add(new(0, "Additional fortune added at request time."));
        fortunes.Sort(static (one, other) => string.CompareOrdinal(one.Message, other.Message));
        return fortunes;
    }

    public static string Check(World world) => $"{world.Id}:{world.RandomNumber}";

    public static string Check(List<Fortune> fortunes) => Checksum.Of(fortunes.Select(static one => (one.Id, one.Message)));

    [DoesNotReturn]
    private static InvalidOperationException Wrong(string what) => throw new InvalidOperationException($"wrong answer: {what}");
}
