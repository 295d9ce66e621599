using System.Data.Common;
using System.Globalization;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Race.Servers;
using Slipstream.WebRace;

namespace Slipstream.PeerRace;

/// <summary>What the database has, to check what the contestants read.</summary>
/// <param name="worlds">The numbers of the table <c>world</c> by their ids.</param>
internal sealed class Expected(IReadOnlyDictionary<int, int> worlds)
{
    private static readonly string Fortunes = Checksum.Of(
        FortuneTexts.All.Select(static (text, index) => (Id: index + 1, Message: text)).Append((Id: 0, Message: "Additional fortune added at request time."))
            .OrderBy(static one => one.Message, StringComparer.Ordinal));

    public static async Task<Expected> ReadAsync(LabServer server, CancellationToken stop)
    {
        var text = Tables.ConnectionString(server, "seed");
        await using DbConnection connection = server.Kind.IsPostgreSql() ? new PgConnection(text) : new MySqlConnection(text);
        await connection.OpenAsync(stop);
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT id, randomnumber FROM world";
        await using var reader = await command.ExecuteReaderAsync(stop);
        var worlds = new Dictionary<int, int>();
        while (await reader.ReadAsync(stop))
            worlds.Add(reader.GetInt32(0), reader.GetInt32(1));
        return new(worlds);
    }

    /// <summary>Returns whether the database has what a contestant read: <c>ID:NUMBER</c> of a row, or the checksum of the fortunes.</summary>
    public bool IsRight(string scenario, string check) => scenario == Plan.Fortunes
        ? check == Fortunes
        : check.Split(':') is [var id, var number] && int.TryParse(id, NumberStyles.None, CultureInfo.InvariantCulture, out var key)
            && worlds.TryGetValue(key, out var expected) && number == expected.ToString(CultureInfo.InvariantCulture);
}
