using System.Text;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Text that is not valid, in a COPY of text.</summary>
public class CopyTextTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    public static TheoryData<string, bool> Invalid => new()
    {
        { "1\ta\ud800b\n", false }, { "1\ta\ud800b\n", true }, { "1\ta\udc00\n", false }, { "1\ta\udc00\n", true },
        // The other half could follow until the end.
        { "1\ta\n2\tb\ud83d", false }, { "1\ta\n2\tb\ud83d", true },
    };

    [Theory]
    [MemberData(nameof(Invalid))]
    public async Task A_surrogate_without_its_pair_cancels_an_import(string text, bool asynchronous)
    {
        await using var connection = await OpenAsync();
        foreach (var flushes in new[] { false, true })
        {
            var writer = asynchronous
                ? await connection.BeginTextImportAsync("COPY copied FROM STDIN", Token)
                : connection.BeginTextImport("COPY copied FROM STDIN");
            await Assert.ThrowsAsync<EncoderFallbackException>(async () =>
            {
                // Much before it has been sent already.
                for (var i = 0; flushes && i < 20_000; i++)
                    await WriteAsync(writer, $"{i}\tvalue\n", asynchronous);
                await WriteAsync(writer, text, asynchronous);
                if (flushes && asynchronous)
                    await writer.FlushAsync(Token);
                else if (flushes)
                    writer.Flush();
                await DisposeAsync(writer, asynchronous);
            });
            await Record.ExceptionAsync(() => DisposeAsync(writer, asynchronous));
            Assert.Equal(0L, await ScalarAsync(connection, "SELECT count(*) FROM copied"));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_pair_of_surrogates_may_be_written_in_two_calls(bool asynchronous)
    {
        await using var connection = await OpenAsync();
        var writer = connection.BeginTextImport("COPY copied FROM STDIN");
        await WriteAsync(writer, "1\t\ud83d", asynchronous);
        await WriteAsync(writer, "\ude00\n", asynchronous);
        await DisposeAsync(writer, asynchronous);
        Assert.Equal("\U0001F600", await ScalarAsync(connection, "SELECT s FROM copied"));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Bytes_in_another_encoding_are_not_replaced(bool asynchronous)
    {
        await using var connection = await OpenAsync();
        var reader = connection.BeginTextExport("COPY (SELECT U&'caf\\00E9') TO STDOUT (ENCODING 'LATIN1')");
        await Assert.ThrowsAsync<DecoderFallbackException>(async () => _ = asynchronous ? await reader.ReadToEndAsync(Token) : reader.ReadToEnd());
        if (asynchronous)
            await reader.DisposeAsync();
        else
            reader.Dispose();
        using var utf8 = connection.BeginTextExport("COPY (SELECT U&'caf\\00E9') TO STDOUT");
        Assert.Equal("caf\u00e9\n", asynchronous ? await utf8.ReadToEndAsync(Token) : utf8.ReadToEnd());
    }

    // The refused row must not be stored, not even by a caller that goes on.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_row_with_too_many_values_leaves_nothing(bool asynchronous)
    {
        await using var connection = await OpenAsync();
        await using var importer = connection.BeginBinaryImport("COPY copied FROM STDIN (FORMAT binary)");
        if (asynchronous)
        {
            await importer.WriteRowAsync(Token, 1, "one");
            await Assert.ThrowsAsync<InvalidOperationException>(() => importer.WriteRowAsync(Token, 2, "two", 3));
            await importer.WriteRowAsync(Token, 4, "four");
            Assert.Equal(2UL, await importer.CompleteAsync(Token));
        }
        else
        {
            importer.WriteRow(1, "one");
            Assert.Throws<InvalidOperationException>(() => importer.WriteRow(2, "two", 3));
            importer.WriteRow(4, "four");
            Assert.Equal(2UL, importer.Complete());
        }

        Assert.Equal("1,4", await ScalarAsync(connection, "SELECT string_agg(i::text, ',' ORDER BY i) FROM copied"));
    }

    private static async Task<PgConnection> OpenAsync()
    {
        var connection = new PgConnection(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql)));
        await connection.OpenAsync(Token);
        await using var command = new PgCommand("CREATE TEMP TABLE copied (i int, s text)", connection);
        await command.ExecuteNonQueryAsync(Token);
        return connection;
    }

    private static async Task WriteAsync(PgCopyTextWriter writer, string text, bool asynchronous)
    {
        if (asynchronous)
            await writer.WriteAsync(text);
        else
            writer.Write(text);
    }

    private static async Task DisposeAsync(PgCopyTextWriter writer, bool asynchronous)
    {
        if (asynchronous)
            await writer.DisposeAsync();
        else
            writer.Dispose();
    }

    private static async Task<object?> ScalarAsync(PgConnection connection, string sql)
    {
        await using var command = new PgCommand(sql, connection);
        return await command.ExecuteScalarAsync(Token);
    }
}
