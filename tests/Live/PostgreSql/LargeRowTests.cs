using System.Data;
using System.Data.Common;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Rows too large for the buffer, wherever they stand.</summary>
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

    private static async Task<PgConnection> OpenAsync()
    {
        var connection = new PgConnection(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql), ""));
        await connection.OpenAsync();
        return connection;
    }
}
