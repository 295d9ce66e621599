using System.Text.RegularExpressions;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Scaffolding.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Scaffolding;

/// <summary>Makes a column of a row of information_schema.COLUMNS.</summary>
internal static partial class ColumnReader
{
    private const string GuidType = "char(36)";
    private const string GuidCollation = "ascii_general_ci";

    /// <summary>Reads a row: table, name, type, nullable, default, extra, comment, character set, collation, expression.</summary>
    public static DatabaseColumn Read(DatabaseTable table, string?[] row, bool isMariaDb, bool isJson)
    {
        var (type, extra) = (isJson ? "json" : WithoutWidth(row[2]!), row[5] ?? "");
        var column = new DatabaseColumn
        {
            Table = table, Name = row[1]!, StoreType = type, IsNullable = row[3] == "YES", Comment = string.IsNullOrEmpty(row[6]) ? null : row[6],
        };
        if (!string.IsNullOrEmpty(row[9]))
        {
            column.ComputedColumnSql = isMariaDb ? row[9] : Unescaped(row[9]!);
            column.IsStored = !extra.Contains("VIRTUAL", StringComparison.OrdinalIgnoreCase);
        }
        else if (extra.Contains("auto_increment", StringComparison.OrdinalIgnoreCase))
        {
            column.ValueGenerated = ValueGenerated.OnAdd;
        }
        else if (extra.Contains("on update", StringComparison.OrdinalIgnoreCase))
        {
            column.ValueGenerated = ValueGenerated.OnAddOrUpdate;
            column[MySqlAnnotationNames.ValueGenerationStrategy] = MySqlValueGenerationStrategy.ComputedColumn;
        }
        else
        {
            column.DefaultValueSql = isMariaDb ? MariaDbDefault(row[4], table.Database?.DatabaseName) : MySqlDefault(row[4], extra, type);
        }

        if (!isJson && row[8] is { } collation && !(type == GuidType && collation == GuidCollation))
            SetCollation(column, row[7], collation);
        return column;
    }

    /// <summary>The character set of a collation: the first word of its name.</summary>
    public static string CharSetOf(string collation) =>
        collation.IndexOf('_', StringComparison.Ordinal) is > 0 and var end ? collation[..end] : collation;

    // Only what is not the table's own, or the database's.
    private static void SetCollation(DatabaseColumn column, string? charSet, string collation)
    {
        var usual = column.Table[RelationalAnnotationNames.Collation] as string ?? column.Table.Database?.Collation;
        if (collation == usual)
            return;
        column.Collation = collation;
        if (charSet is not null && (usual is null || charSet != CharSetOf(usual)))
            column[MySqlAnnotationNames.CharSet] = charSet;
    }

    // The width of integers means nothing, except that tinyint(1) is a boolean.
    private static string WithoutWidth(string type) => type.StartsWith("tinyint(1)", StringComparison.OrdinalIgnoreCase) ? type
        // MySQL's own name for what every server creates as geometrycollection.
        : type == "geomcollection" ? "geometrycollection"
        : Width().Replace(type, "$1");

    // The server writes the name of the database before that of a sequence. The model may be created in another one.
    private static string? MariaDbDefault(string? value, string? database) => value is null or "NULL" ? null
        : value.Replace($"nextval(`{database?.Replace("`", "``", StringComparison.Ordinal)}`.", "nextval(", StringComparison.Ordinal);

    private static string? MySqlDefault(string? value, string extra, string type) => value switch
    {
        null => null,
        _ when extra.Contains("DEFAULT_GENERATED", StringComparison.OrdinalIgnoreCase) =>
            value.StartsWith("CURRENT_TIMESTAMP", StringComparison.OrdinalIgnoreCase) ? value : $"({Unescaped(value)})",
        // The default of a binary column is shown as a number in hexadecimal.
        _ when type.Contains("binary", StringComparison.OrdinalIgnoreCase) && value.StartsWith("0x", StringComparison.Ordinal) => value,
        _ when value.StartsWith("b'", StringComparison.Ordinal) || Number().IsMatch(type) => value,
        _ => MySqlStringTypeMapping.Literal(value, false),
    };

    // MySQL shows an expression as if it were inside a text: with a backslash before each quote and each backslash.
    private static string Unescaped(string expression) => Escaped().Replace(expression, "$1");

    [GeneratedRegex(@"\\(.)", RegexOptions.Singleline)]
    private static partial Regex Escaped();

    [GeneratedRegex(@"^((?:tiny|small|medium|big)?int)\(\d+\)", RegexOptions.IgnoreCase)]
    private static partial Regex Width();

    [GeneratedRegex("^(?:(?:tiny|small|medium|big)?int|decimal|float|double)", RegexOptions.IgnoreCase)]
    private static partial Regex Number();
}
