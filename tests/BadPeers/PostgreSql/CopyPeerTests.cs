using Slipstream.BadPeers.Peers;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers.PostgreSql;

/// <summary>COPY at a pooler, and rows of a COPY that are damaged.</summary>
public sealed class CopyPeerTests : PgPeerTests
{
    private static byte[] Done => [.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.Message('n'), .. PgWords.CommandComplete("UPDATE 1"),
        .. PgWords.Ready()];

    private static byte[] LoginAsPooler => [
        .. PgWords.Authentication(0), .. PgWords.ParameterStatus("server_version", "18.0"), .. PgWords.ParameterStatus("client_encoding", "UTF8"),
        .. PgWords.ParameterStatus("standard_conforming_strings", "on"),
        // No process of Linux has this ID.
        .. PgWords.Message('K', [.. PgWords.Int32(1_000_000_000), .. PgWords.Int32(99)]), .. PgWords.Ready()];

    // PgBouncer 1.18 gives the server's session to another client when it has read the answer to the reset, because no Sync is outstanding.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_reset_is_answered_before_a_COPY_is_sent(bool asynchronously)
    {
        byte[] reset = [];
        var rest = "";
        using var server = FakeServer.Start(peer =>
        {
            peer.ReadStartupWithoutTls();
            peer.Send(LoginAsPooler);
            peer.ReadToSync();
            peer.Send(Done);
            reset = peer.ReadSegment();
            for (var i = 0; i < 7; i++)
                peer.Send(PgWords.CommandComplete("RESET"));
            peer.Send(PgWords.Ready());
            foreach (var _ in "PBEH")
                rest += peer.ReadMessage().Type;
            peer.Send([.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.Message('G', 0, 0, 1, 0, 0)]);
            rest += peer.ReadToSync();
            peer.Send([.. PgWords.CommandComplete("COPY 1"), .. PgWords.Ready()]);
            peer.Stall();
        });
        await using var source = Source(server);
        await using (var connection = await source.OpenConnectionAsync())
        await using (var command = new PgCommand("UPDATE t SET a = 1", connection))
            await command.ExecuteNonQueryAsync();
        await using (var connection = await source.OpenConnectionAsync())
        {
            if (asynchronously)
            {
                await using var writer = await connection.BeginTextImportAsync("COPY t FROM STDIN");
                await writer.WriteAsync("1\n");
            }
            else
            {
                using var writer = connection.BeginTextImport("COPY t FROM STDIN");
                writer.Write("1\n");
            }
        }

        server.ThrowIfScriptFailed();
        Assert.Equal((byte)'Q', reset[0]);
        Assert.Equal(System.Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(reset.AsSpan(1)) + 1, reset.Length);
        Assert.Equal("PBEHdcS", rest);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_damaged_row_of_a_COPY_is_named(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send([
                .. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.Message('H', 1, 0, 1, 0, 1),
                .. PgWords.Message('d', [.. "PGCOPY\n"u8, 0xFF, (byte)'\r', (byte)'\n', 0, 0, 0, 0, 0, 0, 0, 0, 0]),
                .. PgWords.Message('d', [0, 1, .. PgWords.Int32(4), 1, 2, 3])]);
            peer.Stall();
        });
        await using var source = Source(server);
        await using var connection = await source.OpenConnectionAsync();
        var exporter = connection.BeginBinaryExport("COPY t TO STDOUT (FORMAT binary)");
        var failure = await Assert.ThrowsAsync<PgException>(async () => _ = asynchronously ? await exporter.StartRowAsync() : exporter.StartRow());
        Assert.Contains("expected a CopyData row", Assert.IsType<ProtocolException>(failure.InnerException).Message, StringComparison.Ordinal);
    }

    // The server completes the COPY before it hears of the cancellation. The driver has dropped the rest of the data: that is not the end of the COPY.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_export_that_was_interrupted_while_it_ended_says_so(bool hasBegun)
    {
        using var token = new CancellationTokenSource();
        using var isWaiting = new ManualResetEventSlim();
        using var server = FakeServer.Start(peer =>
        {
            var (code, _) = peer.ReadStartup();
            if (code == PgWords.CancelRequestCode)
                return;
            peer.Send(PgWords.LoginSuccess);
            peer.ReadToSync();
            byte[] first = [
                .. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.Message('H', 1, 0, 1, 0, 1),
                .. PgWords.Message('d', [.. "PGCOPY\n"u8, 0xFF, (byte)'\r', (byte)'\n', 0, 0, 0, 0, 0, 0, 0, 0, 0]),
                .. PgWords.Message('d', [0, 1, .. PgWords.Int32(4), 0, 0, 0, 1])];
            byte[] rest = [
                .. PgWords.Message('d', [0, 1, .. PgWords.Int32(4), 0, 0, 0, 2]), .. PgWords.Message('d', 0xFF, 0xFF), .. PgWords.Message('c'),
                .. PgWords.CommandComplete("COPY 2"), .. PgWords.Ready()];
            if (hasBegun)
            {
                peer.Send(first);
                isWaiting.Wait();
                token.Cancel();
                peer.Send(rest);
            }
            else
            {
                token.Cancel();
                peer.Send([.. first, .. rest]);
            }

            peer.Stall();
        });
        await using var source = Source(server);
        await using var connection = await source.OpenConnectionAsync();
        const string Sql = "COPY t TO STDOUT (FORMAT binary)";
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await using var exporter = await connection.BeginBinaryExportAsync(Sql, token.Token);
            for (var row = 1; row <= 3; row++)
            {
                if (row == 2)
                    isWaiting.Set();
                if (await exporter.StartRowAsync(hasBegun ? token.Token : default) < 0)
                    break;
                Assert.Equal(row, exporter.Read<int>());
            }
        });
        isWaiting.Set();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_export_whose_time_is_up_while_it_ends_says_so(bool asynchronously)
    {
        using var cancelled = new ManualResetEventSlim();
        using var server = FakeServer.Start(peer =>
        {
            var (code, _) = peer.ReadStartup();
            if (code == PgWords.CancelRequestCode)
            {
                cancelled.Set();
                return;
            }

            peer.Send(PgWords.LoginSuccess);
            peer.ReadToSync();
            cancelled.Wait();
            peer.Send([
                .. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.Message('H', 1, 0, 1, 0, 1),
                .. PgWords.Message('d', [.. "PGCOPY\n"u8, 0xFF, (byte)'\r', (byte)'\n', 0, 0, 0, 0, 0, 0, 0, 0, 0]),
                .. PgWords.Message('d', [0, 1, .. PgWords.Int32(4), 0, 0, 0, 1]), .. PgWords.Message('d', 0xFF, 0xFF), .. PgWords.Message('c'),
                .. PgWords.CommandComplete("COPY 1"), .. PgWords.Ready()]);
            peer.Stall();
        });
        await using var source = Source(server, "Command Timeout=1;Cancellation Timeout=3000");
        await using var connection = await source.OpenConnectionAsync();
        const string Sql = "COPY t TO STDOUT (FORMAT binary)";
        var failure = await Assert.ThrowsAsync<PgException>(async () =>
        {
            await using var exporter = asynchronously ? await connection.BeginBinaryExportAsync(Sql) : connection.BeginBinaryExport(Sql);
            _ = asynchronously ? await exporter.StartRowAsync() : exporter.StartRow();
        });
        Assert.IsType<TimeoutException>(failure.InnerException);
    }

    private static PgDataSource Source(FakeServer server, string options = "") => PgDataSource.Create(
        $"Host={server.Address};Port={server.Port};{PgLogin.Text};Password={Password};Database=db;SSL Mode=Disable;Timeout=30;Maximum Pool Size=1;{options}");
}
