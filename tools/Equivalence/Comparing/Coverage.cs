using System.Globalization;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Comparing;

/// <summary>Counts the programs, their steps, the kinds of steps, and the pairs of neighbouring kinds.</summary>
internal sealed class Coverage
{
    private readonly HashSet<string> _kinds = [];
    private readonly HashSet<(string, string)> _neighbours = [];
    private readonly Lock _gate = new();

    public int Programs { get; private set; }

    public long Steps { get; private set; }

    public int Kinds => _kinds.Count;

    public int Neighbours => _neighbours.Count;

    public void Add(EquivalenceProgram program)
    {
        lock (_gate)
        {
            Programs++;
            var last = "";
            foreach (var step in program.Steps)
            {
                Steps += step is CommandStep command ? command.Times : 1;
                _kinds.Add(step.Kind);
                _neighbours.Add((last, step.Kind));
                last = step.Kind;
            }
        }
    }

    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{Programs} programs, {Steps} steps, {Kinds} kinds, {Neighbours} pairs of neighbours");
}
