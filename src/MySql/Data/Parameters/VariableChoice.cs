using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>
/// Decides which names in a statement are parameters and which are user variables of the server. The list of parameters decides; the choice is made once per
/// shape of the list, not at each execution.
/// </summary>
internal sealed class VariableChoice(ScannedSql scanned, MySqlParameterCollection? parameters)
{
    private readonly int _shape = parameters?.Shape ?? 0;
    private readonly int _count = parameters?.Count ?? 0;

    /// <summary>The statement with only its parameters.</summary>
    public ScannedSql Chosen { get; } = scanned.Without(name => parameters is not null && parameters.IndexInText(name) >= 0);

    /// <summary>Whether this choice was made for this statement and the list in its current shape.</summary>
    public bool IsFor(ScannedSql other, MySqlParameterCollection? others) =>
        ReferenceEquals(other, scanned) && ReferenceEquals(others, parameters) && (others?.Count ?? 0) == _count && (others?.Shape ?? 0) == _shape;
}
