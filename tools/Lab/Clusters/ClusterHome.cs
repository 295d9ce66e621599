using System.Globalization;

namespace Slipstream.Lab;

/// <summary>
/// Where the nodes of a cluster are: in private folders, which are deleted with the cluster, or in a folder of the lab, where <c>lab up</c> keeps them running.
/// </summary>
internal sealed class ClusterHome
{
    private readonly string _word;
    private readonly LabFolder? _lab;

    private ClusterHome(string word, LabFolder? lab)
    {
        _word = word;
        _lab = lab;
    }

    /// <summary>Returns the home of a cluster that ends with its object.</summary>
    public static ClusterHome Private(ClusterKind kind) => new(kind.Word(), null);

    /// <summary>Returns the home of the one cluster of this kind that outlives the program.</summary>
    public static ClusterHome Kept(LabFolder lab, ClusterKind kind) => new(kind.Word(), lab);

    /// <summary>Starts a node with empty data.</summary>
    /// <param name="number">The node's number; the first is 1.</param>
    /// <param name="recipe">The recipe of this node.</param>
    /// <param name="arguments">Further arguments of the server's program.</param>
    /// <param name="ct">Cancels the start.</param>
    public async Task<LabServer> StartAsync(int number, ServerRecipe recipe, IReadOnlyList<string> arguments, CancellationToken ct)
    {
        if (_lab is null)
            return await LabServer.StartPrivateAsync(recipe, _word, arguments, ct);
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
        Directory.CreateDirectory(_lab[_word]);
        File.WriteAllLines(PlanFile, plan.Select(static number => number.ToString(CultureInfo.InvariantCulture)));
    }

    private string PlanFile => _lab![_word, "plan"];

    private string Folder(int number) => _lab![_word, string.Create(CultureInfo.InvariantCulture, $"node{number}")];
}
