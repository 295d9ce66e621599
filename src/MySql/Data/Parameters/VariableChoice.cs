using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>
/// Which of a statement's names are parameters and which the server's user variables: decided by the list of parameters, once for each shape of it,
/// and not again for each execution.
/// </summary>
internal sealed class VariableChoice(ScannedSql scanned, MySqlParameterCollection? parameters)
{
    private readonly int _shape = parameters?.Shape ?? 0;
    private readonly int _count = parameters?.Count ?? 0;

    /// <summary>The statement with its parameters only.</summary>
    public ScannedSql Chosen { get; } = scanned.Without(name => parameters is not null && parameters.IndexInText(name) >= 0);

    public bool IsFor(ScannedSql other, MySqlParameterCollection? others) =>
        ReferenceEquals(other, scanned) && ReferenceEquals(others, parameters) && (others?.Count ?? 0) == _count && (others?.Shape ?? 0) == _shape;
}
