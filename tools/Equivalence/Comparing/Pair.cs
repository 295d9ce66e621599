using System.Globalization;
using Slipstream.Equivalence.Language;
using Slipstream.Equivalence.Running;

namespace Slipstream.Equivalence.Comparing;

/// <summary>Two configurations whose answers must be the same.</summary>
internal sealed record Pair(string Name, Side First, Side Second)
{
    /// <summary>Gets whether one side is another driver.</summary>
    public bool IsPeer => First.Driver.IsPeer || Second.Driver.IsPeer;

    /// <summary>Gets whether both sides merge inserts.</summary>
    public bool Merges => Merging == First.Options;

    /// <summary>Gets whether the second side is a cluster whose servers refuse steps.</summary>
    public bool Refuses => Second.IsCluster;

    private const string Merging = "Merge Inserts=true";

    /// <summary>Returns a C# file that runs a program under both configurations.</summary>
    public string AsCSharp(EquivalenceProgram program, Stage stage) => Remark(program) + CSharpFile.Of(program, stage, Printed(First), Printed(Second));

    // The file has no gateways.
    private string Remark(EquivalenceProgram program) => !Refuses
        ? ""
        : string.Create(
            CultureInfo.InvariantCulture,
            $"// On the second side, a server refuses the steps {string.Join(", ", program.Steps.Select(static (step, number) => (step, number))
                .Where(static one => one.step.IsRefused).Select(static one => one.number))}. This file cannot show that: run "
                + $"./equivalence --pair {Name} --seed {program.Seed} --programs 1\n");

    private static PrintedSide Printed(Side side) =>
        new(side.Options, new(side.Ways switch { Ways.Blocking => false, Ways.Asynchronous => true, _ => null }), side.IsTls, side.Driver.IsPeer);

    /// <summary>Returns all pairs of a server, by the names that --pair accepts.</summary>
    public static IReadOnlyList<Pair> All(bool isPostgreSql)
    {
        var driver = isPostgreSql ? Driver.PostgreSql : Driver.MySql;
        Side As(string name, string options = "", Ways ways = Ways.AsWritten) => new(name, driver, options, ways);
        var defaults = As("defaults");
        var pairs = new List<Pair> { new("off", defaults, As("all off", Lever.AllOff(isPostgreSql))) };
        foreach (var lever in Lever.All)
            if (lever.Off(isPostgreSql) is { } off)
                pairs.Add(new(lever.Name, defaults, As($"{lever.Name} off", off) with { IsTls = lever.NeedsTls }));
        for (var i = 0; i < pairs.Count; i++)
            if (pairs[i].Second.IsTls)
                pairs[i] = pairs[i] with { First = As("defaults inside TLS") with { IsTls = true } };
        pairs.Add(new("async", As("blocking", ways: Ways.Blocking), As("asynchronous", ways: Ways.Asynchronous)));
        pairs.Add(new("tls", defaults, As("inside TLS") with { IsTls = true }));
        if (!isPostgreSql)
        {
            pairs.Add(new("compression", defaults, As("compressed", "Use Compression=true")));
            // The results of merged inserts differ from those of the single commands. Both sides therefore merge, and differ in preparation only.
            pairs.Add(new("merged", As("merged", Merging), As("merged, nothing prepared", Merging + ";Auto Prepare=false")));
        }

        pairs.Add(new("refusals", As("one server"), As("a cluster that refuses") with { IsCluster = true }));
        pairs.Add(new("peer", defaults, isPostgreSql ? new("Npgsql", Driver.Npgsql, "") : new("MySqlConnector", Driver.MySqlConnector, "")));
        return pairs;
    }
}
