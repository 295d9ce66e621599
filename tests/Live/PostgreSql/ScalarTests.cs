using System.Data;
using System.Text;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>A value of the first row, which the caller gets after the last row.</summary>
public class ScalarTests
{
    /// <summary>A reader returns a window of its buffer, which is valid until the next row. The rows after the scalar are read before it is returned.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Bytes_without_a_copy_are_not_those_of_a_later_row(bool asynchronous)
    {
        var token = TestContext.Current.CancellationToken;
        await using var connection = new PgConnection(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql)));
        await connection.OpenAsync(token);
        await using var command = new PgCommand("SELECT lpad(i::text, 1000, 'x') FROM generate_series(1, 5000) i", connection);
        var expected = new string('x', 999) + "1";
        for (var round = 0; round < 3; round++)
        {
            var value = asynchronous ? await command.ExecuteScalarAsync<ReadOnlyMemory<byte>>(token) : command.ExecuteScalar<ReadOnlyMemory<byte>>();
            Assert.Equal(expected, Encoding.UTF8.GetString(value.Span));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Bytes_without_a_copy_in_an_output_parameter_are_not_those_of_a_later_row(bool asynchronous)
    {
        var token = TestContext.Current.CancellationToken;
        await using var connection = new PgConnection(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql)));
        await connection.OpenAsync(token);
        await using var command = new PgCommand("SELECT lpad(i::text, 1000, 'x') AS value FROM generate_series(1, 5000) i", connection);
        var output = new PgParameter<ReadOnlyMemory<byte>> { ParameterName = "value", Direction = ParameterDirection.Output };
        command.Parameters.Add(output);
        for (var round = 0; round < 3; round++)
        {
            _ = asynchronous ? await command.ExecuteNonQueryAsync(token) : command.ExecuteNonQuery();
            Assert.Equal(new string('x', 999) + "1", Encoding.UTF8.GetString(output.TypedValue.Span));
        }
    }

    [Theory]
    [InlineData("SELECT lpad(i::text, 1000, 'x') FROM generate_series(1, 5000) i", 1000)]
    [InlineData("SELECT decode(repeat('61', 1000), 'hex') FROM generate_series(1, 5000) i", 1000)]
    [InlineData("SELECT NULL::bytea", null)]
    public async Task Bytes_that_may_be_NULL_are_read_as_bytes_that_are_not(string sql, int? length)
    {
        var token = TestContext.Current.CancellationToken;
        await using var connection = new PgConnection(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql)));
        await connection.OpenAsync(token);
        await using var command = new PgCommand(sql, connection);
        for (var round = 0; round < 3; round++)
        {
            Assert.Equal(length, command.ExecuteScalar<ReadOnlyMemory<byte>?>()?.Length);
            Assert.Equal(length, (await command.ExecuteScalarAsync<ReadOnlyMemory<byte>?>(token))?.Length);
        }
        if (length is not null)
            Assert.Equal(command.ExecuteScalar<ReadOnlyMemory<byte>>().ToArray(), command.ExecuteScalar<ReadOnlyMemory<byte>?>()!.Value.ToArray());
    }
}
