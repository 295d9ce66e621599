using Dapper;
using Slipstream.Lab;

namespace Slipstream.Compat;

public class DapperTests
{
    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Parameters_lists_and_several_results(ServerKind kind)
    {
        await using var connection = new MySqlConnection(await Servers.ConnectionString(kind));
        Assert.Equal(3, await connection.ExecuteScalarAsync<int>("SELECT @a + @b", new { a = 1, b = 2 }));
        Assert.Equal(
            [2L, 3L],
            await connection.QueryAsync<long>("SELECT n FROM (SELECT 1 n UNION SELECT 2 UNION SELECT 3) t WHERE n IN @ns", new { ns = new[] { 2, 3 } }));
        await using var results = await connection.QueryMultipleAsync("SELECT 1; SELECT 'two'");
        Assert.Equal((1L, "two"), (await results.ReadSingleAsync<long>(), await results.ReadSingleAsync<string>()));
    }
}
