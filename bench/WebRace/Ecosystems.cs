using System.Globalization;
using Slipstream.Bench;
using Slipstream.Lab;

namespace Slipstream.WebRace;

/// <summary>The sites of other ecosystems: Netty with JDBC, and Node.</summary>
internal sealed class Ecosystems
{
    private readonly int _pool;
    private readonly List<(string Name, IReadOnlyList<string> Words, int Processes)> _sites = [];

    /// <param name="folder">The folder <c>artifacts/race</c>, in which <c>./race</c> has built what could be had.</param>
    /// <param name="hasJava">Whether Java takes part.</param>
    /// <param name="hasNode">Whether Node takes part.</param>
    /// <param name="pool">The connections of each site.</param>
    /// <param name="processors">The number of the machine's processors.</param>
    public Ecosystems(string folder, bool hasJava, bool hasNode, int pool, int processors)
    {
        _pool = pool;
        if (hasJava)
            Add("Java", ForeignProgram.Java(folder, "slipstream.race.Site"), 1);
        if (hasNode)
        {
            var node = ForeignProgram.Node(folder, "site.js");
            Add("Node", node, 1);
            if (processors > 1 && node.Missing is null)
                Add($"Node × {processors}", node, processors);
        }
    }

    /// <summary>Gets the contestants that do not take part, and why.</summary>
    public Dictionary<string, string> Missing { get; } = [];

    public IEnumerable<SiteProgram> For(LabServer server, Seating seating)
    {
        foreach (var (name, words, processes) in _sites)
        {
            // On one processor, more processes only wait for each other.
            if (processes > 1 && seating == Seating.Divided)
                continue;
            var variables = ForeignProgram.ServerVariables(
                server.Kind.IsPostgreSql(), server.Host, server.Port, server.User, server.Password, Tables.Database);
            variables["RACE_POOL"] = _pool.ToString(CultureInfo.InvariantCulture);
            variables["RACE_PROCESSES"] = processes.ToString(CultureInfo.InvariantCulture);
            yield return new(name, words, variables, CountsBytes: false);
        }
    }

    private void Add(string name, ForeignProgram program, int processes)
    {
        if (program.Missing is null)
            _sites.Add((name, program.Words, processes));
        else
            Missing.Add(name, program.Missing);
    }
}
