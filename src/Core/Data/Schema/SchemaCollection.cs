using System.Collections.Frozen;

namespace Slipstream.Core.Data;

/// <summary>
/// One collection of <c>GetSchema</c>, as data: what it is called, what may restrict it, its columns, and where its rows come from:
/// a statement that is made of all this, or rows that are known without one.
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

    /// <param name="name">What <c>GetSchema</c> is asked for.</param>
    /// <param name="columns">
    /// Their names; behind a colon the type when it is not text; a line with <c>=</c> is one column whose expression in SQL is not its name.
    /// </param>
    public SchemaCollection(string name, string columns)
    {
        Name = name;
        var declared = columns.Split('\n').SelectMany(static line => line.Contains('=') ? [line] : line.Split(','));
        Columns = [.. declared.Where(static one => !string.IsNullOrWhiteSpace(one)).Select(Column)];
    }

    /// <summary>What GetSchema is asked for.</summary>
    public string Name { get; }

    /// <summary>How many parts its names have, as MetaDataCollections says.</summary>
    public int IdentifierParts { get; init; }

    /// <summary>Its columns: name, CLR type, and the expression in SQL.</summary>
    public IReadOnlyList<(string Name, Type Type, string Expression)> Columns { get; }

    /// <summary>What may restrict it, in order, as <c>Name=expression</c>, with commas between.</summary>
    public string Restrictions { get; init; } = "";

    /// <summary>What stands behind FROM. Without: <see cref="Rows"/>.</summary>
    public string? From { get; init; }

    /// <summary>What stands behind WHERE always.</summary>
    public string? Where { get; init; }

    /// <summary>What stands behind ORDER BY; null for any order.</summary>
    public string? OrderBy { get; init; }

    /// <summary>The rows that need no statement. A connection that must be open for them says so itself.</summary>
    public Func<ProviderConnection, IEnumerable<object?[]>>? Rows { get; init; }

    internal IReadOnlyList<(string Name, string Expression)> RestrictionList =>
        [.. Restrictions.Split(',', StringSplitOptions.RemoveEmptyEntries).Select(static one => one.Split('=') is [var name, var expression]
            ? (name.Trim(), expression.Trim()) : throw new FormatException($"A restriction is Name=expression, not '{one}'."))];

    // What a restriction is compared with, in the words of the collection itself where it has the column.
    internal string ColumnOf(string expression) => Columns.LastOrDefault(column => column.Expression == expression).Name ?? expression;

    private static (string Name, Type Type, string Expression) Column(string text)
    {
        var at = text.IndexOf('=', StringComparison.Ordinal);
        var declared = (at < 0 ? text : text[..at]).Trim().Split(':');
        return (declared[0], declared.Length == 1 ? typeof(string) : Types[declared[1]], at < 0 ? declared[0] : text[(at + 1)..].Trim());
    }
}
