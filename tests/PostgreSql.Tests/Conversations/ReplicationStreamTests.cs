using System.Buffers.Binary;
using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Authentication;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Sessions;
using Slipstream.PostgreSql.State;

namespace Slipstream.PostgreSql.Tests.Conversations;

/// <summary>START_REPLICATION with scripted answers, which arrive whole, in pieces of three bytes, and byte by byte.</summary>
public class ReplicationStreamTests
{
    private static readonly byte[] Begun = Says.Message('W', [0, 0, 0]);

    public static TheoryData<int> Pieces => CommandExchangeTests.Pieces;

    [Theory]
    [MemberData(nameof(Pieces))]
    public void Each_message_of_the_log_is_an_outcome(int pieces)
    {
        var talk = new Talk([.. Begun, .. Log(10, 20, "ab"), .. Log(12, 30, ""), .. Says.Notice("n"), .. Log(31, 5, "c")], pieces);
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.True(talk.Stream.IsStreaming);
        Assert.Equal((Step.Row, "ab", 20UL), (talk.Next(), talk.Data, talk.Progress.Received));
        Assert.Equal((10UL, 20UL, 77L), (talk.Stream.Current.WalStart, talk.Stream.Current.WalEnd, talk.Stream.Current.ServerClock));
        Assert.Equal((Step.Row, "", 30UL), (talk.Next(), talk.Data, talk.Progress.Received));
        Assert.Equal((Step.Row, "c", 31UL), (talk.Next(), talk.Data, talk.Progress.Received));
        Assert.Equal("Q", talk.Heard());
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void A_keepalive_that_requests_a_reply_is_answered_at_once(int pieces)
    {
        var talk = new Talk([.. Begun, .. Keepalive(40, false), .. Keepalive(50, true), .. Log(10, 20, "a")], pieces);
        talk.Progress.Flushed = 7;
        talk.Progress.Applied = 8;
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Equal(Step.Row, talk.Next());
        Assert.Equal("Qd", talk.Heard());
        Assert.Equal(Status(50, 7, 8, requestsReply: false), talk.LastHeard());
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void A_requested_status_is_sent_without_reading_on(int pieces)
    {
        var talk = new Talk([.. Begun, .. Log(10, 20, "first"), .. Log(20, 30, "second")], pieces);
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Equal(Step.Row, talk.Next());
        var sent = talk.Stream.RequestStatus(requestsReply: true);
        Assert.True(talk.Stream.WantsStatus);
        talk.Stream.SendsOnly = true;
        Assert.Equal(Step.Metadata, talk.Next());
        talk.Stream.SendsOnly = false;
        Assert.True(sent.IsSet);
        Assert.False(talk.Stream.WantsStatus);
        Assert.Equal("first", talk.Data);
        Assert.Equal(Status(20, 0, 0, requestsReply: true), talk.LastHeard());
        Assert.Equal((Step.Row, "second"), (talk.Next(), talk.Data));
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void Leaving_drops_what_still_arrives(int pieces)
    {
        var talk = new Talk(
            [.. Begun, .. Log(10, 20, "a"), .. Log(20, 30, "b"), .. Keepalive(50, true), .. Says.Message('c', []), .. Keepalive(60, true),
                .. Says.Complete("COPY 0"), .. Says.Complete("START_REPLICATION"), .. Says.Ready()],
            pieces);
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Equal(Step.Row, talk.Next());
        talk.Stream.Pause();
        Assert.Equal(Step.Metadata, talk.Next());
        talk.Stream.Leave(talk.Wire.Out);
        Assert.Equal(Step.Completed, talk.Next());
        Assert.True(talk.Stream.HasEnded);
        Assert.Null(talk.Stream.Error);
        Assert.Equal("Qc", talk.Heard());
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void The_end_of_a_timeline_is_answered_and_reports_the_next_one(int pieces)
    {
        var talk = new Talk(
            [.. Begun, .. Log(10, 20, "a"), .. Says.Message('c', []), .. Says.Columns(0, 20, 25), .. Says.TextRow("2", "0/20"),
                .. Says.Complete("START_STREAMING"), .. Says.Complete("START_REPLICATION"), .. Says.Ready()],
            pieces);
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Equal(Step.Row, talk.Next());
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Equal("Qc", talk.Heard());
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void A_refused_command_and_an_error_in_the_stream_end_in_step(int pieces)
    {
        var refused = new Talk([.. Says.Error("42704", "no slot"), .. Says.Ready()], pieces);
        Assert.Equal(Step.Completed, refused.Next());
        Assert.Equal(("42704", true), (refused.Stream.Error!.SqlState, refused.Stream.HasEnded));
        var later = new Talk([.. Begun, .. Log(1, 1, "a"), .. Says.Error("57014", "cancelled"), .. Says.Ready()], pieces);
        Assert.Equal((Step.Metadata, Step.Row, Step.Completed), (later.Next(), later.Next(), later.Next()));
        Assert.Equal("57014", later.Stream.Error!.SqlState);
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void A_fatal_error_breaks_the_session_and_releases_requests(int pieces)
    {
        var talk = new Talk([.. Begun, .. Says.Error("57P01", "shutdown", "FATAL")], pieces);
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Equal(Step.Completed, talk.Next());
        Assert.True(talk.Session.IsBroken);
        talk.Stream.Release();
        var late = talk.Stream.RequestStatus(false);
        Assert.False(late.IsSet);
        talk.Stream.Release();
        Assert.True(late.IsSet);
    }

    public static TheoryData<byte[]> Garbage => new()
    {
        Says.Message('d', []),
        Says.Message('d', [(byte)'x', 1, 2]),
        Says.Message('d', [(byte)'w', 1, 2]),
        Says.Message('d', [(byte)'k', 1, 2]),
        Says.Message('D', [0, 0]),
        Says.Message('G', [0, 0, 0]),
        Says.Message('Z', [(byte)'I']),
        Says.Message('W', [0, 0, 0]),
    };

    [Theory]
    [MemberData(nameof(Garbage))]
    public void Garbage_in_the_stream_is_refused(byte[] garbage)
    {
        var talk = new Talk([.. Begun, .. garbage, .. Says.Ready()], int.MaxValue);
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Throws<ProtocolException>(() => talk.Next());
    }

    [Theory]
    [InlineData("52")]
    [InlineData("570000000403")]
    [InlineData("5A0000000549")]
    [InlineData("480000000700" + "0000")]
    public void Another_answer_than_a_stream_is_refused(string hex) =>
        Assert.ThrowsAny<Exception>(() => new Talk([.. Convert.FromHexString(hex), .. Says.Ready()], int.MaxValue).Next());

    [Fact]
    public void A_message_larger_than_the_limit_is_refused_before_it_is_held()
    {
        var talk = new Talk([.. Begun, (byte)'d', 0x20, 0, 0, 0, (byte)'w'], int.MaxValue);
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Equal(WireFailure.ValueTooLarge, Assert.Throws<WireException>(() => talk.Next()).Failure);
    }

    [Fact]
    public void An_endless_end_is_refused()
    {
        var end = Enumerable.Repeat(Says.Complete("COPY 0"), 1000).SelectMany(static one => one).ToArray();
        var talk = new Talk([.. Begun, .. Says.Message('c', []), .. end, .. Says.Ready()], int.MaxValue);
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Throws<ProtocolException>(() => talk.Next());
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void A_command_returns_its_row(int pieces)
    {
        var (session, server) = Open(
            [.. Keepalive(5, true), .. Says.Columns(0, 25, 25), .. Says.TextRow("a", null), .. Says.Complete("IDENTIFY_SYSTEM"), .. Says.Ready()], pieces);
        var command = new OneRowCommand(session, session.State, "IDENTIFY_SYSTEM", 1 << 20);
        command.Encode(session.Wire);
        server.Send(session.Wire.Out.Written);
        Assert.Equal(Step.Completed, BlockingPump.Run(command, session.Wire));
        Assert.Equal(2, command.Row!.Length);
        Assert.Equal(("a", null), (Encoding.UTF8.GetString(command.Row[0]!), command.Row[1]));
    }

    [Fact]
    public void A_command_with_two_rows_or_a_row_of_another_length_is_refused()
    {
        byte[] two = [.. Says.Columns(0, 25), .. Says.TextRow("a"), .. Says.TextRow("b")];
        byte[] early = [.. Says.TextRow("a")];
        byte[] cut = [.. Says.Columns(0, 25), .. Says.Message('D', [0, 1, 0, 0, 0, 9, 65])];
        foreach (var script in (byte[][])[two, early, cut])
        {
            var (session, _) = Open([.. script, .. Says.Complete("SHOW"), .. Says.Ready()], int.MaxValue);
            var command = new OneRowCommand(session, session.State, "SHOW", 1 << 20);
            Assert.Throws<ProtocolException>(() => BlockingPump.Run(command, session.Wire));
        }
    }

    private static byte[] Log(ulong start, ulong end, string data)
    {
        var body = new byte[25];
        body[0] = (byte)'w';
        BinaryPrimitives.WriteUInt64BigEndian(body.AsSpan(1), start);
        BinaryPrimitives.WriteUInt64BigEndian(body.AsSpan(9), end);
        BinaryPrimitives.WriteInt64BigEndian(body.AsSpan(17), 77);
        return Says.Message('d', [.. body, .. Encoding.UTF8.GetBytes(data)]);
    }

    private static byte[] Keepalive(ulong end, bool requestsReply)
    {
        var body = new byte[18];
        body[0] = (byte)'k';
        BinaryPrimitives.WriteUInt64BigEndian(body.AsSpan(1), end);
        body[17] = requestsReply ? (byte)1 : (byte)0;
        return Says.Message('d', body);
    }

    private static string Status(ulong received, ulong flushed, ulong applied, bool requestsReply) =>
        $"6400000026" + $"72{received:X16}{flushed:X16}{applied:X16}{123:X16}{(requestsReply ? 1 : 0):X2}";

    private static (PgSession Session, ScriptedServer Server) Open(byte[] script, int pieces)
    {
        var server = new ScriptedServer(
            [.. Says.AuthenticationOk, .. Says.Status("server_version", "18.0"), .. Says.KeyData, .. Says.Ready(), .. script], pieces);
        var wire = new Wire(server);
        var settings = PgSettings.Parse("Host=scripted;Username=app;SSL Mode=Disable;Require Auth=None");
        var connect = new Connect(settings, new ScramKeyCache(), server);
        BlockingPump.Run(connect, wire);
        server.Heard.Clear();
        wire.Out.Clear();
        return (new PgSession(wire, settings.Endpoints[0], new PgSessionOpener(settings, new Dialer(null)), connect), server);
    }

    private sealed class Talk
    {
        private readonly ScriptedServer _server;

        public Talk(byte[] script, int pieces)
        {
            (Session, _server) = Open(script, pieces);
            Stream = new ReplicationStream(Session, Session.State, "START_REPLICATION", Progress, static () => 123, 1 << 20);
            Stream.Encode(Wire);
            _server.Send(Wire.Out.Written);
            Wire.Left();
        }

        public PgSession Session { get; }

        public Wire Wire => Session.Wire;

        public ReplicationProgress Progress { get; } = new();

        public ReplicationStream Stream { get; }

        public string Data => Encoding.UTF8.GetString(Wire.In.AsSpan(Stream.DataStart, Stream.DataEnd - Stream.DataStart));

        public Step Next() => BlockingPump.Run(Stream, Wire);

        public string Heard()
        {
            var types = new StringBuilder();
            for (var at = 0; at < _server.Heard.Count;)
            {
                types.Append((char)_server.Heard[at]);
                at += 1 + BinaryPrimitives.ReadInt32BigEndian([.. _server.Heard.Skip(at + 1).Take(4)]);
            }

            return types.ToString();
        }

        public string LastHeard() => Convert.ToHexString([.. _server.Heard.TakeLast(39)]);
    }
}
