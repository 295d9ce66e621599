using System.Globalization;
using Slipstream.MySql;

namespace Slipstream.Live.MySql;

/// <summary>Executes single commands whose answers are compared as text.</summary>
internal static class Spoken
{
    /// <summary>Executes a text.</summary>
    public static async Task Do(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await command.ExecuteNonQueryAsync();
    }

    /// <summary>Returns the rows of a text: commas between values, bars between rows.</summary>
    public static async Task<string> Read(MySqlConnection connection, string sql)
    {
        await using var command = new MySqlCommand(sql, connection);
        await using var reader = await command.ExecuteReaderAsync();
        var lines = new List<string>();
        while (await reader.ReadAsync())
            lines.Add(string.Join(',', Enumerable.Range(0, reader.FieldCount).Select(i => Convert.ToString(reader.GetValue(i), CultureInfo.InvariantCulture))));
        return string.Join(" | ", lines);
    }
}
