using Slipstream.BadPeers.Peers;
using Slipstream.BadPeers.PostgreSql;
using Slipstream.Core.Errors;

namespace Slipstream.BadPeers.Limits;

/// <summary>The limits of docs/limits.md for what a PostgreSQL server may send: each test reaches its limit, and then exceeds it by one.</summary>
public sealed class PgLimitTests : PgPeerTests
{
    private const int MostShort = 30_000;
    private const int MostText = 16 << 20;

    private static readonly byte[] Bound = [.. PgWords.ParseComplete, .. PgWords.BindComplete];
    private static readonly byte[] Described = [.. Bound, .. PgWords.RowDescription(("a", PgWords.TextOid))];
    private static readonly byte[] End = [.. PgWords.CommandComplete("SELECT 1"), .. PgWords.Ready()];

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_result_has_1664_columns_and_no_more(bool asynchronously)
    {
        const int Most = 1664;
        byte[] ColumnsOf(int count) => [.. Bound, .. PgWords.RowDescription([.. Enumerable.Repeat(("a", PgWords.TextOid), count)])];
        await Accepts(asynchronously, [.. ColumnsOf(Most), .. PgWords.DataRow([.. Enumerable.Repeat("1"u8.ToArray(), Most)]), .. End]);
        await Refuses(asynchronously, ColumnsOf(Most + 1), "RowDescription");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_short_message_has_30000_bytes_and_no_more(bool asynchronously)
    {
        // length (4) | name\0 | value\0
        byte[] Setting(int length) => PgWords.ParameterStatus("x", new string('v', length - 4 - 2 - 1));
        await Accepts(asynchronously, [.. Described, .. Setting(MostShort), .. End]);
        await Refuses(asynchronously, [.. Described, .. Setting(MostShort + 1), .. End], "30,000");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_text_has_16_MiB_and_no_more(bool asynchronously)
    {
        // length (4) | 'M' | text\0 | \0
        byte[] Notice(int length) => PgWords.Message('N', [(byte)'M', .. PgWords.Text(new string('v', length - 4 - 3)), 0]);
        await Accepts(asynchronously, [.. Described, .. Notice(MostText), .. End]);
        await Refuses(asynchronously, [.. Described, .. PgWords.Header('N', MostText + 1)], "16,777,216");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_row_has_a_gigabyte_less_one_and_no_more(bool asynchronously)
    {
        const int Most = 0x3FFF_FFFF;
        // The length is allowed, so the next check fails: the value does not fit into the row.
        await Refuses(asynchronously, [.. Described, .. PgWords.Header('D', Most), .. PgWords.Int16(1), .. PgWords.Int32(Most)], "extends beyond its end");
        await Refuses(asynchronously, [.. Described, .. PgWords.Header('D', Most + 1), .. PgWords.Int16(1), .. PgWords.Int32(Most)], "1,073,741,823");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_value_has_what_Max_Value_Bytes_says_and_no_more(bool asynchronously)
    {
        const int Most = 1 << 20;
        await Accepts(asynchronously, [.. Described, .. PgWords.DataRow(new byte[Most]), .. End], $"Max Value Bytes={Most}");
        using var server = Answering([.. Described, .. PgWords.DataRow(new byte[Most + 1]), .. End]);
        var failure = Assert.IsType<Slipstream.PostgreSql.PgException>(await Connect(server, asynchronously, $"Max Value Bytes={Most}").QueryFails());
        Assert.Contains("The server sent a value of 1,048,577 bytes, more than Max Value Bytes allows (1,048,576 bytes)", failure.Message);
        Assert.Equal((ErrorKind.ValueTooLarge, false, RetrySafety.Unknown), (failure.Kind, failure.IsTransient, failure.RetrySafety));
    }

    // The message's own bytes count: 2 for the number of columns, 4 for each length.
    [Theory, InlineData(false), InlineData(true)]
    public async Task A_row_has_what_Max_Row_Bytes_says_and_no_more(bool asynchronously)
    {
        const int Most = 1 << 20;
        byte[] Row(int more) =>
            [.. PgWords.RowDescription(("a", 17), ("b", 17)), .. PgWords.DataRow(new byte[Most / 2 - 5], new byte[Most / 2 - 5 + more]), .. End];
        await Accepts(asynchronously, [.. Bound, .. Row(0)], $"Max Row Bytes={Most}");
        using var server = Answering([.. Bound, .. Row(1)]);
        var failure = Assert.IsType<Slipstream.PostgreSql.PgException>(await Connect(server, asynchronously, $"Max Row Bytes={Most}").QueryFails());
        Assert.Contains("The server sent a row of more than 1,048,576 bytes, the limit of Max Row Bytes", failure.Message);
        Assert.Equal((ErrorKind.ValueTooLarge, false, RetrySafety.Unknown), (failure.Kind, failure.IsTransient, failure.RetrySafety));
    }

    // The client reserves at most 32 times the received bytes, whatever length was announced; 1 MiB in addition belongs to the pool.
    [Theory]
    [InlineData(70_000)]
    [InlineData(300_000)]
    [InlineData(1_048_577)]
    [InlineData(3_000_000)]
    public async Task Memory_follows_what_has_come_of_a_value_and_not_what_was_announced(int sent)
    {
        const int Announced = 1 << 29;
        byte[] answer = [.. Described, .. PgWords.Header('D', Announced + 10), .. PgWords.Int16(1), .. PgWords.Int32(Announced), .. new byte[sent]];
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomePg();
            peer.ReadToSync();
            peer.Send(answer);
            peer.CloseHalf();
        });
        await Connect(server, asynchronously: false).QueryFails(memoryBound: 32L * sent + Client.MemoryBound);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_error_has_64_fields_and_no_more(bool asynchronously)
    {
        const int Most = 64;
        byte[] NoticeOf(int fields) =>
            PgWords.Message('N', [.. Enumerable.Range(0, fields).SelectMany(static i => (byte[])[(byte)(i + 33), .. PgWords.Text("x")]), 0]);
        await Accepts(asynchronously, [.. Described, .. NoticeOf(Most), .. End]);
        await Refuses(asynchronously, [.. Described, .. NoticeOf(Most + 1), .. End], "NoticeResponse");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_message_of_start_up_has_64_KiB_and_no_more(bool asynchronously)
    {
        const int Most = 64 * 1024;
        byte[] Notice(int body) => PgWords.Message('N', [(byte)'M', .. PgWords.Text(new string('v', body - 3)), 0]);
        await AssertAccepted(asynchronously, [.. Notice(Most), .. PgWords.LoginSuccess]);
        await AssertRefused(asynchronously, [.. Notice(Most + 1), .. PgWords.LoginSuccess], "with a length of");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_start_up_has_1000_messages_and_no_more(bool asynchronously)
    {
        // AuthenticationOk comes first, ReadyForQuery last.
        const int Most = 1000 - 2;
        byte[] Settings(int count) =>
            [.. PgWords.Authentication(0), .. Enumerable.Range(0, count).SelectMany(static i => PgWords.ParameterStatus($"s{i}", "v")), .. PgWords.Ready()];
        await AssertAccepted(asynchronously, Settings(Most));
        await AssertRefused(asynchronously, Settings(Most + 1), "at most 1,000 messages during the login");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_server_offers_16_mechanisms_and_no_more(bool asynchronously)
    {
        const int Most = 16;
        byte[] Offer(int count) => PgWords.Authentication(10, [.. Enumerable.Range(0, count).SelectMany(static i => PgWords.Text($"M{i}")), 0]);
        // The number of mechanisms is allowed, but the client knows none of them.
        await AssertRefused(asynchronously, Offer(Most), "M15");
        await AssertRefused(asynchronously, Offer(Most + 1), "valid Authentication");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_words_of_SASL_have_4096_bytes_and_no_more(bool asynchronously)
    {
        const int Most = 4096;
        await AssertRefused(asynchronously, PgWords.Authentication(11, new byte[Most]), "SaslContinue");
        await AssertRefused(asynchronously, PgWords.Authentication(11, new byte[Most + 1]), "valid Authentication");
    }

    [Theory]
    [InlineData(false, 4, 3)]
    [InlineData(true, 4, 3)]
    [InlineData(false, 256, 257)]
    [InlineData(true, 256, 257)]
    public async Task A_key_has_4_to_256_bytes(bool asynchronously, int inside, int outside)
    {
        byte[] Key(int length) => [.. PgWords.Authentication(0), .. PgWords.Message('K', [.. PgWords.Int32(7), .. new byte[length]]), .. PgWords.Ready()];
        await AssertAccepted(asynchronously, Key(inside));
        await AssertRefused(asynchronously, Key(outside), "BackendKeyData");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_version_names_64_options_and_no_more(bool asynchronously)
    {
        const int Most = 64;
        byte[] Version(int count) =>
            [
                .. PgWords.Message(
                    'v', [.. PgWords.Int32(0), .. PgWords.Int32(count), .. Enumerable.Range(0, count).SelectMany(static i => PgWords.Text($"_pq_.{i}"))]),
                .. PgWords.LoginSuccess
            ];
        await AssertAccepted(asynchronously, Version(Most));
        await AssertRefused(asynchronously, Version(Most + 1), "NegotiateProtocolVersion");
    }

    private static async Task Accepts(bool asynchronously, byte[] answer, string options = "")
    {
        using var server = Answering(answer);
        await Connect(server, asynchronously, options).Query();
    }

    private static async Task Refuses(bool asynchronously, byte[] answer, string says)
    {
        using var server = Answering(answer);
        var failure = await Connect(server, asynchronously).QueryFails();
        IsBrokenProtocol(failure);
        Assert.Contains(says, failure.Message);
    }

    private static FakeServer Answering(byte[] answer) => FakeServer.Start(peer =>
    {
        peer.WelcomePg();
        peer.ReadToSync();
        peer.Send(answer);
    });

    private static async Task AssertAccepted(bool asynchronously, byte[] words)
    {
        using var server = Starting(words);
        await Connect(server, asynchronously).Opens();
    }

    private static async Task AssertRefused(bool asynchronously, byte[] words, string says)
    {
        using var server = Starting(words);
        Assert.Contains(says, IsConnectFailure(server, await Connect(server, asynchronously).OpenFails()).Message);
    }

    private static FakeServer Starting(byte[] words) => FakeServer.Start(peer =>
    {
        peer.ReadStartup();
        peer.Send(words);
    });
}
