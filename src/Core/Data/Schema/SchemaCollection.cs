using System.Collections.Frozen;

namespace Slipstream.Core.Data;

/// <summary>
/// The declaration of one collection of <c>GetSchema</c>: its name, restrictions and columns, and the source of its rows. The source is a statement built from
/// the declaration, or rows that need no query.
/// </summary>
internal sealed class SchemaCollection
{
    private static readonly FrozenDictionary<string, Type> Types = new Dictionary<string, Type>
    {
        ["bool"] = typeof(bool),
        ["short"] = typeof(short),
        ["int"] = typeof(int),
        ["uint"] = typeof(uint),
        ["long"] = typeof(long),
        ["ulong"] = typeof(ulong),
        ["decimal"] = typeof(decimal),
        ["time"] = typeof(DateTime),
        ["groupby"] = typeof(System.Data.Common.GroupByBehavior),
        ["case"] = typeof(System.Data.Common.IdentifierCase),
        ["joins"] = typeof(System.Data.Common.SupportedJoinOperators),
    }.ToFrozenDictionary();

    /// <param name="name">The name for <c>GetSchema</c>.</param>
    /// <param name="columns">
    /// Names of the columns. A type follows after a colon, unless it is text. A line with <c>=</c> is one column whose SQL expression differs from its name.
    /// </param>
    public SchemaCollection(string name, string columns)
    {
        Name = name;
        var declared = columns.Split('\n').SelectMany(static line => line.Contains('=') ? [line] : line.Split(','));
        Columns = [.. declared.Where(static one => !string.IsNullOrWhiteSpace(one)).Select(Column)];
    }

    /// <summary>The name for <c>GetSchema</c>.</summary>
    public string Name { get; }

    /// <summary>Number of parts of its identifiers, for MetaDataCollections.</summary>
    public int IdentifierParts { get; init; }

    /// <summary>The columns: name, CLR type and SQL expression.</summary>
    public IReadOnlyList<(string Name, Type Type, string Expression)> Columns { get; }

    /// <summary>The restrictions in order, as <c>Name=expression</c>, separated by commas.</summary>
    public string Restrictions { get; init; } = "";

    /// <summary>The FROM clause; null for <see cref="Rows"/>.</summary>
    public string? From { get; init; }

    /// <summary>A constant part of the WHERE clause; null without one.</summary>
    public string? Where { get; init; }

    /// <summary>The ORDER BY clause; null for any order.</summary>
    public string? OrderBy { get; init; }

    /// <summary>Rows that need no query. If they need an open connection, using it throws.</summary>
    public Func<ProviderConnection, IEnumerable<object?[]>>? Rows { get; init; }

    internal IReadOnlyList<(string Name, string Expression)> RestrictionList =>
        [.. Restrictions.Split(',', StringSplitOptions.RemoveEmptyEntries).Select(static one => one.Split('=') is [var name, var expression]
            ? (name.Trim(), expression.Trim()) : throw new FormatException($"A restriction is Name=expression, not '{one}'."))];

    // Name of the column that a restriction compares, if the collection has it; otherwise its expression.
    internal string ColumnOf(string expression) => Columns.LastOrDefault(column => column.Expression == expression).Name ?? expression;

    private static (string Name, Type Type, string Expression) Column(string text)
    {
        var at = text.IndexOf('=', StringComparison.Ordinal);
        var declared = (at < 0 ? text : text[..at]).Trim().Split(':');
        return (declared[0], declared.Length == 1 ? typeof(string) : Types[declared[1]], at < 0 ? declared[0] : text[(at + 1)..].Trim());
    }
}
