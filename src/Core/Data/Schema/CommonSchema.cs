using System.Data.Common;
using System.Globalization;

namespace Slipstream.Core.Data;

/// <summary>The collections whose columns ADO.NET defines ("Common Schema Collections").</summary>
internal static class CommonSchema
{
    private const string TypeColumns = """
        TypeName, ProviderDbType:int, ColumnSize:long, CreateFormat, CreateParameters, DataType, IsAutoIncrementable:bool, IsBestMatch:bool, IsCaseSensitive:bool
        IsFixedLength:bool, IsFixedPrecisionScale:bool, IsLong:bool, IsNullable:bool, IsSearchable:bool, IsSearchableWithLike:bool, IsUnsigned:bool, MaximumScale:short
        MinimumScale:short, IsConcurrencyType:bool, IsLiteralSupported:bool, LiteralPrefix, LiteralSuffix, NativeDataType
        """;

    private const string SourceColumns = """
        CompositeIdentifierSeparatorPattern, DataSourceProductName, DataSourceProductVersion, DataSourceProductVersionNormalized, GroupByBehavior:groupby
        IdentifierPattern, IdentifierCase:case, OrderByColumnsInSelect:bool, ParameterMarkerFormat, ParameterMarkerPattern, ParameterNameMaxLength:int
        QuotedIdentifierPattern, QuotedIdentifierCase:case, ParameterNamePattern, StatementSeparatorPattern, StringLiteralPattern, SupportedJoinOperators:joins
        """;

    /// <summary>DataSourceInformation: one row of what is the same for every server of a kind.</summary>
    /// <param name="product">DataSourceProductName.</param>
    /// <param name="identifier">What a name without quotes is.</param>
    /// <param name="quotedIdentifier">What stands between quotes.</param>
    /// <param name="longestName">Of parameters.</param>
    public static SchemaCollection DataSourceInformation(string product, string identifier, string quotedIdentifier, int longestName) =>
        new("DataSourceInformation", SourceColumns)
        {
            Rows = connection =>
            [
                [
                    @"\.", product, connection.ServerVersion, Normalized(connection.ServerVersion), GroupByBehavior.Unrelated,
                    identifier, IdentifierCase.Insensitive, false, "{0}",
                    "(@[A-Za-z0-9_$#]*)", longestName, quotedIdentifier, IdentifierCase.Sensitive, @"^[\p{L}\p{Nd}_$#@]+(?=\s+|$)", ";", "'(([^']|'')*)'",
                    SupportedJoinOperators.Inner | SupportedJoinOperators.LeftOuter | SupportedJoinOperators.RightOuter | SupportedJoinOperators.FullOuter,
                ],
            ],
        };

    /// <summary>ReservedWords.</summary>
    /// <param name="words">With blanks between.</param>
    public static SchemaCollection ReservedWords(string words) => new("ReservedWords", "ReservedWord")
    {
        Rows = _ => words.Split([' ', '\n', '\r'], StringSplitOptions.RemoveEmptyEntries).Select(static word => new object?[] { word }),
    };

    /// <summary>DataTypes.</summary>
    /// <param name="types">
    /// A line each: name, number of the provider's type, size, text of a declaration, its parameters, type in .NET, and letters:
    /// a(uto-increment), b(est for the type in .NET), f(ixed length), p(recision and scale are fixed), l(ong), s(earchable by LIKE),
    /// n(ot searchable), u(nsigned), c(ase-sensitive).
    /// </param>
    /// <param name="number">The number of a name of the provider's types.</param>
    /// <param name="more">Columns of the provider's own, behind the others: as a declaration, and each one's value by the name of the provider's type.</param>
    public static SchemaCollection DataTypes(string types, Func<string, int> number, (string Declaration, Func<string, object> Value)? more = null) =>
        new("DataTypes", more is { } own ? $"{TypeColumns}\n{own.Declaration}" : TypeColumns)
        {
            Rows = _ => types.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => TypeRow(line.Trim().Split('|'), number, more?.Value)),
        };

    private static object?[] TypeRow(string[] cells, Func<string, int> number, Func<string, object>? more)
    {
        var letters = cells[6];
        object?[] row =
        [
            cells[0], number(cells[1]), long.Parse(cells[2], CultureInfo.InvariantCulture), cells[3], cells[4].Length == 0 ? null : cells[4], cells[5],
            letters.Contains('a'), letters.Contains('b'), letters.Contains('c'), letters.Contains('f'), letters.Contains('p'), letters.Contains('l'), true,
            !letters.Contains('n'), letters.Contains('s'), letters.Contains('u'), null, null, null, true, null, null, null,
        ];
        return more is null ? row : [.. row, more(cells[1])];
    }

    // "10.11.19-MariaDB" sorts behind "9.7" when each number has as many digits as the others of its place.
    private static string Normalized(string version)
    {
        var end = 0;
        while (end < version.Length && (char.IsAsciiDigit(version[end]) || version[end] == '.'))
            end++;
        int[] numbers = [.. version[..end].Split('.').Select(static part => int.TryParse(part, CultureInfo.InvariantCulture, out var number) ? number : 0), 0, 0, 0];
        return string.Create(CultureInfo.InvariantCulture, $"{numbers[0]:00}.{numbers[1]:00}.{numbers[2]:0000}");
    }
}
