using System.Globalization;
using Microsoft.EntityFrameworkCore.Scaffolding.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Scaffolding;

/// <summary>Reads the sequences of MariaDB, each of which is a table of one row with its options. The type of the columns is that of the sequence.</summary>
internal static class SequenceReader
{
    private const string NamesSql =
        """
        SELECT t.TABLE_NAME, c.DATA_TYPE, c.COLUMN_TYPE
        FROM information_schema.TABLES t
        JOIN information_schema.COLUMNS c ON c.TABLE_SCHEMA = t.TABLE_SCHEMA AND c.TABLE_NAME = t.TABLE_NAME AND c.COLUMN_NAME = 'start_value'
        WHERE t.TABLE_SCHEMA = DATABASE() AND t.TABLE_TYPE = 'SEQUENCE' ORDER BY t.TABLE_NAME
        """;

    public static void Read(DatabaseModel model, Func<string, List<string?[]>> rows)
    {
        var types = rows(NamesSql).ToDictionary(
            static row => row[0]!, static row => row[2]!.Contains("unsigned", StringComparison.OrdinalIgnoreCase) ? null : TypeOf(row[1]!));
        if (types.Count == 0)
            return;
        var options = string.Join(
            " UNION ALL ",
            types.Keys.Select(static name =>
                $"SELECT {MySqlStringTypeMapping.Literal(name, false)}, start_value, increment, minimum_value, maximum_value, cycle_option FROM "
                    + $"`{name.Replace("`", "``", StringComparison.Ordinal)}`"));
        foreach (var row in rows(options))
            model.Sequences.Add(Create(model, row, types[row[0]!]));
    }

    private static DatabaseSequence Create(DatabaseModel model, string?[] row, (string Name, Type Type)? type)
    {
        var increment = long.Parse(row[2]!, CultureInfo.InvariantCulture);
        return new DatabaseSequence
        {
            Database = model, Name = row[0]!, StoreType = type?.Name, StartValue = Number(row[1]), IncrementBy = (int)increment,
            MinValue = Number(row[3]) is { } least && !SequenceStatements.IsLeast(least, increment, type?.Type) ? least : null,
            MaxValue = Number(row[4]) is { } most && !SequenceStatements.IsMost(most, increment, type?.Type) ? most : null,
            IsCyclic = row[5] != "0",
        };
    }

    // What EF Core has sequences of.
    private static (string Name, Type Type)? TypeOf(string type) => type switch
    {
        "int" => (type, typeof(int)),
        "smallint" => (type, typeof(short)),
        "bigint" => (type, typeof(long)),
        _ => null,
    };

    // The bound of an unsigned sequence may be larger.
    private static long? Number(string? text) => long.TryParse(text, NumberStyles.Integer, CultureInfo.InvariantCulture, out var number) ? number : null;
}
