using System.Numerics;
using System.Text;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>
/// Every type of value into every type of column, with every bulk copy method: the copy stores what an INSERT with a parameter stores, or is refused.
/// </summary>
public class BulkCopyMatrixTests
{
    private enum Choice : short
    {
        Twelve = 12,
    }

    private static readonly object[] Values =
    [
        true, false, (sbyte)-5, (byte)200, (short)-300, (ushort)60_000, 12, 4_000_000_000u, -5_000_000_000L, ulong.MaxValue, Choice.Twelve, 20240102, 2024, 0,
        1.5f, 0.1f, 0.1, -2.5, 1e300, 1e14, 1e15, 123456789012345680.0, 1e-5, -1.5e-7, 1e-14, 1.25e-15, 12.34m, -1.0005m, 12.000m,
        79228162514264337593543950335m, new BigInteger(1) << 70,
        "abc", "12", "-1.5", "é€", "2024-01-02 03:04:05.678", " 1e1 ", "12 apples", ".5", "-", "11:12:13.5", "[1, 2]", "", "NULL", "a\\'b\n,\0c", 'x',
        "c1".ToCharArray(), new StringBuilder("built"),
        "12"u8.ToArray(), new byte[] { 0, 39, 92, 255, 10 }, new ReadOnlyMemory<byte>("abc"u8.ToArray()), new Guid("00112233-4455-6677-8899-aabbccddeeff"),
        new DateTime(2024, 1, 2, 3, 4, 5).AddMicroseconds(678_000), new DateTime(2024, 1, 2, 3, 4, 5), new DateTime(2024, 1, 2),
        new DateTime(2024, 12, 31, 23, 59, 59).AddMicroseconds(999_999),
        new DateTimeOffset(2024, 1, 2, 3, 4, 5, 678, TimeSpan.FromHours(2)), new MySqlDateTime(2024, 1, 2, 3, 4, 5, 678_000),
        new MySqlDateTime(0, 0, 0, 0, 0, 0, 0), new DateOnly(2024, 1, 2),
        new TimeSpan(0, 3, 4, 5, 678), new TimeSpan(-26, -4, -5), new TimeOnly(3, 4, 5), TimeSpan.Zero, new[] { 1f, 2f },
    ];

    private static readonly string[] Columns =
    [
        "TINYINT", "TINYINT(1)", "SMALLINT UNSIGNED", "INT", "BIGINT", "BIGINT UNSIGNED", "DECIMAL(30,3)", "FLOAT", "DOUBLE", "BIT(1)", "BIT(20)", "BIT(64)",
        "YEAR",
        "DATE", "TIME", "TIME(6)", "DATETIME", "DATETIME(6)", "TIMESTAMP(3) NULL", "CHAR(40) CHARACTER SET latin1", "VARCHAR(60) CHARACTER SET utf8mb4",
        "VARCHAR(3) CHARACTER SET utf8mb4",
        "TEXT CHARACTER SET utf8mb4", "BINARY(40)", "VARBINARY(60)", "BLOB", "ENUM('12','abc','2024','1')", "SET('12','abc')", "ENUM('x','y')", "SET('x','y')",
        "JSON", "GEOMETRY",
    ];

