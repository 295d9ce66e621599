using System.Text;
using Slipstream.BadPeers.MySql;
using Slipstream.BadPeers.Peers;
using Slipstream.Core.Errors;
using Slipstream.MySql;

namespace Slipstream.BadPeers.Limits;

/// <summary>The limits of docs/limits.md for what a MySQL server may send: each test reaches its limit, and then exceeds it by one.</summary>
public sealed class MySqlLimitTests : MySqlPeerTests
{
    private const int LongestDefinition = 16 * 1024;
    private const int LongestBlock = 16 << 20;
    private const int MaxPayload = 0xFFFFFF;
    private const int MaxResults = 1 << 20;
    private const uint MultiFactor = 1u << 28;

    private static readonly byte[] Values = [.. Enumerable.Repeat((byte)'x', MaxPayload)];

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_result_has_4096_columns_and_no_more(bool asynchronously)
    {
        const int Most = 4096;
        byte[] ColumnsOf(int count) =>
            [
                .. MySqlWords.Packet(1, 0xFC, (byte)count, (byte)(count >> 8)),
                .. Enumerable.Range(0, count).SelectMany(static i => MySqlWords.Column((2 + i) & 0xFF, "a", 3))
            ];
        await Accepts(
            asynchronously,
            [
                .. ColumnsOf(Most),
                .. MySqlWords.Packet((2 + Most) & 0xFF, Enumerable.Repeat("1"u8.ToArray(), Most).SelectMany(static one => (byte[])[1, .. one]).ToArray()),
                .. MySqlWords.End((3 + Most) & 0xFF)
            ]);
        await Refuses(asynchronously, ColumnsOf(Most + 1), "columns");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_column_definition_has_16_KiB_and_no_more(bool asynchronously)
    {
        await Accepts(asynchronously, [.. MySqlWords.Packet(1, 1), .. Definition(2, LongestDefinition), .. MySqlWords.TextRow(3, "1"), .. MySqlWords.End(4)]);
        await Refuses(
            asynchronously, [.. MySqlWords.Packet(1, 1), .. Definition(2, LongestDefinition + 1), .. MySqlWords.TextRow(3, "1"), .. MySqlWords.End(4)],
            "16,384");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_definitions_of_a_result_have_16_MiB_together_and_no_more(bool asynchronously)
    {
        // The headers count, too: 1,023 longest definitions, and a last one that fills the block.
        const int Whole = 1023;
        const int Last = LongestBlock - Whole * (4 + LongestDefinition) - 4;
        byte[] All(int last)
        {
            using var all = new MemoryStream();
            all.Write(MySqlWords.Packet(1, 0xFC, 0, 4));
            for (var i = 0; i < Whole; i++)
                all.Write(Definition((2 + i) & 0xFF, LongestDefinition));
            all.Write(Definition((2 + Whole) & 0xFF, last));
            return all.ToArray();
        }

        byte[] row = [.. Enumerable.Range(0, Whole + 1).SelectMany(static _ => (byte[])[1, (byte)'1'])];
        await Accepts(asynchronously, [.. All(Last + 4), .. MySqlWords.Packet((3 + Whole) & 0xFF, row), .. MySqlWords.End((4 + Whole) & 0xFF)]);
        await Refuses(asynchronously, All(Last + 5), "16,777,216", memoryIsBounded: false);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_answer_that_is_no_row_fits_into_one_packet(bool asynchronously)
    {
        await Accepts(asynchronously, [.. MySqlWords.Header(MaxPayload - 1, 1), 0, 0, 0, 2, 0, 0, 0, .. Values.AsSpan(0, MaxPayload - 1 - 7)]);
        await Refuses(asynchronously, [.. MySqlWords.Header(MaxPayload, 1), 0, 0, 0, 2, 0, 0, 0], "16,777,215");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_command_has_a_million_results_and_no_more(bool asynchronously)
    {
        using (var server = Announcing(MaxResults - 1))
            await Connect(server, asynchronously).Query();
        using (var server = Announcing(MaxResults))
            Assert.Contains("results", IsBrokenProtocol(await Connect(server, asynchronously).QueryFails()).Message);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_value_has_what_Max_Value_Bytes_says_and_no_more(bool asynchronously)
    {
        const int Most = 1 << 20;
        byte[] Row(int length) =>
            [
                .. MySqlWords.Columns(1, MySqlWords.BlobType, "a"),
                .. MySqlWords.Packet(3, [0xFD, (byte)length, (byte)(length >> 8), (byte)(length >> 16), .. Values.AsSpan(0, length)]), .. MySqlWords.End(4)
            ];
        await Accepts(asynchronously, Row(Most), $"Max Value Bytes={Most}");
        using var server = Answering(Row(Most + 1), "");
        var failure = Assert.IsType<MySqlException>(await Connect(server, asynchronously, $"Max Value Bytes={Most}").QueryFails());
        Assert.Contains("The server sent a value of 1,048,577 bytes, more than Max Value Bytes allows (1,048,576 bytes)", failure.Message);
        Assert.Equal(
            (ErrorKind.ValueTooLarge, false, RetrySafety.Unknown, MySqlErrorCode.None),
            (failure.Kind, failure.IsTransient, failure.RetrySafety, failure.ErrorCode));
    }

    // Small values share one array, large ones have their own: all of them count.
    [Theory]
    [InlineData(false, 1 << 20, 2)]
    [InlineData(true, 1 << 20, 2)]
    [InlineData(false, 1 << 20, 4)]
    [InlineData(false, 6 << 20, 3)]
    [InlineData(true, 6 << 20, 3)]
    public async Task A_row_has_what_Max_Row_Bytes_says_and_no_more(bool asynchronously, int most, int columns)
    {
        byte[] Value(int length) => [0xFD, (byte)length, (byte)(length >> 8), (byte)(length >> 16), .. Values.AsSpan(0, length)];
        byte[] Row(int more) =>
        [
            .. MySqlWords.Columns(1, MySqlWords.BlobType, [.. Enumerable.Range(0, columns).Select(static number => $"c{number}")]),
            .. MySqlWords.Packet(
                2 + columns,
                [.. Enumerable.Range(0, columns - 1).SelectMany(_ => Value(most / columns)), .. Value(most - (columns - 1) * (most / columns) + more)]),
            .. MySqlWords.End(3 + columns),
        ];
        await Accepts(asynchronously, Row(0), $"Max Row Bytes={most}");
        using var server = Answering(Row(1), "");
        var failure = Assert.IsType<MySqlException>(await Connect(server, asynchronously, $"Max Row Bytes={most}").QueryFails(memoryIsBounded: false));
        Assert.Contains($"The server sent a row of more than {most:N0} bytes, the limit of Max Row Bytes", failure.Message);
        Assert.Equal((ErrorKind.ValueTooLarge, false, RetrySafety.Unknown), (failure.Kind, failure.IsTransient, failure.RetrySafety));
    }

    // The client reserves at most 32 times the received bytes, whatever length was announced; 1 MiB in addition belongs to the pool.
    [Theory]
    [InlineData(40_000)]
    [InlineData(300_000)]
    [InlineData(1_048_577)]
    [InlineData(3_000_000)]
    public async Task Memory_follows_what_has_come_of_a_value_and_not_what_was_announced(int sent)
    {
        byte[] answer =
            [
                .. MySqlWords.Columns(1, MySqlWords.BlobType, "a"), .. MySqlWords.Header(MaxPayload, 3), 0xFE, 0, 0, 0, 0x40, 0, 0, 0, 0,
                .. Values.AsSpan(0, sent)
            ];
        using var server = FakeServer.Start(peer =>
        {
            peer.WelcomeQuery();
            peer.Send(answer);
            peer.CloseHalf();
        });
        await Connect(server, asynchronously: false).QueryFails(memoryBound: 32L * sent + Client.MemoryBound);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_packet_of_the_login_has_1_MiB_and_no_more(bool asynchronously)
    {
        const int Most = 1 << 20;
        Action<FakePeer> Says(int length) => peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send([.. MySqlWords.AuthMore(2, 3), .. MySqlWords.Header(length, 3), 0, 0, 0, 2, 0, 0, 0, .. Values.AsSpan(0, length - 7)]);
        };
        await AssertAccepted(asynchronously, Says(Most));
        await AssertRefused(asynchronously, Says(Most + 1), "1,048,576");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_login_has_16_rounds_and_no_more(bool asynchronously)
    {
        const int Most = 16;
        Action<FakePeer> Asks(int rounds) => peer =>
        {
            peer.Send(MySqlWords.Greeting());
            var (sequence, _) = peer.ReadPacket();
            for (var i = 0; i < rounds; i++)
            {
                peer.Send(MySqlWords.AuthSwitch(sequence + 1, "mysql_native_password", [.. MySqlWords.Nonce, 0]));
                (sequence, _) = peer.ReadPacket();
            }

            peer.Send(MySqlWords.Ok(sequence + 1));
        };
        await AssertAccepted(asynchronously, Asks(Most));
        await AssertRefused(asynchronously, Asks(Most + 1), "16 rounds");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_login_has_three_factors_and_no_more(bool asynchronously)
    {
        const int Most = 3;
        Action<FakePeer> Asks(int factors) => peer =>
        {
            peer.Send(MySqlWords.Greeting("mysql_native_password", MySqlWords.Capabilities | MultiFactor));
            var (sequence, _) = peer.ReadPacket();
            for (var i = 1; i < factors; i++)
            {
                peer.Send(MySqlWords.Packet(sequence + 1, [2, .. "mysql_native_password"u8, 0, .. MySqlWords.Nonce, 0]));
                (sequence, _) = peer.ReadPacket();
            }

            peer.Send(MySqlWords.Ok(sequence + 1));
        };
        await AssertAccepted(asynchronously, Asks(Most), "Password2=two;Password3=three");
        await AssertRefused(asynchronously, Asks(Most + 1), "three authentication factors", "Password2=two;Password3=three");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task PAM_asks_three_questions_and_no_more(bool asynchronously)
    {
        const int Most = 3;
        Action<FakePeer> Asks(int questions) => peer =>
        {
            peer.Send(MySqlWords.Greeting());
            peer.ReadPacket();
            peer.Send(MySqlWords.AuthSwitch(2, "dialog", [4, .. "Password: "u8]));
            var (sequence, _) = peer.ReadPacket();
            for (var i = 1; i < questions; i++)
            {
                peer.Send(MySqlWords.Packet(sequence + 1, [4, .. "Password: "u8]));
                (sequence, _) = peer.ReadPacket();
            }

            peer.Send(MySqlWords.Ok(sequence + 1));
        };
        const string Options = "Allow Cleartext Password=true;Password2=two;Password3=three";
        await AssertAccepted(asynchronously, Asks(Most), Options);
        await AssertRefused(asynchronously, Asks(Most + 1), "3 PAM prompts", Options);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_frame_holds_1032_times_its_length_and_promises_no_more(bool asynchronously)
    {
        const int Length = 1000;
        byte[] Frame(int before) => [.. MySqlWords.Header(Length, 1), (byte)before, (byte)(before >> 8), (byte)(before >> 16), .. new byte[Length]];
        // The client reads a frame whose length is possible, and finds that it is not zlib; it rejects an impossible length without reading the frame.
        await Refuses(asynchronously, Frame(1032 * Length), "zlib", options: "Use Compression=true");
        await Refuses(asynchronously, Frame(1032 * Length + 1), "announces 1,032,001", options: "Use Compression=true");
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task An_error_text_has_8_KiB_and_is_cut_there(bool asynchronously)
    {
        const int Most = 8192;
        foreach (var length in (int[])[Most, Most + 1])
        {
            using var server = FakeServer.Start(peer =>
            {
                peer.WelcomeQuery();
                peer.Send(MySqlWords.Error(1, 1064, new string('x', length)));
            });
            var failure = Assert.IsType<MySqlException>(await Connect(server, asynchronously, "Pooling=false").QueryFails());
            Assert.Equal(length == Most ? length : Most, failure.Message.Count(static one => one == 'x'));
        }
    }

    // catalog | schema | table | org_table | name | org_name | fixed part
    private static byte[] Definition(int sequence, int length)
    {
        const int Others = 4 + 1 + 1 + 1 + 1 + 13;
        var name = length - Others - 3;
        return [
            .. MySqlWords.Header(length, sequence), .. MySqlWords.Text("def"), 0, 0, 0,
            0xFC, (byte)name, (byte)(name >> 8), .. Values.AsSpan(0, name), 0,
            0x0C, 63, 0, 0xFF, 0, 0, 0, MySqlWords.LongType, 0, 0, 0, 0, 0];
    }

    private static FakeServer Announcing(int more) => FakeServer.Start(peer =>
    {
        const int Round = 256;
        peer.WelcomeQuery();
        byte[] round = [.. Enumerable.Range(0, Round).SelectMany(static i => MySqlWords.Ok((1 + i) & 0xFF, status: 2 | 8))];
        var ok = round.Length / Round;
        for (var left = more; left > 0; left -= Round)
            peer.Send(round.AsSpan(0, Math.Min(left, Round) * ok));
        peer.Send(MySqlWords.Ok((1 + more) & 0xFF));
    });

    private static async Task Accepts(bool asynchronously, byte[] answer, string options = "")
    {
        using var server = Answering(answer, options);
        await Connect(server, asynchronously, options).Query();
    }

    private static async Task Refuses(bool asynchronously, byte[] answer, string says, string options = "", bool memoryIsBounded = true)
    {
        using var server = Answering(answer, options);
        Assert.Contains(says, IsBrokenProtocol(await Connect(server, asynchronously, options).QueryFails(memoryIsBounded: memoryIsBounded)).Message);
    }

    private static FakeServer Answering(byte[] answer, string options) => FakeServer.Start(peer =>
    {
        const uint Compress = 0x20;
        if (options.Contains("Compression", StringComparison.Ordinal))
        {
            peer.Welcome(MySqlWords.Capabilities | Compress);
            peer.ReadSegment();
        }
        else
            peer.WelcomeQuery();
        peer.Send(answer);
    });

    private static async Task AssertAccepted(bool asynchronously, Action<FakePeer> script, string options = "")
    {
        using var server = FakeServer.Start(script);
        await Connect(server, asynchronously, options).Opens();
    }

    private static async Task AssertRefused(bool asynchronously, Action<FakePeer> script, string says, string options = "")
    {
        using var server = FakeServer.Start(script);
        Assert.Contains(says, IsConnectFailure(server, await Connect(server, asynchronously, options).OpenFails()).Message);
    }
}
