using System.Data.Common;

namespace Slipstream.Samples.Fortunes;

internal readonly record struct Fortune(int Id, string Message);

internal static class FortuneTable
{
    private const string Query = "SELECT id, message FROM fortune";
    private const string Added = "Additional fortune added at request time.";

    /// <summary>Returns all rows and an additional one, sorted by message.</summary>
    public static async Task<List<Fortune>> ReadAsync(DbDataSource source, CancellationToken stop)
    {
        var fortunes = new List<Fortune>(16);
        await using (var connection = await source.OpenConnectionAsync(stop))
        {
            await using var command = connection.CreateCommand();
            command.CommandText = Query;
            await using var reader = await command.ExecuteReaderAsync(stop);
            while (await reader.ReadAsync(stop))
                fortunes.Add(new Fortune(reader.GetInt32(0), reader.GetString(1)));
        }

        fortunes.Add(new Fortune(0, Added));
        fortunes.Sort((left, right) => string.CompareOrdinal(left.Message, right.Message));
        return fortunes;
    }
}
