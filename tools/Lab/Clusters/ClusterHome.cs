using System.Globalization;

namespace Slipstream.Lab;

/// <summary>
/// Where the nodes of a cluster are: in private folders, which are deleted with the cluster, or in a folder of the lab, where <c>lab up</c> keeps them running.
/// </summary>
internal sealed class ClusterHome
{
    private readonly ClusterKind _kind;
    private readonly LabFolder? _lab;

    private ClusterHome(ClusterKind kind, LabFolder? lab)
    {
        _kind = kind;
        _lab = lab;
    }

    /// <summary>Returns the home of a cluster that ends with its object.</summary>
    public static ClusterHome Private(ClusterKind kind) => new(kind, null);

    /// <summary>Returns the home of the one cluster of this kind that outlives the program.</summary>
    public static ClusterHome Kept(LabFolder lab, ClusterKind kind) => new(kind, lab);

    /// <summary>Starts a node with empty data.</summary>
    /// <param name="number">The node's number; the first is 1.</param>
    /// <param name="recipe">The recipe of this node.</param>
    /// <param name="arguments">Further arguments of the server's program.</param>
    /// <param name="ct">Cancels the start.</param>
    public async Task<LabServer> StartAsync(int number, ServerRecipe recipe, IReadOnlyList<string> arguments, CancellationToken ct)
    {
        if (_lab is null)
            return await LabServer.StartPrivateAsync(recipe, _kind.Word(), arguments, ct);
        new LabInstance(_lab, recipe, Folder(number), isPrivate: false).DiscardData();
        var server = await LabServer.StartNodeAsync(recipe, Folder(number), arguments, ct);
        server.Instance.Keep();
        return server;
    }

    /// <summary>Returns a node that an earlier program started.</summary>
    public LabServer Open(int number, ServerRecipe recipe, IReadOnlyList<string> arguments) => LabServer.OpenNode(recipe, _lab!, Folder(number), arguments);

    /// <summary>Reads what <see cref="Write"/> has written, or null.</summary>
    public int[]? Read() => _lab is not null && File.Exists(PlanFile)
        ? [.. File.ReadAllLines(PlanFile).Select(static line => int.Parse(line, CultureInfo.InvariantCulture))]
        : null;

    /// <summary>Writes the numbers that a later program needs to open the cluster. A private cluster needs nothing.</summary>
    public void Write(params IReadOnlyList<int> plan)
    {
        if (_lab is null)
            return;
        Directory.CreateDirectory(_lab[_kind.Word()]);
        File.WriteAllLines(PlanFile, plan.Select(static number => number.ToString(CultureInfo.InvariantCulture)));
    }

    /// <summary>Stops all servers, even if a program uses them or they are paused. Returns whether they have ended.</summary>
    public async Task<bool> StopAllAsync()
    {
        // Of the recipe, only the signal for the end counts.
        ServerRecipe recipe = _kind == ClusterKind.PgReplication ? new PostgreSqlRecipe() : new MariaDbRecipe();
        var folder = _lab![_kind.Word()];
        LabInstance[] nodes = Directory.Exists(folder)
            ? [.. Directory.GetDirectories(folder, "node*").Select(node => new LabInstance(_lab, recipe, node, isPrivate: false))]
            : [];
        // All of them end at the same time.
        foreach (var node in nodes)
            node.Release();
        var ended = await Task.WhenAll(nodes.Select(static async node =>
        {
            if (!await node.WaitForEndAsync(TimeSpan.FromSeconds(35)))
                await node.StopAsync();
            return !node.IsRunning;
        }));
        return ended.All(static one => one);
    }

    private string PlanFile => _lab![_kind.Word(), "plan"];

    private string Folder(int number) => _lab![_kind.Word(), string.Create(CultureInfo.InvariantCulture, $"node{number}")];
}
