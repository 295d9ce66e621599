using System.Globalization;
using Slipstream.Bench;

namespace Slipstream.PeerRace;

/// <summary>The contestants of a plan.</summary>
/// <param name="plan">What is measured.</param>
/// <param name="folder">The folder <c>artifacts/race</c>, in which <c>./race</c> has built what could be had.</param>
/// <param name="processors">The number of the machine's processors.</param>
internal sealed class Field(Plan plan, string folder, int processors)
{
    /// <summary>Returns the contestants for a server, and those that do not take part.</summary>
    /// <param name="isPostgreSql">Whether the server is PostgreSQL.</param>
    /// <param name="seating">How the processors are divided.</param>
    /// <param name="connectionString">The connection string of the ADO.NET drivers.</param>
    public IReadOnlyList<Entry> For(bool isPostgreSql, Seating seating, string connectionString)
    {
        var worker = Path.GetFullPath(Path.Combine(AppContext.BaseDirectory, "..", "..", "Worker", "release"));
        string[] program = ["dotnet", "exec", Path.Combine(worker, "Slipstream.Worker.dll")];
        var peer = isPostgreSql ? "Npgsql" : "MySqlConnector";
        var entries = new List<Entry>();
        AddDriver(Entry.Ours, Path.Combine(worker, isPostgreSql ? "Slipstream.PostgreSql.dll" : "Slipstream.MySql.dll"));
        AddDriver(peer, Path.Combine(folder, "peers", peer, peer + ".dll"));
        entries.Add(new(Entry.Minimal, Plan.Sync, program, new Dictionary<string, string> { ["RACE_ASSEMBLY"] = "raw" }));
        if (plan.HasJava)
            Add("Java", Plan.Sync, ForeignProgram.Java(folder, "slipstream.race.Worker"), 1);
        if (plan.HasNode)
        {
            var node = ForeignProgram.Node(folder, "worker.js");
            Add("Node", Plan.Async, node, 1);
            // On one processor, more processes only wait for each other.
            if (processors > 1 && seating == Seating.Together)
                Add($"Node × {processors}", Plan.Async, node, processors);
        }

        return [.. entries.Where(entry => plan.Modes.Contains(entry.Mode))];

        void AddDriver(string name, string assembly)
        {
            var missing = name == Entry.Ours || File.Exists(assembly) ? null
                : $"its package could not be restored ({Path.Combine(folder, "peers", name)}.missing)";
            foreach (var mode in Plan.AllModes)
                entries.Add(new(name, mode, program, new Dictionary<string, string>
                {
                    ["RACE_ASSEMBLY"] = assembly, ["RACE_CONNECTION"] = connectionString, ["RACE_MODE"] = mode, ["DOTNET_TieredPGO"] = "1",
                }, missing));
        }

        void Add(string name, string mode, ForeignProgram found, int processes)
        {
            var variables = new Dictionary<string, string> { ["RACE_PROCESSES"] = processes.ToString(CultureInfo.InvariantCulture) };
            entries.Add(new(name, mode, found.Words, variables, found.Missing) { LeastCallers = processes });
        }
    }
}
