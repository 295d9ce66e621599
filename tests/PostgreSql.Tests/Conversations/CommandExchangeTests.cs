using System.Buffers.Binary;
using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Statements;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Authentication;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Sessions;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.Tests.Conversations;

/// <summary>The hot exchange with scripted answers, which arrive whole, in pieces of three bytes, and byte by byte.</summary>
public partial class CommandExchangeTests
{
    public static readonly TheoryData<int> Pieces = [int.MaxValue, 3, 1];

    private static readonly byte[] TwoRows =
    [
        .. Says.ParseComplete, .. Says.BindComplete, .. Says.Columns(0, TypeOid.Int4, TypeOid.Text),
        .. Says.TextRow("1", "one"), .. Says.TextRow("-2", null), .. Says.Complete("SELECT 2"), .. Says.Ready(),
    ];

    [Theory]
    [MemberData(nameof(Pieces))]
    public void Rows_come_one_by_one(int pieces)
    {
        var talk = new Talk(TwoRows, pieces);
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Equal("c1", talk.Exchange.Row.GetName(1));
        Assert.Equal(Step.Row, talk.Next());
        Assert.Equal((1, "one"), (talk.Exchange.Row.GetInt32(0), talk.Exchange.Row.GetString(1)));
        Assert.Equal(Step.Row, talk.Next());
        Assert.Equal(-2, talk.Exchange.Row.GetInt32(0));
        Assert.True(talk.Exchange.Row.IsNull(1));
        Assert.Equal(Step.Completed, talk.Next());
        Assert.True(talk.Exchange.IsCompleted);
        Assert.Equal(-1, talk.Exchange.RecordsAffected);
        Assert.Equal(Step.Completed, talk.Next());
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void A_scalar_is_one_outcome(int pieces)
    {
        var target = new ScalarTarget<int>();
        var talk = new Talk(TwoRows, pieces, Goal.Scalar, scalar: target);
        Assert.Equal(Step.Completed, talk.Next());
        Assert.True(talk.Exchange.IsCompleted);
        Assert.Equal(1, target.TakeValue());
    }

    [Fact]
    public void A_scalar_of_the_wrong_type_fails_after_the_exchange()
    {
        var talk = new Talk(TwoRows, 1, Goal.Scalar, scalar: new ScalarTarget<Guid>());
        Assert.Equal(Step.Completed, talk.Next());
        Assert.True(talk.Exchange.IsCompleted);
        Assert.IsType<InvalidCastException>(talk.Exchange.ScalarFailure);
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void Counts_are_summed_over_statements(int pieces)
    {
        byte[] one = [.. Says.ParseComplete, .. Says.BindComplete, .. Says.NoData];
        var talk = new Talk(
            [.. one, .. Says.Complete("INSERT 0 2"), .. one, .. Says.Complete("UPDATE 3"), .. one, .. Says.Complete("CREATE TABLE"), .. Says.Ready()],
            pieces, Goal.Count, "a; b; c");
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Equal(5, talk.Exchange.RecordsAffected);
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void Results_without_columns_are_passed_over(int pieces)
    {
        byte[] insert = [.. Says.ParseComplete, .. Says.BindComplete, .. Says.NoData, .. Says.Complete("INSERT 0 1")];
        byte[] select = [.. Says.ParseComplete, .. Says.BindComplete, .. Says.Columns(0, TypeOid.Int4), .. Says.TextRow("7"), .. Says.Complete("SELECT 1")];
        var talk = new Talk([.. insert, .. select, .. insert, .. select, .. Says.Ready()], pieces, Goal.Rows, "i; s; i; s");
        Assert.Equal([Step.Metadata, Step.Row, Step.Completed], [talk.Next(), talk.Next(), talk.Next()]);
        Assert.True(talk.Exchange.HasMoreResults);
        Assert.False(talk.Exchange.IsCompleted);
        Assert.Equal(Step.Completed, talk.Next());
        talk.Exchange.NextResult();
        Assert.Equal([Step.Metadata, Step.Row, Step.Completed], [talk.Next(), talk.Next(), talk.Next()]);
        Assert.True(talk.Exchange.IsCompleted);
        Assert.Equal(2, talk.Exchange.RecordsAffected);
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void The_rest_can_be_dropped(int pieces)
    {
        var talk = new Talk(TwoRows, pieces);
        talk.Next();
        talk.Next();
        talk.Exchange.SkipRest();
        Assert.Equal(Step.Completed, talk.Next());
        Assert.True(talk.Exchange.IsCompleted);
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void An_error_ends_at_ready_for_query(int pieces)
    {
        var talk = new Talk([.. Says.ParseComplete, .. Says.Error("42P01", "no table"), .. Says.Ready('E')], pieces);
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Equal("42P01", talk.Exchange.Error!.SqlState);
        Assert.True(talk.Exchange.IsCompleted);
        Assert.True(talk.Session.IsInTransaction);
    }

    [Fact]
    public void An_error_in_the_middle_of_rows_is_kept()
    {
        var talk = new Talk(
            [.. Says.ParseComplete, .. Says.BindComplete, .. Says.Columns(0, TypeOid.Int4), .. Says.TextRow("1"), .. Says.Error("22012", "x"), .. Says.Ready()],
            1);
        Assert.Equal([Step.Metadata, Step.Row, Step.Completed], [talk.Next(), talk.Next(), talk.Next()]);
        Assert.Equal("22012", talk.Exchange.Error!.SqlState);
    }

    [Fact]
    public void A_fatal_error_breaks_the_session_without_waiting_for_more()
    {
        var talk = new Talk(Says.Error("57P01", "going down", "FATAL"), 1);
        Assert.Equal(Step.Completed, talk.Next());
        Assert.True(talk.Exchange.IsCompleted);
        Assert.True(talk.Session.IsBroken);
        Assert.Equal("57P01", talk.Exchange.Error!.SqlState);
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void Remarks_may_come_at_any_time(int pieces)
    {
        var remarks = new List<string>();
        var talk = new Talk(
            [
                .. Says.Notice("a"), .. Says.ParseComplete, .. Says.Status("TimeZone", "UTC"), .. Says.BindComplete, .. Says.Columns(0, TypeOid.Int4),
                .. Says.Notice("b"), .. Says.TextRow("1"),
                .. Says.Message('A', [0, 0, 0, 1, .. "c\0p\0"u8]), .. Says.Complete("SELECT 1"), .. Says.Notice("c"), .. Says.Ready()],
            pieces);
        var connection = new PgConnection();
        connection.Notice += (_, e) => remarks.Add(e.Notice.MessageText);
        talk.Session.Holder = connection;
        Assert.Equal([Step.Metadata, Step.Row, Step.Completed], [talk.Next(), talk.Next(), talk.Next()]);
        Assert.Equal(["a", "b", "c"], remarks);
        GC.KeepAlive(connection);
        Assert.Equal("UTC", talk.Session.State.Settings["TimeZone"]);
    }

    [Theory]
    [InlineData("row before its description")]
    [InlineData("bind without parse")]
    [InlineData("ready in the middle")]
    [InlineData("unknown type")]
    [InlineData("lying length")]
    [InlineData("columns of a row")]
    [InlineData("password request")]
    public void What_must_not_come_breaks_the_protocol(string what)
    {
        byte[] says = what switch
        {
            "row before its description" => [.. Says.ParseComplete, .. Says.BindComplete, .. Says.TextRow("1")],
            "bind without parse" => Says.BindComplete,
            "ready in the middle" => [.. Says.ParseComplete, .. Says.Ready()],
            "unknown type" => Says.Message('?', []),
            "lying length" => [(byte)'1', 0x7F, 0xFF, 0xFF, 0xFF],
            "columns of a row" => [.. Says.ParseComplete, .. Says.BindComplete, .. Says.Columns(0, TypeOid.Int4), .. Says.TextRow("1", "2")],
            _ => Says.Message('R', [0, 0, 0, 3]),
        };
        var talk = new Talk(says, int.MaxValue);
        Assert.Throws<ProtocolException>(() =>
        {
            while (talk.Next() != Step.Completed)
            {
            }
        });
    }

    [Theory]
    [InlineData(int.MaxValue)]
    [InlineData(70_000)]
    [InlineData(4099)]
    public void A_large_value_has_its_own_array(int pieces)
    {
        var talk = new Talk(LargeRows(), pieces);
        Assert.Equal(Step.Metadata, talk.Next());
        for (var i = 0; i < 2; i++)
        {
            Assert.Equal(Step.Row, talk.Next());
            var row = talk.Exchange.Row;
            Assert.Equal(7, row.GetInt32(3));
            Assert.Equal(Large, row.GetByteArray(1));
            Assert.Equal("small", row.GetString(0));
            Assert.True(row.IsNull(2));
        }

        Assert.Equal(Step.Completed, talk.Next());
        Assert.True(talk.Exchange.IsCompleted);
    }

    [Theory]
    [InlineData(70_000)]
    [InlineData(4099)]
    public void A_large_value_is_read_in_pieces_with_sequential_access(int pieces)
    {
        var talk = new Talk(LargeRows(), pieces, isSequential: true);
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Equal(Step.Row, talk.Next());
        var part = talk.Exchange.Part!;
        talk.Seek(part, 0);
        Assert.Equal("small", talk.Exchange.Row.GetString(0));
        talk.Seek(part, 1);
        Assert.Equal((1, Large.Length), (part.Ordinal, part.Length));
        Assert.False(talk.Exchange.Row.IsNull(1));
        var read = new MemoryStream();
        var buffer = new byte[10_000];
        while (part.Position < part.Length)
        {
            if (part.Read(buffer) is > 0 and var count)
                read.Write(buffer, 0, count);
            else
            {
                part.More();
                talk.Run(part);
            }
        }

        Assert.Equal(Large, read.ToArray());
        talk.Seek(part, 3);
        Assert.Equal(7, talk.Exchange.Row.GetInt32(3));
        Assert.Throws<InvalidOperationException>(() => part.Seek(1));

        // The second row is skipped without reading its value.
        Assert.Equal([Step.Row, Step.Completed], [talk.Next(), talk.Next()]);
        Assert.True(talk.Exchange.IsCompleted);
        Assert.Null(talk.Exchange.Part);
    }

    [Theory]
    [InlineData(nameof(Goal.Rows))]
    [InlineData(nameof(Goal.Count))]
    [InlineData(nameof(Goal.Scalar))]
    public void Large_rows_that_nobody_wants_are_dropped_as_they_come(string name)
    {
        var goal = Enum.Parse<Goal>(name);
        var target = new ScalarTarget<string>();
        var talk = new Talk(LargeRows(), 5000, goal, scalar: goal == Goal.Scalar ? target : null);
        if (goal == Goal.Rows)
            talk.Exchange.SkipRest();
        Assert.Equal(Step.Completed, talk.Next());
        Assert.True(talk.Exchange.IsCompleted);
        Assert.True(talk.Wire.In.Length < Large.Length);
        Assert.Equal(goal == Goal.Scalar ? "small" : null, target.TakeValue());
    }

    [Fact]
    public void A_value_larger_than_allowed_is_refused_before_memory_is_taken()
    {
        var talk = new Talk(LargeRows(), 70_000, options: "Max Value Bytes=1048576");
        Assert.Equal(Step.Metadata, talk.Next());
        Assert.Equal(WireFailure.ValueTooLarge, Assert.Throws<WireException>(() => talk.Next()).Failure);
    }

    [Fact]
    public void A_copy_is_refused_and_the_session_goes_on()
    {
        var talk = new Talk(
            [
                .. Says.ParseComplete, .. Says.BindComplete, .. Says.NoData, .. Says.Message('G', [0, 0, 0]), .. Says.Error("57014", "COPY from stdin failed"),
                .. Says.Ready()
            ],
            int.MaxValue, Goal.Count);
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Equal("0A000", talk.Exchange.Error!.SqlState);
        Assert.Equal("f", Encoding.ASCII.GetString([.. talk.Server.Heard])[..1]);
        Assert.False(talk.Session.IsBroken);
    }

    [Theory]
    [InlineData("0A000")]
    [InlineData("26000")]
    public void A_prepared_statement_that_has_gone_stale_is_prepared_anew(string sqlState)
    {
        var talk = new Talk(
            [
                .. Says.Stale(sqlState, "s1"), .. Says.Ready(), .. Says.CloseComplete, .. Says.ParseComplete, .. Says.BindComplete,
                .. Says.Columns(0, TypeOid.Text),
                .. Says.TextRow("new"), .. Says.Complete("SELECT 1"), .. Says.Ready()],
            1, prepared: "s1");
        Assert.Equal([Step.Metadata, Step.Row], [talk.Next(), talk.Next()]);
        Assert.Equal("new", talk.Exchange.Row.GetString(0));
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Null(talk.Exchange.Error);
        Assert.Equal(1, talk.Session.Prepared.Count);
    }

    [Theory]
    [InlineData("0A000")]
    [InlineData("26000")]
    public void In_a_transaction_that_begins_with_it_that_begins_anew(string sqlState)
    {
        var talk = new Talk(
            [
                .. Says.Stale(sqlState, "s1"), .. Says.Ready('E'), .. Says.CloseComplete, .. Says.ParseComplete, .. Says.BindComplete, .. Says.NoData,
                .. Says.Complete("ROLLBACK"),
                .. Says.ParseComplete, .. Says.BindComplete, .. Says.NoData, .. Says.Complete("BEGIN"),
                .. Says.ParseComplete, .. Says.BindComplete, .. Says.Columns(0, TypeOid.Text), .. Says.TextRow("new"), .. Says.Complete("SELECT 1"),
                .. Says.Ready('T')],
            1, prepared: "s1", begins: true);
        Assert.Equal([Step.Metadata, Step.Row], [talk.Next(), talk.Next()]);
        Assert.Equal("new", talk.Exchange.Row.GetString(0));
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Null(talk.Exchange.Error);
        Assert.True(talk.Session.IsInTransaction);
        // With the statement that began it: after an error, ROLLBACK AND CHAIN would use the default isolation level.
        var heard = Encoding.ASCII.GetString([.. talk.Server.Heard]);
        Assert.DoesNotContain("CHAIN", heard, StringComparison.Ordinal);
        Assert.Matches("(?s)ROLLBACK.*BEGIN", heard);
    }

    [Fact]
    public void In_a_transaction_it_is_an_error()
    {
        var talk = new Talk([.. Says.Stale("0A000", "s1"), .. Says.Ready('E')], 1, prepared: "s1");
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Equal("0A000", talk.Exchange.Error!.SqlState);
        Assert.Equal(0, talk.Session.Prepared.Count);
    }

    [Theory]
    [InlineData("26000", "prepared statement \"s1\" does not exist", "")]
    [InlineData("26000", "prepared statement \"s2\" does not exist", "RFetchPreparedStatement\0")]
    [InlineData("26000", "prepared statement \"s1\" does not exist", "WPL/pgSQL function f() line 1 at EXECUTE\0RFetchPreparedStatement\0")]
    [InlineData("26000", "prepared statement \"s1\" does not exist", "Rexec_stmt_raise\0")]
    [InlineData("0A000", "cached plan must not change result type", "")]
    [InlineData("0A000", "cached plan must not change result type", "WPL/pgSQL function f() line 1 at SQL statement\0RRevalidateCachedQuery\0")]
    [InlineData("0A000", "cached plan must not change result type", "Rexec_stmt_raise\0")]
    [InlineData("42P01", "relation \"t\" does not exist", "WPL/pgSQL function f() line 1 at RAISE\0Rexec_stmt_raise\0")]
    [InlineData("42P01", "relation \"t\" does not exist", "qSELECT 1 FROM t\0RparserOpenTable\0")]
    public void An_error_that_does_not_prove_the_statement_stale_is_not_repeated(string sqlState, string message, string more)
    {
        var talk = new Talk([.. Says.Error(sqlState, message, more: more), .. Says.Ready()], 1, prepared: "s1");
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Equal((sqlState, message), (talk.Exchange.Error!.SqlState, talk.Exchange.Error.Message));
        Assert.Equal(0, talk.Session.Prepared.Count);
    }

    [Fact]
    public void An_empty_statement_is_no_error()
    {
        var talk = new Talk([.. Says.ParseComplete, .. Says.BindComplete, .. Says.NoData, .. Says.EmptyQueryResponse, .. Says.Ready()], 1);
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Null(talk.Exchange.Error);
    }

    private static readonly byte[] Large = MakeLarge();

    private static byte[] MakeLarge()
    {
        var large = new byte[1_500_000];
        new Random(7).NextBytes(large);
        return large;
    }

    private static byte[] LargeRows()
    {
        byte[] row = Says.Row(Encoding.UTF8.GetBytes("small"), Large, null, [0, 0, 0, 7]);
        return [
            .. Says.ParseComplete, .. Says.BindComplete, .. Says.Columns(1, TypeOid.Text, TypeOid.Bytea, TypeOid.Text, TypeOid.Int4), .. row, .. row,
            .. Says.Complete("SELECT 2"), .. Says.Ready()
        ];
    }

    /// <summary>One command on a session with a scripted server.</summary>
    private sealed class Talk
    {
        public Talk(
            byte[] says, int pieces, Goal goal = Goal.Rows, string sql = "s", bool isSequential = false, ScalarTarget? scalar = null, string options = "",
            string? prepared = null,
            bool begins = false)
        {
            Goal = goal;
            Server = new ScriptedServer(says, pieces);
            Wire = new Wire(Server);
            var settings = PgSettings.Parse($"Host=h;Username=u;{options}");
            var connect = new Connect(settings, new ScramKeyCache(), Server);
            connect.Parameters["server_version"] = "15.18";
            Session = new PgSession(Wire, new Endpoint("h", 1), new PgSessionOpener(settings, new Dialer(null)), connect);
            if (begins)
            {
                Session.PendingBegin = Session.CreateSimple("BEGIN");
                Session.PrependPending();
                Wire.Out.Clear();
            }

            Exchange = Session.Results;
            var statement = new StatementTable<PgStatement>(PgStatement.ScanPositional).Get(sql);
            Exchange.Prepare(null);
            Exchange.BeginCommand(statement, 0);
            if (prepared is not null)
            {
                var part = new PreparedPart(Encoding.ASCII.GetBytes(prepared), []) { IsParsed = true };
                part.Describe(null);
                Session.Prepared.Add(statement, new PreparedStatement([part], 0));
                var bind = new Core.Bytes.ByteWriter(64);
                bind.Bytes([(byte)'B', 0, 0, 0, 0, 0, .. part.Name, 0, 0, 0, 0, 0]);
                Exchange.Remember(bind, 0);
                Exchange.Expect(statement.Parts[0], part, parses: false, describes: false, executes: true);
                Exchange.EndOfGroup();
                Exchange.Begin(goal, scalar, 0, isSequential);
                return;
            }

            foreach (var part in statement.Parts)
                Exchange.Expect(part, null, parses: true, describes: true, executes: true);
            Exchange.EndOfGroup();
            Exchange.Begin(goal, scalar, 0, isSequential);
        }

        public Goal Goal { get; }

        public ScriptedServer Server { get; }

        public Wire Wire { get; }

        public PgSession Session { get; }

        public CommandExchange Exchange { get; }

        public Step Next() => BlockingPump.Run(Exchange, Wire);

        public void Run(MessagePart part) => BlockingPump.Run(part, Wire);

        public void Seek(MessagePart part, int ordinal)
        {
            part.Seek(ordinal);
            Run(part);
        }
    }
}
