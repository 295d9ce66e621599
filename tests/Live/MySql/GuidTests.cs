using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>The results of GetGuid for columns whose type is not Guid.</summary>
public sealed class GuidTests
{
    [Theory]
    [InlineData(ServerKind.MySql, false)]
    [InlineData(ServerKind.MySql, true)]
    [InlineData(ServerKind.MariaDb, false)]
    [InlineData(ServerKind.MariaDb, true)]
    public async Task Sixteen_bytes_and_text_of_a_Guid_are_read_and_all_else_is_an_invalid_cast(ServerKind kind, bool prepare)
    {
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind)));
        await connection.OpenAsync();
        await using var command = new MySqlCommand(
            "SELECT CAST(UNHEX('3F2504E04F8911D39A0C0305E82C3301') AS BINARY(16)), CAST('3f2504e0-4f89-11d3-9a0c-0305e82c3301' AS CHAR(40)), CAST('abc' AS "
                + "BINARY(3)), 'no Guid', ''",
            connection);
        if (prepare)
            command.Prepare();
        await using var reader = await command.ExecuteReaderAsync();
        Assert.True(await reader.ReadAsync());
        // In the order of Guid.ToByteArray, as MySqlConnector does without a GUID Format.
        Assert.Equal(new Guid("e004253f-894f-d311-9a0c-0305e82c3301"), reader.GetGuid(0));
        Assert.Equal(new Guid("e004253f-894f-d311-9a0c-0305e82c3301"), reader.GetFieldValue<Guid>(0));
        Assert.Equal(new Guid("3f2504e0-4f89-11d3-9a0c-0305e82c3301"), reader.GetGuid(1));
        for (var i = 2; i <= 4; i++)
            Assert.Throws<InvalidCastException>(() => reader.GetGuid(i));
    }
}
