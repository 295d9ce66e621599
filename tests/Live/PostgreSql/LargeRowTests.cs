using System.Data;
using System.Data.Common;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Rows that are larger than the buffer, at any position.</summary>
public class LargeRowTests
{
    private const int Size = 1_200_000;

    [Theory]
    [InlineData(false, CommandBehavior.Default)]
    [InlineData(true, CommandBehavior.Default)]
    [InlineData(false, CommandBehavior.SequentialAccess)]
    [InlineData(true, CommandBehavior.SequentialAccess)]
    public async Task A_large_row_of_a_later_result_is_returned(bool isBatch, CommandBehavior behavior)
    {
        await using var connection = await OpenAsync();
        string[] texts = ["SELECT 'small'", $"SELECT repeat('x', {Size}) UNION ALL SELECT 'small'", $"SELECT repeat('y', {Size})"];
        await using var batch = connection.CreateBatch();
        await using var command = connection.CreateCommand();
        command.CommandText = string.Join("; ", texts);
        foreach (var text in texts)
        {
            var one = batch.CreateBatchCommand();
            one.CommandText = text;
            batch.BatchCommands.Add(one);
        }

        await using DbDataReader reader = isBatch ? await batch.ExecuteReaderAsync(behavior) : await command.ExecuteReaderAsync(behavior);
        var lengths = new List<int>();
        do
        {
            Assert.True(reader.HasRows);
            while (await reader.ReadAsync())
                lengths.Add(reader.GetString(0).Length);
        }
        while (await reader.NextResultAsync());
        Assert.Equal([5, Size, 5, Size], lengths);
    }

    [Fact]
    public async Task A_scalar_is_the_first_value_whatever_large_row_comes_later()
    {
        await using var connection = await OpenAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = $"SELECT 'small' UNION ALL SELECT repeat('x', {Size}); SELECT repeat('x', {Size})";
        Assert.Equal("small", await command.ExecuteScalarAsync());
    }

    [Theory]
    [InlineData("none", CommandBehavior.Default)]
    [InlineData("scalar", CommandBehavior.Default)]
    [InlineData("reader", CommandBehavior.Default)]
    [InlineData("reader", CommandBehavior.SequentialAccess)]
    public async Task Output_parameters_are_filled_from_a_large_row(string verb, CommandBehavior behavior)
    {
        await using var connection = await OpenAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = $"SELECT repeat('x', {Size}) AS large";
        var output = new PgParameter { ParameterName = "large", Direction = ParameterDirection.Output };
        command.Parameters.Add(output);
        if (verb == "none")
            await command.ExecuteNonQueryAsync();
        else if (verb == "scalar")
            Assert.Equal(Size, ((string)(await command.ExecuteScalarAsync())!).Length);
        else
        {
            await using var reader = await command.ExecuteReaderAsync(behavior);
            Assert.True(await reader.ReadAsync());
            Assert.Equal(Size, reader.GetString(0).Length);
        }

        Assert.Equal(Size, Assert.IsType<string>(output.Value).Length);
    }

    // Whether a value is read directly from the wire depends on its size; the types that it can be read as do not.
    [Theory]
    [InlineData(10, CommandBehavior.Default)]
    [InlineData(10, CommandBehavior.SequentialAccess)]
    [InlineData(70_000, CommandBehavior.Default)]
    [InlineData(70_000, CommandBehavior.SequentialAccess)]
    public async Task Bytes_are_no_text_however_many_they_are(int size, CommandBehavior behavior)
    {
        await using var connection = await OpenAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = $"SELECT convert_to(repeat('x', {size}), 'UTF8') FROM generate_series(1, 7)";
        for (var i = 0; i < 4; i++)
        {
            await using var reader = await command.ExecuteReaderAsync(behavior);
            Assert.True(reader.Read());
            Assert.Throws<InvalidCastException>(() => reader.GetString(0));
            Assert.True(reader.Read());
            Assert.Throws<InvalidCastException>(() => reader.GetTextReader(0));
            Assert.True(reader.Read());
            Assert.Throws<InvalidCastException>(() => reader.GetChars(0, 0, new char[8], 0, 8));
            Assert.True(reader.Read());
            Assert.Throws<InvalidCastException>(() => reader.GetFieldValue<string>(0));
            Assert.True(reader.Read());
            await Assert.ThrowsAsync<InvalidCastException>(() => reader.GetFieldValueAsync<string>(0));
            Assert.True(reader.Read());
            await Assert.ThrowsAsync<InvalidCastException>(() => reader.GetFieldValueAsync<StringReader>(0));
            Assert.True(reader.Read());
            // The refused calls have read nothing of it.
            Assert.Throws<InvalidCastException>(() => reader.GetString(0));
            Assert.Equal(size, Assert.IsType<byte[]>(reader.GetValue(0)).Length);
        }
    }

    [Theory]
    [InlineData(CommandBehavior.Default)]
    [InlineData(CommandBehavior.SequentialAccess)]
    public async Task A_number_is_a_number_however_many_digits_it_has(CommandBehavior behavior)
    {
        await using var connection = await OpenAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT ('1' || repeat('0', 70000))::numeric";
        for (var i = 0; i < 4; i++)
        {
            await using var reader = await command.ExecuteReaderAsync(behavior);
            Assert.True(reader.Read());
            Assert.Throws<OverflowException>(() => reader.GetValue(0));
            Assert.Throws<OverflowException>(() => reader.GetDecimal(0));
            Assert.Equal(70_001, reader.GetString(0).Length);
            Assert.Equal(System.Numerics.BigInteger.Pow(10, 70_000), reader.GetFieldValue<System.Numerics.BigInteger>(0));
        }
    }

    // Rounded once: a conversion through Double would give 2 to the power of 53.
    [Fact]
    public async Task A_bigint_is_rounded_to_the_nearest_Single()
    {
        await using var connection = await OpenAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT 9007199791611905::int8";
        for (var i = 0; i < 4; i++)
        {
            await using var reader = await command.ExecuteReaderAsync();
            Assert.True(reader.Read());
            Assert.Equal((float)9007199791611905L, reader.GetFloat(0));
            Assert.Equal((float)9007199791611905L, reader.GetFieldValue<float>(0));
        }
    }

    private static async Task<PgConnection> OpenAsync()
    {
        var connection = new PgConnection(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql), ""));
        await connection.OpenAsync();
        return connection;
    }
}