    public static TheoryData<ServerKind, MySqlBulkCopyMethod, string> Matrix()
    {
        var data = new TheoryData<ServerKind, MySqlBulkCopyMethod, string>();
        foreach (var kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11])
        {
            foreach (var wire in (MySqlBulkCopyMethod[])[MySqlBulkCopyMethod.LoadData, MySqlBulkCopyMethod.MultiRow, MySqlBulkCopyMethod.BulkExecute])
            {
                if (wire == MySqlBulkCopyMethod.BulkExecute && kind == ServerKind.MySql)
                    continue;
                foreach (var mode in (string[])["STRICT_TRANS_TABLES", ""])
                    data.Add(kind, wire, mode);
            }
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Matrix))]
    public async Task A_copied_value_is_stored_as_an_INSERT_would_store_it_or_refused(ServerKind kind, MySqlBulkCopyMethod wire, string mode)
    {
        var server = await LiveServers.GetAsync(kind);
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Allow Load Local Infile=true;Auto Prepare=Off"));
        await connection.OpenAsync();
        await Execute(connection, $"SET sql_mode='{mode}', time_zone='+00:00'");
        await Execute(connection, $"CREATE TEMPORARY TABLE bulk_matrix ({string.Join(", ", Columns.Select(static (type, i) => $"c{i} {type}"))})");
        var differences = new List<string>();
        foreach (var value in Values)
        {
            var expected = new string?[Columns.Length];
            for (var i = 0; i < Columns.Length; i++)
            {
                if (await Insert(connection, i, value))
                    expected[i] = (await TakeRow(connection))[i];
            }

            var accepted = Enumerable.Range(0, Columns.Length).Where(i => expected[i] is not null).ToArray();
            if (await Copy(connection, wire, accepted, value))
                Compare(await TakeRow(connection), accepted);
            else
            {
                foreach (var i in accepted)
                {
                    if (await Copy(connection, wire, [i], value))
                        Compare(await TakeRow(connection), [i]);
                    else if (!MayBeRefused(wire, value, Columns[i]))
                        differences.Add($"(refused) {Name(value)} into {Columns[i]}: INSERT {expected[i]}, {_last}");
                }
            }

            foreach (var i in Enumerable.Range(0, Columns.Length).Except(accepted))
            {
                await Execute(connection, "DELETE FROM bulk_matrix");
                // A line of LOAD DATA contains only text: the digits of a number are valid JSON, and MySqlConnector stores them.
                if (await Copy(connection, wire, [i], value)
                    && !(
                        wire == MySqlBulkCopyMethod.LoadData && Columns[i] == "JSON" && expected[i] is null && GroupOf(value) is Group.Whole or Group.Floating))
                    differences.Add($"{Name(value)} into {Columns[i]}: INSERT refuses, the copy stored {(await TakeRow(connection))[i]}");
            }

            void Compare(string[] stored, int[] columns)
            {
                foreach (var i in columns)
                {
                    if (stored[i] != expected[i])
                        differences.Add($"{Name(value)} into {Columns[i]}: INSERT {expected[i]}, the copy {stored[i]}");
                }
            }
        }

        Assert.True(differences.Count == 0, string.Join(Environment.NewLine, differences));
    }

    private string _last = "";

    private enum Group
    {
        Whole,
        Decimal,
        Floating,
        Text,
        Bytes,
        Day,
        Moment,
        Clock,
    }

    private static Group GroupOf(object value) => value switch
    {
        bool or sbyte or byte or short or ushort or int or uint or long or ulong or Enum => Group.Whole,
        decimal or BigInteger => Group.Decimal,
        float or double => Group.Floating,
        DateTime or DateTimeOffset or MySqlDateTime => Group.Moment,
        DateOnly => Group.Day,
        TimeSpan or TimeOnly => Group.Clock,
        byte[] or ReadOnlyMemory<byte> or float[] => Group.Bytes,
        _ => Group.Text,
    };

    // LOAD DATA reads these values differently from INSERT, and no form in the line has the same result.
    private static bool MayBeRefused(MySqlBulkCopyMethod wire, object value, string column)
    {
        var type = column.Split('(', ' ')[0];
        if (wire == MySqlBulkCopyMethod.MultiRow)
            return (value is ulong.MaxValue && type == "TIME") || (value is " 1e1 " && type == "YEAR");
        return wire == MySqlBulkCopyMethod.LoadData && (GroupOf(value), type) switch
        {
            (Group.Moment or Group.Day or Group.Clock, "TINYINT" or "SMALLINT" or "INT" or "BIGINT" or "DECIMAL" or "FLOAT" or "DOUBLE" or "BIT" or "YEAR") =>
                true,
            (Group.Clock, "DATE" or "DATETIME" or "TIMESTAMP") or (Group.Day, "TIME") => true,
            (Group.Whole, "DATE" or "DATETIME" or "TIMESTAMP") => value is not (20240102 or 0 or false),
            (Group.Whole, "TIME") => value is not (12 or 2024 or 0 or true or false),
            (Group.Whole, "ENUM" or "SET") => column.Contains("12", StringComparison.Ordinal) || value is not true,
            (Group.Floating or Group.Decimal, "YEAR" or "DATE" or "DATETIME" or "TIMESTAMP" or "TIME" or "ENUM" or "SET" or "JSON") => true,
            (Group.Floating or Group.Decimal, "BIT") => value is not (12.000m or 1e14),
            (Group.Floating, "VARCHAR") => column.StartsWith("VARCHAR(3)", StringComparison.Ordinal),
            (Group.Text, "DECIMAL") => value is "12 apples" or "2024-01-02 03:04:05.678" or "11:12:13.5" or Guid,
            (Group.Bytes, not ("BINARY" or "VARBINARY" or "BLOB" or "BIT" or "GEOMETRY")) => value is float[] or byte[] { Length: 5 },
            _ => false,
        };
    }

    private async Task<bool> Insert(MySqlConnection connection, int column, object value)
    {
        await using var insert = new MySqlCommand($"INSERT INTO bulk_matrix (c{column}) VALUES (@value)", connection);
        insert.Parameters.AddWithValue("@value", value);
        try
        {
            await insert.ExecuteNonQueryAsync();
            return true;
        }
        catch (MySqlException)
        {
            return false;
        }
    }

    private async Task<bool> Copy(MySqlConnection connection, MySqlBulkCopyMethod wire, int[] columns, object value)
    {
        if (columns.Length == 0)
            return false;
        var bulk = new MySqlBulkCopy(connection) { DestinationTableName = "bulk_matrix", Method = wire };
        for (var i = 0; i < columns.Length; i++)
            bulk.ColumnMappings.Add(new(i, $"c{columns[i]}"));
        try
        {
            await bulk.WriteToServerAsync(columns.Take(1), (row, _) =>
            {
                for (var i = 0; i < columns.Length; i++)
                    row.Write(value);
            });
            return true;
        }
        catch (Exception exception) when (exception is MySqlException or NotSupportedException)
        {
            _last = exception.Message;
            return false;
        }
    }

    private static async Task<string[]> TakeRow(MySqlConnection connection)
    {
        var stored = new string[Columns.Length];
        await using (
            var command = new MySqlCommand(
                $"SELECT {string.Join(", ", Columns.Select(static (type, i) => type is "FLOAT" ? $"c{i} + 0e0" : $"HEX(CONCAT(c{i}))"))} FROM bulk_matrix",
                connection))
        await using (var reader = await command.ExecuteReaderAsync())
        {
            Assert.True(await reader.ReadAsync());
            for (var i = 0; i < stored.Length; i++)
                stored[i] = reader.IsDBNull(i) ? "NULL" : Shown(reader.GetString(i));
        }

        await Execute(connection, "DELETE FROM bulk_matrix");
        return stored;
    }

    // Printable text is easier to read as text than as digits.
    private static string Shown(string stored)
    {
        if (stored.Length % 2 != 0 || !stored.All(char.IsAsciiHexDigit))
            return stored;
        var bytes = Convert.FromHexString(stored);
        return bytes.All(static b => b is >= 32 and < 127) ? "'" + Encoding.ASCII.GetString(bytes) + "'" : stored;
    }

    private static string Name(object value) => value switch
    {
        byte[] bytes => "byte[] " + Convert.ToHexString(bytes),
        DateTime date => $"DateTime {date:O}",
        _ => FormattableString.Invariant($"{value.GetType().Name} {value}"),
    };

    private static async Task Execute(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }
}
