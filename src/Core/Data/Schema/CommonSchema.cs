using System.Data.Common;
using System.Globalization;

namespace Slipstream.Core.Data;

/// <summary>The schema collections whose columns ADO.NET defines ("Common Schema Collections").</summary>
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

    /// <summary>Creates DataSourceInformation: one row, the same for every server of a kind.</summary>
    /// <param name="product">Value of DataSourceProductName.</param>
    /// <param name="identifier">Pattern of an unquoted identifier.</param>
    /// <param name="quotedIdentifier">Pattern of the content of a quoted identifier.</param>
    /// <param name="longestName">Maximum length of a parameter's name.</param>
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

    /// <summary>Creates ReservedWords.</summary>
    /// <param name="words">The words, separated by blanks.</param>
    public static SchemaCollection ReservedWords(string words) => new("ReservedWords", "ReservedWord")
    {
        Rows = _ => words.Split([' ', '\n', '\r'], StringSplitOptions.RemoveEmptyEntries).Select(static word => new object?[] { word }),
    };

    /// <summary>Creates DataTypes.</summary>
    /// <param name="types">
    /// One line per type: name, number of the provider's type, size, text of a declaration, its parameters, .NET type, and letters: a(uto-increment), b(est for
    /// the .NET type), f(ixed length), p(recision and scale are fixed), l(ong), s(earchable by LIKE), n(ot searchable), u(nsigned), c(ase-sensitive).
    /// </param>
    /// <param name="number">Returns the number of a name of the provider's types.</param>
    /// <param name="more">
    /// Additional columns of the provider, after the others: their declaration, and the values by the name of the provider's type and the letters.
    /// </param>
    public static SchemaCollection DataTypes(
        string types, Func<string, int> number, (string Declaration, Func<string, string, object[]> Values)? more = null) =>
        new("DataTypes", more is { } own ? $"{TypeColumns}\n{own.Declaration}" : TypeColumns)
        {
            Rows = _ => types.Split('\n', StringSplitOptions.RemoveEmptyEntries).Select(line => TypeRow(line.Trim().Split('|'), number, more?.Values)),
        };

    private static object?[] TypeRow(string[] cells, Func<string, int> number, Func<string, string, object[]>? more)
    {
        var letters = cells[6];
        object?[] row =
        [
            cells[0], number(cells[1]), long.Parse(cells[2], CultureInfo.InvariantCulture), cells[3], cells[4].Length == 0 ? null : cells[4], cells[5],
            letters.Contains('a'), letters.Contains('b'), letters.Contains('c'), letters.Contains('f'), letters.Contains('p'), letters.Contains('l'), true,
            !letters.Contains('n'), letters.Contains('s'), letters.Contains('u'), null, null, null, true, null, null, null,
        ];
        return more is null ? row : [.. row, .. more(cells[1], letters)];
    }

    // "10.11.19-MariaDB" sorts after "9.7" if the numbers at the same position have the same number of digits.
    private static string Normalized(string version)
    {
        var end = 0;
        while (end < version.Length && (char.IsAsciiDigit(version[end]) || version[end] == '.'))
            end++;
        int[] numbers =
            [.. version[..end].Split('.').Select(static part => int.TryParse(part, CultureInfo.InvariantCulture, out var number) ? number : 0), 0, 0, 0];
        return string.Create(CultureInfo.InvariantCulture, $"{numbers[0]:00}.{numbers[1]:00}.{numbers[2]:0000}");
    }
}
