using System.Data;
using System.Data.Common;
using System.Text;
using Slipstream.BadPeers.Peers;
using Slipstream.MySql;
using Slipstream.PostgreSql;

namespace Slipstream.BadPeers;

/// <summary>A bulk copy sends several statements of its own. Bytes that a server sends unasked between them are not the answer to the next one.</summary>
[Collection(nameof(SideBySide))]
public sealed class BulkLeftoverTests
{
    private const int Rows = 3;

    public enum Step
    {
        Columns,
        CharacterSet,
        Prepared,
        Executed,
        Warnings,
        Invitation,
    }

    [Theory]
    [InlineData(MySqlBulkCopyMethod.MultiRow, Step.Columns, false), InlineData(MySqlBulkCopyMethod.MultiRow, Step.Columns, true)]
    [InlineData(MySqlBulkCopyMethod.MultiRow, Step.CharacterSet, false), InlineData(MySqlBulkCopyMethod.MultiRow, Step.CharacterSet, true)]
    [InlineData(MySqlBulkCopyMethod.MultiRow, Step.Prepared, false), InlineData(MySqlBulkCopyMethod.MultiRow, Step.Prepared, true)]
    [InlineData(MySqlBulkCopyMethod.MultiRow, Step.Executed, false), InlineData(MySqlBulkCopyMethod.MultiRow, Step.Executed, true)]
    [InlineData(MySqlBulkCopyMethod.MultiRow, Step.Warnings, false), InlineData(MySqlBulkCopyMethod.MultiRow, Step.Warnings, true)]
    [InlineData(MySqlBulkCopyMethod.LoadData, Step.CharacterSet, false), InlineData(MySqlBulkCopyMethod.LoadData, Step.CharacterSet, true)]
    [InlineData(MySqlBulkCopyMethod.LoadData, Step.Invitation, false), InlineData(MySqlBulkCopyMethod.LoadData, Step.Invitation, true)]
    [InlineData(MySqlBulkCopyMethod.LoadData, Step.Executed, false), InlineData(MySqlBulkCopyMethod.LoadData, Step.Executed, true)]
    public async Task An_answer_too_many_ends_a_bulk_copy_of_MySQL(MySqlBulkCopyMethod wire, Step behind, bool asynchronously)
    {
        using var server = FakeServer.Start(peer => ServeMySql(peer, wire, behind));
        await using var source = new MySqlDataSource(
            $"Server=127.0.0.1;Port={server.Port};User ID=somebody;Password=open sesame;SSL Mode=None;Connection Timeout=30;Pipelining Mode=On;Allow Load "
                + $"Local Infile={wire == MySqlBulkCopyMethod.LoadData}");
        await using var connection = await source.OpenConnectionAsync();
        var copy = new MySqlBulkCopy(connection) { DestinationTableName = "t", Method = wire, BatchSize = 1, BulkCopyTimeout = 30 };
        var failure = await Assert.ThrowsAsync<MySqlProtocolException>(async () =>
            _ =
                asynchronously ? await copy.WriteToServerAsync(
                    Enumerable.Range(0, Rows), static (row, item) => row.Write(item))
                    : copy.WriteToServer(Enumerable.Range(0, Rows), static (row, item) => row.Write(item)));
        IsLeftover(failure, connection);
        server.ThrowIfScriptFailed();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_answer_too_many_ends_a_bulk_load_of_MySQL(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            peer.Welcome();
            var name = Encoding.UTF8.GetString(peer.Expect(3)).Split('\'')[1];
            peer.Send([.. MySqlWords.Packet(1, [0xFB, .. Encoding.UTF8.GetBytes(name)]), .. MySqlWords.Ok(4, affected: 99)]);
            SendsNothingMore(peer);
        });
        await using var source = new MySqlDataSource(
            $"Server=127.0.0.1;Port={server.Port};User ID=somebody;Password=open sesame;SSL Mode=None;Connection Timeout=30;Pipelining Mode=On;Allow Load "
                + "Local Infile=true");
        await using var connection = await source.OpenConnectionAsync();
        var loader = new MySqlBulkLoader(connection) { TableName = "t", SourceStream = new MemoryStream("rows"u8.ToArray()), Timeout = 30 };
        IsLeftover(await Assert.ThrowsAsync<MySqlProtocolException>(async () => _ = asynchronously ? await loader.LoadAsync() : loader.Load()), connection);
        server.ThrowIfScriptFailed();
    }

    [Theory]
    [InlineData(Step.Columns, false), InlineData(Step.Columns, true), InlineData(Step.Invitation, false), InlineData(Step.Invitation, true)]
    public async Task An_answer_too_many_ends_a_COPY_of_PostgreSQL(Step behind, bool asynchronously)
    {
        using var server = FakeServer.Start(peer =>
        {
            ServeBegin(peer);
            peer.Send([.. TableOfPg, .. behind == Step.Columns ? Forged : []]);
            if (behind == Step.Invitation)
            {
                Assert.StartsWith("COPY", Encoding.UTF8.GetString(peer.ReadMessage().Body), StringComparison.Ordinal);
                peer.Send([.. Invitation, .. PgWords.CommandComplete("COPY 99"), .. PgWords.Ready('T')]);
            }

            SendsNothingMore(peer);
        });
        await Copies(server, asynchronously, static failure => Assert.Contains("The server violated the protocol", failure.Message));
    }

    /// <summary>The server sends the end of the COPY while the client still sends rows: the copy has not succeeded.</summary>
    [Theory, InlineData(false), InlineData(true)]
    public async Task The_end_of_a_COPY_before_its_rows_is_not_believed(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            ServeBegin(peer);
            peer.Send(TableOfPg);
            peer.ReadMessage();
            peer.Send([.. Invitation]);
            while (peer.ReadMessage().Type != 'c')
            {
            }

            // ReadyForQuery without the rows' CommandComplete.
            peer.Send(PgWords.Ready('T'));
            SendsNothingMore(peer);
        });
        await Copies(server, asynchronously, static failure => Assert.Contains("the end of COPY", failure.Message));
    }

    /// <summary>An error directly after the invitation (a cancellation or a time-out) is a regular answer, and the session can be used again.</summary>
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_refusal_right_behind_the_invitation_is_the_answer(bool asynchronously)
    {
        using var server = FakeServer.Start(static peer =>
        {
            ServeBegin(peer);
            peer.Send(TableOfPg);
            peer.ReadMessage();
            peer.Send([.. Invitation, .. PgWords.Error(('S', "ERROR"), ('V', "ERROR"), ('C', "57014"), ('M', "canceling statement")), .. PgWords.Ready('E')]);
            peer.ReadToSync();
            peer.Send([.. PgWords.ParseComplete, .. PgWords.BindComplete, .. PgWords.Message('n'), .. PgWords.CommandComplete("ROLLBACK"), .. PgWords.Ready()]);
        });
        await Copies(server, asynchronously, static failure => Assert.Equal("57014", failure.SqlState), ConnectionState.Open);
    }

    private static async Task Copies(FakeServer server, bool asynchronously, Action<DbException> check, ConnectionState state = ConnectionState.Closed)
    {
        await using var source =
            PgDataSource.Create($"Host=127.0.0.1;Port={server.Port};{PgLogin.Text};Password=open sesame;Database=db;SSL Mode=Disable;Timeout=30");
        await using var connection = await source.OpenConnectionAsync();
        var copy = new PgBulkCopy(connection) { DestinationTableName = "t", BulkCopyTimeout = 30 };
        check(await Assert.ThrowsAnyAsync<DbException>(async () =>
            _ =
                asynchronously ? await copy.WriteToServerAsync(
                    Enumerable.Range(0, Rows), static (row, item) => row.Write(item))
                    : copy.WriteToServer(Enumerable.Range(0, Rows), static (row, item) => row.Write(item))));
        Assert.Equal(state, connection.State);
        server.ThrowIfScriptFailed();
    }

    private static void IsLeftover(Exception failure, DbConnection connection)
    {
        Assert.Contains("nothing before the next command", failure.Message);
        Assert.Equal(ConnectionState.Closed, connection.State);
    }

    private static void SendsNothingMore(FakePeer peer)
    {
        peer.ReadSegment();
        throw new InvalidDataException("The client said something behind words that it had not asked for.");
    }

    // ---------------------------------------------------------------- MySQL

    private static void ServeMySql(FakePeer peer, MySqlBulkCopyMethod wire, Step behind)
    {
        peer.Welcome();
        peer.Expect(3);                                                                             // BEGIN
        peer.Expect(3);                                                                             // SHOW COLUMNS
        if (
            Send(
                peer, Step.Columns, behind,
                [.. MySqlWords.Ok(1), .. MySqlWords.Columns(1, MySqlWords.StringType, "Field", "Type", "Null", "Key", "Default", "Extra"),
                .. MySqlWords.TextRow(8, "a", "int", "YES", "", null, ""), .. MySqlWords.End(9)]))
            return;
        peer.Expect(3);                                                                             // SELECT @@character_set_client
        if (Send(
            peer, Step.CharacterSet, behind, [.. MySqlWords.Columns(1, MySqlWords.StringType, "c"), .. MySqlWords.TextRow(3, "utf8mb4"), .. MySqlWords.End(4)]))
            return;
        if (wire == MySqlBulkCopyMethod.LoadData)
        {
            var name = Encoding.UTF8.GetString(peer.Expect(3)).Split('\'')[1];
            // Would be the answer to one packet of rows.
            if (Send(peer, Step.Invitation, behind, MySqlWords.Packet(1, [0xFB, .. Encoding.UTF8.GetBytes(name)]), MySqlWords.Ok(4, affected: 99)))
                return;
            int sequence;
            do
                sequence = peer.ReadPacket() is var (number, rows) && rows.Length > 0 ? -1 : number;
            while (sequence < 0);
            Send(peer, Step.Executed, behind, OkWithWarnings(sequence + 1));
            return;
        }

        peer.Expect(0x16);                                                                          // COM_STMT_PREPARE
        if (Send(
            peer, Step.Prepared, behind, [.. MySqlWords.Packet(1, [0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]), .. MySqlWords.Column(2, "?", MySqlWords.LongType)]))
            return;
        peer.Expect(0x17);                                                                          // COM_STMT_EXECUTE
        if (Send(peer, Step.Executed, behind, OkWithWarnings(1)))
            return;
        peer.Expect(3);                                                                             // SHOW WARNINGS
        Send(
            peer, Step.Warnings, behind,
            [
                .. MySqlWords.Columns(1, MySqlWords.StringType, "Level", "Code", "Message"), .. MySqlWords.TextRow(5, "Warning", "1265", "cut"),
                .. MySqlWords.End(6)
            ]);
    }

    // Returns true if the script ends here, because the client must not continue.
    private static bool Send(FakePeer peer, Step step, Step behind, byte[] words, byte[]? more = null)
    {
        if (step != behind)
        {
            peer.Send(words);
            return false;
        }

        peer.Send([.. words, .. more ?? MySqlWords.Ok(1, affected: 99)]);
        SendsNothingMore(peer);
        return true;
    }

    private static byte[] OkWithWarnings(int sequence) => MySqlWords.Packet(sequence, 0, 1, 0, 2, 0, 1, 0);

    // ---------------------------------------------------------------- PostgreSQL

    private static byte[] Forged => [.. PgWords.CommandComplete("COPY 99"), .. PgWords.Ready('T')];

    private static byte[] Invitation => PgWords.Message('G', 1, 0, 1, 0, 1);

    private static byte[] TableOfPg => [
        .. PgWords.CommandComplete("BEGIN"), .. PgWords.ParseComplete, .. PgWords.BindComplete,
        .. PgWords.DataRow([.. new[] { "a", "23", "f", "f", "integer", "b", "N" }.Select(Encoding.UTF8.GetBytes)]), .. PgWords.CommandComplete("SELECT 1"),
        .. PgWords.Ready('T')];

    private static void ServeBegin(FakePeer peer)
    {
        peer.ReadStartupWithoutTls();
        peer.Send(PgWords.LoginSuccess);
        peer.ReadToSync();
    }
}
