using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Authentication;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Sessions;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.Tests.Conversations;

/// <summary>COPY with scripted answers, which arrive whole, in pieces of three bytes, and byte by byte.</summary>
public class CopyConversationTests
{
    private static readonly byte[] Begun = [.. Says.ParseComplete, .. Says.BindComplete];
    private static readonly byte[] In = Says.Message('G', [1, 0, 2, 0, 1, 0, 1]);
    private static readonly byte[] Out = Says.Message('H', [0, 0, 1, 0, 0]);

    public static TheoryData<int> Pieces => CommandExchangeTests.Pieces;

    [Theory]
    [MemberData(nameof(Pieces))]
    public void An_import_sends_one_Sync_after_its_data(int pieces)
    {
        var talk = new Talk([.. Begun, .. In, .. Says.Notice("n"), .. Says.Complete("COPY 3"), .. Says.Ready()], pieces);
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Equal((CopyDirection.In, true, 2), (talk.Copy.Direction, talk.Copy.IsBinary, talk.Copy.Columns));
        talk.Write("abc");
        // A script that arrives whole has the end of the COPY in it.
        if (pieces < int.MaxValue)
            Assert.Equal(Step.Row, talk.Next());
        talk.Write("de");
        talk.Copy.Complete(talk.Wire.Out);
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Equal((3UL, true, true), (talk.Copy.Rows, talk.Copy.IsComplete, talk.Copy.HasEnded));
        Assert.Equal("PBEH" + "d" + "dcS", talk.Heard());
        Assert.Equal(Step.Completed, talk.Next());
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void A_refused_statement_needs_a_Sync_too(int pieces)
    {
        var talk = new Talk([.. Says.Error("42P01", "no table"), .. Says.Ready()], pieces);
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Equal(("42P01", CopyDirection.None, false), (talk.Copy.Error!.SqlState, talk.Copy.Direction, talk.Copy.IsComplete));
        Assert.Equal("PBEHS", talk.Heard());
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void An_error_in_the_middle_ends_an_import_in_step(int pieces)
    {
        var talk = new Talk([.. Begun, .. In, .. Says.Error("22P03", "bad"), .. Says.Ready()], pieces);
        Assert.Equal(Step.Metadata, talk.Next());
        talk.Write("abc");
        // Whether the error is noticed now or at the end depends on what has arrived.
        var step = talk.Next();
        if (step == Step.Row)
        {
            talk.Copy.Complete(talk.Wire.Out);
            step = talk.Next();
        }

        Assert.Equal(Step.Completed, step);
        Assert.Equal("22P03", talk.Copy.Error!.SqlState);
        Assert.Equal(1, talk.Heard().Count(type => type == 'S'));
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void A_failed_import_repeats_no_error(int pieces)
    {
        var talk = new Talk([.. Begun, .. In, .. Says.Error("57014", "COPY from stdin failed: reason"), .. Says.Ready()], pieces);
        Assert.Equal(Step.Metadata, talk.Next());
        talk.Copy.Fail(talk.Wire.Out, "reason");
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Null(talk.Copy.Error);
        Assert.False(talk.Copy.IsComplete);
        Assert.Equal("PBEHfS", talk.Heard());
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void An_error_of_the_commit_follows_the_end_of_an_import(int pieces)
    {
        var talk = new Talk([.. Begun, .. In, .. Says.Complete("COPY 1"), .. Says.Error("23503", "deferred"), .. Says.Ready()], pieces);
        Assert.Equal(Step.Metadata, talk.Next());
        talk.Copy.Complete(talk.Wire.Out);
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Equal(("23503", false), (talk.Copy.Error!.SqlState, talk.Copy.IsComplete));
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void An_export_comes_in_messages(int pieces)
    {
        var talk = new Talk(
            [
                .. Begun, .. Out, .. Data("1\n"), .. Data(""), .. Says.Notice("n"), .. Data("22\n"), .. Says.Message('c', []), .. Says.Complete("COPY 2"),
                .. Says.Ready(),
            ],
            pieces);
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Equal((CopyDirection.Out, false, 1), (talk.Copy.Direction, talk.Copy.IsBinary, talk.Copy.Columns));
        foreach (var expected in new[] { "1\n", "", "22\n" })
        {
            Assert.Equal(Step.Row, talk.Next());
            Assert.Equal(expected, Encoding.UTF8.GetString(talk.Wire.In.AsSpan(talk.Copy.MessageStart, talk.Copy.MessageEnd - talk.Copy.MessageStart)));
        }

        Assert.Equal(Step.Completed, talk.Next());
        Assert.Equal(2UL, talk.Copy.Rows);
        Assert.Equal("PBEHS", talk.Heard());
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void The_Sync_of_an_export_goes_out_with_the_statement(int pieces)
    {
        var talk = new Talk([.. Begun, .. Out, .. Data("1"), .. Says.Message('c', []), .. Says.Complete("COPY 1"), .. Says.Ready()], pieces, isExport: true);
        Assert.Equal([Step.Metadata, Step.Row, Step.Completed], [talk.Next(), talk.Next(), talk.Next()]);
        Assert.Equal((1UL, true, "PBES"), (talk.Copy.Rows, talk.Copy.IsComplete, talk.Heard()));
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void An_export_that_is_refused_or_has_no_data_sends_no_second_Sync(int pieces)
    {
        var refused = new Talk([.. Says.Error("42P01", "no table"), .. Says.Ready()], pieces, isExport: true);
        Assert.Equal(Step.Completed, refused.Next());
        Assert.Equal(("42P01", "PBES"), (refused.Copy.Error!.SqlState, refused.Heard()));
        var toFile = new Talk([.. Begun, .. Says.Complete("COPY 7"), .. Says.Ready()], pieces, isExport: true);
        Assert.Equal(Step.Completed, toFile.Next());
        Assert.Equal((CopyDirection.None, 7UL, "PBES"), (toFile.Copy.Direction, toFile.Copy.Rows, toFile.Heard()));
        var broken = new Talk([.. Begun, .. Out, .. Data("1"), .. Says.Error("57014", "stopped"), .. Says.Ready()], pieces, isExport: true);
        Assert.Equal([Step.Metadata, Step.Row, Step.Completed], [broken.Next(), broken.Next(), broken.Next()]);
        Assert.Equal(("57014", "PBES"), (broken.Copy.Error!.SqlState, broken.Heard()));
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void An_export_that_the_server_takes_for_an_import_is_refused(int pieces)
    {
        var talk = new Talk([.. Begun, .. In], pieces, isExport: true);
        Assert.Throws<ProtocolException>(() => talk.Next());
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void An_export_comes_as_bytes(int pieces)
    {
        var talk = new Talk(
            [.. Begun, .. Out, .. Data("one "), .. Data(""), .. Data("two"), .. Says.Message('c', []), .. Says.Complete("COPY 2"), .. Says.Ready()], pieces);
        talk.Copy.ReadInPieces();
        Assert.Equal(Step.Metadata, talk.Next());
        var read = new List<byte>();
        var part = new byte[2];
        while (talk.Next() == Step.Row)
            read.AddRange(part.AsSpan(0, talk.Copy.Read(part)));
        Assert.Equal("one two", Encoding.UTF8.GetString([.. read]));
        Assert.True(talk.Copy.IsComplete);
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void An_export_that_is_not_wanted_is_dropped(int pieces)
    {
        var talk = new Talk([.. Begun, .. Out, .. Data("one "), .. Data("two"), .. Says.Error("57014", "stopped"), .. Says.Ready()], pieces);
        Assert.Equal(Step.Metadata, talk.Next());
        talk.Copy.Skip();
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Equal("57014", talk.Copy.Error!.SqlState);
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void A_COPY_of_a_file_of_the_server_has_no_direction(int pieces)
    {
        var talk = new Talk([.. Begun, .. Says.Complete("COPY 7"), .. Says.Ready()], pieces);
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Equal((CopyDirection.None, true, 7UL), (talk.Copy.Direction, talk.Copy.IsComplete, talk.Copy.Rows));
        Assert.Equal("PBEHS", talk.Heard());
    }

    [Fact]
    public void The_servers_last_words_end_a_COPY()
    {
        var talk = new Talk([.. Begun, .. Out, .. Data("one"), .. Says.Error("57P01", "shutting down", "FATAL")], 3);
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Equal(Step.Row, talk.Next());
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Equal("57P01", talk.Copy.Error!.SqlState);
        Assert.True(talk.Session.IsBroken);
    }

    public static TheoryData<string> Violations => ["both", "early", "twice", "columns", "format", "ready", "row", "confirmed", "end", "length"];

    [Theory]
    [MemberData(nameof(Violations))]
    public void Whatever_else_comes_violates_the_protocol(string what)
    {
        byte[] says = what switch
        {
            "both" => [.. Begun, .. Says.Message('W', [0, 0, 0])],
            "early" => In,
            "twice" => [.. Begun, .. Out, .. Out],
            "columns" => [.. Begun, .. Says.Message('G', [1, 0, 2, 0, 1])],
            "format" => [.. Begun, .. Says.Message('G', [2, 0, 0])],
            "ready" => [.. Begun, .. Says.Ready()],
            "row" => [.. Begun, .. Out, .. Says.TextRow("x")],
            "confirmed" => [.. Says.BindComplete, .. In],
            "end" => [.. Begun, .. Out, .. Says.Message('c', []), .. Says.Ready()],
            _ => [.. Begun, .. Out, (byte)'d', 0x7F, 0xFF, 0xFF, 0xFF],
        };
        var talk = new Talk(says, int.MaxValue);
        Assert.Throws<ProtocolException>(() =>
        {
            while (talk.Next() != Step.Completed)
            {
            }
        });
    }

    [Fact]
    public void A_message_of_more_bytes_than_a_row_may_have_is_refused()
    {
        var talk = new Talk([.. Begun, .. Out, (byte)'d', 0x10, 0, 0, 0], int.MaxValue, "Max Row Bytes=1048576");
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Equal(WireFailure.ValueTooLarge, Assert.Throws<WireException>(() => talk.Next()).Failure);
    }

    [Fact]
    public void The_header_the_rows_and_the_trailer_are_checked()
    {
        byte[] signature = [.. "PGCOPY\n"u8, 0xFF, (byte)'\r', (byte)'\n', 0];
        byte[] header = [.. signature, 0, 0, 0, 0, 0, 0, 0, 0];
        byte[] row = [0, 1, 0xFF, 0xFF, 0xFF, 0xFF];
        var rows = new BinaryCopyRows(1);
        rows.Take([.. header, .. row], out var at);
        Assert.Equal(header.Length, at);
        rows.Take(row, out at);
        Assert.Equal(0, at);
        rows.Take([0xFF, 0xFF], out at);
        Assert.Equal((-1, true), (at, rows.HasTrailer));
        Assert.Throws<ProtocolException>(() => rows.Take([], out _));

        // The header alone, with an extension.
        rows = new(1);
        rows.Take([.. signature, 0, 0, 0, 1, 0, 0, 0, 2, 7, 7], out at);
        Assert.Equal((-1, false), (at, rows.HasTrailer));

        foreach (byte[] bad in new byte[][]
        {
            [], signature, header[..^1], [.. header[1..], 0], [.. header, 0], [.. header, 0, 2], [.. header, 0xFF, 0xFF, 0],
            [.. signature, 0, 1, 0, 0, 0, 0, 0, 0], [.. signature, 0, 0, 0, 0, 0, 0, 0, 1], [.. signature, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF],
        })
            Assert.Throws<ProtocolException>(() => new BinaryCopyRows(1).Take(bad, out _));
    }

    [Theory]
    [InlineData("COPY t FROM STDIN", true)]
    [InlineData("/* x */ copy t (a) from\n stdin with binary", true)]
    [InlineData("COPY t FROM '/stdin'", false)]
    [InlineData("COPY t TO STDOUT", false)]
    [InlineData("COPY stdin TO STDOUT", false)]
    [InlineData("SELECT 'FROM STDIN'", false)]
    public void A_COPY_that_waits_for_the_client_is_recognised(string sql, bool expected) =>
        Assert.Equal(expected, FirstWord.CopiesFromClient(Encoding.UTF8.GetBytes(sql)));

    private static byte[] Data(string text) => Says.Message('d', Encoding.UTF8.GetBytes(text));

    private sealed class Talk
    {
        private readonly ScriptedServer _server;
        private bool _hasBegun;

        public Talk(byte[] says, int pieces, string options = "", bool isExport = false)
        {
            _server = new ScriptedServer(says, pieces);
            Wire = new Wire(_server);
            var settings = PgSettings.Parse($"Host=h;Username=u;{options}");
            Session = new PgSession(
                Wire, new Endpoint("h", 1), new PgSessionOpener(settings, new Dialer(null)), new Connect(settings, new ScramKeyCache(), _server));
            Session.Operation.Begin(0);
            var statement = new StatementTable<PgStatement>(PgStatement.ScanPositional).Get("COPY t FROM STDIN").Parts[0];
            Copy = new(Session, Session.State, Session.Operation, statement, settings.MaxRowBytes, isExport);
        }

        public Wire Wire { get; }

        public PgSession Session { get; }

        public CopyConversation Copy { get; }

        public Step Next()
        {
            if (!_hasBegun)
            {
                _hasBegun = true;
                Copy.Encode(Wire);
                Copy.Send();
            }

            return BlockingPump.Run(Copy, Wire);
        }

        public void Write(string data)
        {
            var rows = new CopyRows();
            rows.BeginMessage(Wire.Out);
            Wire.Out.Bytes(Encoding.UTF8.GetBytes(data));
            rows.EndMessage(Wire.Out);
            Copy.Send();
        }

        // The types of the messages that the client has sent.
        public string Heard()
        {
            var (types, bytes) = (new StringBuilder(), _server.Heard.ToArray());
            for (var at = 0; at < bytes.Length; at += 1 + System.Buffers.Binary.BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(at + 1)))
                types.Append((char)bytes[at]);
            return types.ToString();
        }
    }
}
