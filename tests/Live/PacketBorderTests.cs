using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>
/// A payload of 16,777,215 bytes or a multiple is followed by an empty packet; one that is a byte shorter is not. The tests use lengths on both sides of that
/// border, in both directions.
/// </summary>
public class PacketBorderTests
{
    private const int Border = 0xFF_FFFF;

    public static TheoryData<ServerKind, bool, bool> Ways
    {
        get
        {
            var ways = new TheoryData<ServerKind, bool, bool>();
            foreach (var kind in new[] { ServerKind.MySql, ServerKind.MariaDb })
                foreach (var prepared in new[] { false, true })
                    foreach (var asynchronous in new[] { false, true })
                        ways.Add(kind, prepared, asynchronous);
            return ways;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Rows_around_the_border_are_read(ServerKind kind, bool prepared, bool asynchronous)
    {
        await using var connection = await OpenAsync(kind);
        foreach (var border in new[] { Border, 2 * Border })
        {
            for (var payload = border - 1; payload <= border + 1; payload++)
            {
                // A text row is a length of 4 bytes (9 from 2^24 on) and the value; a binary row has two bytes before that.
                var length = payload - (payload - 4 < 1 << 24 ? 4 : 9) - (prepared ? 2 : 0);
                await using var command = new MySqlCommand($"SELECT REPEAT('x', {length})", connection);
                if (prepared)
                    await command.PrepareAsync();
                await using (var reader = asynchronous ? await command.ExecuteReaderAsync() : command.ExecuteReader())
                {
                    Assert.True(asynchronous ? await reader.ReadAsync() : reader.Read());
                    var value = reader.GetFieldValue<byte[]>(0);
                    Assert.Equal(length, value.Length);
                    Assert.Equal(-1, value.AsSpan().IndexOfAnyExcept((byte)'x'));
                    Assert.False(asynchronous ? await reader.ReadAsync() : reader.Read());
                }

                Assert.Equal(7L, Convert.ToInt64(new MySqlCommand("SELECT 7", connection).ExecuteScalar()));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Commands_around_the_border_are_sent(ServerKind kind, bool prepared, bool asynchronous)
    {
        await using var connection = await OpenAsync(kind);
        // Before the text there is the command's byte, or that and the attributes' count; before a bound value there are 18 to 24 bytes. One of these lengths
        // reaches the border.
        var first = prepared ? -26 : -4;
        foreach (var border in new[] { Border, 2 * Border })
        {
            for (var around = first; around <= first + (prepared ? 10 : 5); around++)
            {
                long got;
                int length;
                if (prepared)
                {
                    length = border + around;
                    await using var command = new MySqlCommand("SELECT LENGTH(@value)", connection);
                    command.Parameters.AddWithValue("@value", new byte[length]);
                    await command.PrepareAsync();
                    got = Convert.ToInt64(asynchronous ? await command.ExecuteScalarAsync() : command.ExecuteScalar());
                }
                else
                {
                    const string Head = "SELECT LENGTH('";
                    length = border + around - Head.Length - 2;
                    await using var command = new MySqlCommand(Head + new string('x', length) + "')", connection);
                    got = Convert.ToInt64(asynchronous ? await command.ExecuteScalarAsync() : command.ExecuteScalar());
                }

                Assert.Equal(length, got);
            }
        }

        Assert.Equal(7L, Convert.ToInt64(new MySqlCommand("SELECT 7", connection).ExecuteScalar()));
    }

    private static async Task<MySqlConnection> OpenAsync(ServerKind kind)
    {
        var server = await LiveServers.GetAsync(kind);
        // A busy machine takes minutes for texts of 32 MiB.
        var connection = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false;Command Timeout=600"));
        await connection.OpenAsync();
        return connection;
    }
}
