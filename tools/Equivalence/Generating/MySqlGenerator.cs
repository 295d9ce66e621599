using System.Collections.Immutable;
using System.Data;
using System.Globalization;
using Slipstream.Equivalence.Comparing;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Generating;

/// <summary>Generates programs for MySQL and MariaDB.</summary>
internal sealed class MySqlGenerator : Generator
{
    private readonly ImmutableArray<Choice> _choices;

    public MySqlGenerator(Ground ground) : base(ground) => _choices =
    [
        new(30, Need.Tables, () => Command("query", Repeated(), times: Chance(30) ? 2 + Random.Next(3) : 1)),
        new(10, Need.Tables, Write),
        new(
            6, Need.Nothing,
            () => Command("parameters", $"SELECT {string.Join(", ", Enumerable.Range(0, 1 + Random.Next(3)).Select(static i => $"@p{i} AS a{i}"))}", Some(3))),
        new(10, Need.Nothing, SetVariable),
        new(5, Need.Tables, SetInside),
        new(4, Need.Tables, () => Between(OneOf<Action>(SetVariable, SetVariable, SetInside, Use))),
        new(3, Need.Tables, () => InBatch(() => BetweenInBatch([.. HidesAndSets, "USE " + Other])), Defines: true),
        new(3, Need.Tables, SeeOthers, IsOurs: true),
        new(2, Need.Nothing, Retyped, IsOurs: Ground.ForPeers || !Ground.IsMariaDb),
        new(3, Need.Nothing, Use),
        new(2, Need.Nothing, () => Change("role", OneOf("SET ROLE eq_role", "SET ROLE NONE", "SET ROLE DEFAULT"))),
        new(5, Need.Tables, UserVariable),
        new(3, Need.Hold, Lock),
        new(5, Need.Tables, SqlPrepare),
        new(8, Need.Hold, Begin),
        new(6, Need.Nothing, Transact),
        new(
            3, Need.Hold,
            () =>
                Change(
                    "transaction of SQL",
                    OneOf("START TRANSACTION", "BEGIN", "SET autocommit = 0", "START TRANSACTION READ ONLY", "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE")),
            IsOurs: true),
        new(
            3, Need.Nothing,
            () => Change("transaction of SQL ends", OneOf("COMMIT", "ROLLBACK", "SET autocommit = 1", "SAVEPOINT a", "ROLLBACK TO SAVEPOINT a")), IsOurs: true),
        new(
            2, Need.Hold,
            () =>
                Unused(OneOf("START TRANSACTION", "BEGIN", "SET autocommit = 0", "START TRANSACTION READ ONLY"), "INSERT INTO t1(n, s) VALUES (800, 'unused')"),
            IsOurs: true),
        new(6, Need.Tables, ServerError),
        new(3, Need.Tables, RefusedValue, IsOurs: true),
        new(3, Need.Tables, RefusedBetween, IsOurs: true),
        new(14, Need.Tables, () => InBatch(Batch)),
        new(8, Need.Nothing, LastId),
        new(5, Need.Tables, Warn),
        new(4, Need.Tables, Bulk, IsOurs: true),
        new(5, Need.Tables, SeveralResults),
        new(4, Need.Tables, Procedure),
        new(5, Need.Tables, Define, Defines: true),
        new(2, Need.Tables, Outside, Defines: true),
        new(3, Need.Nothing, Large),
        new(3, Need.Hold, Xa, IsOurs: true),
        new(2, Need.Tables, Enlist, IsOurs: true),
    ];

    protected override ImmutableArray<Choice> Choices => _choices;

    // Without dates: the peer writes all digits of the time, which shows if they become text or numbers.
    protected override ReadOnlySpan<ArgKind> KindsOfBoth =>
    [
        ArgKind.Int32, ArgKind.Int32, ArgKind.String, ArgKind.String, ArgKind.Int64, ArgKind.Null, ArgKind.Boolean, ArgKind.Int16, ArgKind.Byte,
        ArgKind.Decimal, ArgKind.Bytes, ArgKind.Guid,
    ];

    protected override string SlowMark(int milliseconds) =>
        string.Create(CultureInfo.InvariantCulture, $"UPDATE {Ground.Database}.mark SET n = n + 1 WHERE m = 1 AND SLEEP({milliseconds / 1000.0}) = 0");

    /// <summary>Adds XA statements, mostly in the right order. A branch that may be prepared is ended in its lease, because it outlives it.</summary>
    private void Xa()
    {
        if (Me.HasTransaction || (Me.IsHolding && Chance(80)))
        {
            // A prepared branch keeps its locks after the lease.
            Change("xa", OneOf("XA START ", "XA END ", Me.HasTransaction ? "XA END " : "XA PREPARE ", "XA ROLLBACK ", "XA COMMIT ") + Branch);
            if (!Me.HasTransaction)
                EndXa();
            return;
        }

        Change("xa", "XA START " + Branch);
        for (var i = Random.Next(3); i > 0; i--)
            Write();
        switch (Random.Next(5))
        {
            // The lease may end with the branch open; the branch then ends with it.
            case 0: break;
            case 1: Change("xa", "XA END " + Branch); break;
            case 2:
                Change("xa", "XA END " + Branch);
                Change("xa", $"XA COMMIT {Branch} ONE PHASE");
                break;
            case 3: EndXa(); break;
            default:
                Change("xa", "XA END " + Branch);
                Change("xa", "XA PREPARE " + Branch);
                if (Chance(50))
                    Command("constant", "SELECT 1");
                Change("xa", OneOf("XA COMMIT ", "XA ROLLBACK ") + Branch);
                EndXa();
                break;
        }
    }

    // Ends the branch in any state, even if there is none.
    private void EndXa() => Unprepared(() =>
    {
        Change("xa", "XA END " + Branch);
        Change("xa", "XA ROLLBACK " + Branch);
    });

    /// <summary>The kind of a step that reads a table, which clears the session's warnings. Tables of information_schema need no lock of LOCK TABLES.</summary>
    public const string ClearsWarnings = "warnings cleared";

    private string Other => Ground.Database + "_b";

    protected override Text Query() => Random.Next(34) switch
    {
        0 => Text.Of("SELECT id, n, s, d, at FROM t1 WHERE id = @p0", Arg.Int(1)),
        1 => Text.Of("SELECT * FROM t1 WHERE n > @p0 ORDER BY n", Arg.Int(10)),
        28 when Ground.IsMariaDb => Text.Of("INSERT INTO t1(n, s) VALUES (@p0, @p1) RETURNING id, n", Arg.Int(120), Arg.Str("ret")),
        29 when Ground.IsMariaDb => Text.Of("DELETE FROM t2 WHERE parent = @p0 RETURNING id, v", Arg.Int(5)),
        2 => Text.Of("SELECT d / 3 FROM t1 WHERE id = @p0", Arg.Int(1)),
        3 => Text.Of("SELECT WEEK(at), MONTHNAME(at), DAYNAME(at) FROM t1 WHERE id = @p0", Arg.Int(1)),
        4 => Text.Of("SELECT GROUP_CONCAT(s ORDER BY id) FROM t1 WHERE n >= @p0", Arg.Int(0)),
        5 => Text.Of("SELECT COUNT(*) FROM t2 WHERE ts >= TIMESTAMP'2024-06-01 00:00:00+00:00' AND id > @p0", Arg.Int(0)),
        6 => Text.Of("SELECT * FROM k1 WHERE k = @p0", Arg.Int(1)),
        7 => Text.Of("SELECT f, g, b8, b1, u, ti, tm, da, y FROM k1 WHERE k = @p0", Arg.Int(1)),
        8 => Text.Of("SELECT MAX(b1), MIN(b8), SUM(x), AVG(x) FROM k1 WHERE k < @p0", Arg.Int(5)),
        9 => Text.Of("SELECT * FROM v1 WHERE id = @p0", Arg.Int(2)),
        10 => Text.Of("INSERT INTO t1(n, s) VALUES (@p0, @p1)", Arg.Int(100), Arg.Str("new")),
        11 => Text.Of("INSERT INTO t2(parent, v) VALUES (@p0, @p1)", Arg.Int(1), Arg.Str("v")),
        12 => Text.Of("UPDATE t1 SET s = @p0 WHERE n = @p1", Arg.Str("changed"), Arg.Int(10)),
        13 => Text.Of("DELETE FROM t2 WHERE id = @p0", Arg.Int(2)),
        14 => Text.Of("SELECT t1.id, t2.id FROM t1 LEFT JOIN t2 ON t2.parent = t1.id WHERE t1.s = @p0", Arg.Str("ten")),
        15 => Text.Of("INSERT IGNORE INTO t1(n, s) VALUES (@p0, @p1)", Arg.Int(10), Arg.Str("ignored")),
        16 => Text.Of("SELECT tx, e, js, gu, bl FROM k1 WHERE k = @p0", Arg.Int(1)),
        17 => Text.Of("SELECT id FROM t1 WHERE s = @p0 OR d > @p1", Arg.Str("ten"), new Arg(ArgKind.Decimal, "1.10")),
        18 when !Ground.ForPeers => Text.Of("SELECT COUNT(*) FROM k1 WHERE f = @p0", new Arg(ArgKind.Single, "1.1")),
        19 => Text.Of("SELECT SQL_CALC_FOUND_ROWS id FROM t1 WHERE n > @p0 ORDER BY id LIMIT 1", Arg.Int(5)),
        20 => Text.Of("SELECT @@sql_mode, @@time_zone, n FROM t1 WHERE id = @p0", Arg.Int(1)),
        21 => Text.Of("SELECT md5(@p0) AS m", Arg.Int(3)),
        22 => Text.Of("INSERT INTO m1 VALUES (@p0, @p1)", Arg.Int(4), Arg.Str("fou")),
        23 when !Ground.ForPeers => Text.Of("SELECT id, n FROM t1 WHERE at > @p0 LIMIT @p1", new Arg(ArgKind.DateTime, "2000-01-01T00:00:00"), Arg.Int(2)),
        24 => Text.Of("SELECT UNIX_TIMESTAMP(ts), ts FROM t2 WHERE id = @p0", Arg.Int(1)),
        25 => Text.Of("SELECT \"id\", n || '' FROM t1 WHERE id = @p0", Arg.Int(1)),
        >= 30 =>
            Text.Of(
                $"SELECT {Columns("k", "x", "f", "g", "b8", "b1", "u", "ti", "tm", "da", "y", "tx", "e", "js", "gu", "bl")} FROM k1 WHERE k <= @p0",
                Arg.Int(3)),
        26 => Text.Of("REPLACE INTO t1(id, n, s) VALUES (@p0, @p1, 'r')", Arg.Int(3), Arg.Int(40)),
        _ => Text.Of("INSERT INTO t1(n, s) VALUES (@p0, @p1) ON DUPLICATE KEY UPDATE s = VALUES(s), id = LAST_INSERT_ID(id)", Arg.Int(20), Arg.Str("dup")),
    };

    private Arg[] Some(int most) => [.. Enumerable.Range(0, most).Select(_ => AnyArg())];

    private void Write()
    {
        var n = Arg.Int(100 + Random.Next(8));
        switch (Random.Next(7))
        {
            case 0: Change(
                "insert", "INSERT INTO t1(n, s, d, at) VALUES (@p0, @p1, @p2, @p3)", n, Value(ArgKind.String), Value(ArgKind.Decimal), Value(ArgKind.DateTime));
            break;
            case 1: Change("insert", "INSERT INTO t2(parent, v) VALUES (LAST_INSERT_ID(), 'x')"); break;
            case 2: Change(
                "update", "UPDATE t1 SET d = @p0, at = @p1 WHERE id <= @p2", Value(ArgKind.Decimal), Value(ArgKind.DateTime), Arg.Int(Random.Next(5)));
            break;
            case 3: Change("delete", "DELETE FROM t1 WHERE n = @p0", n); break;
            case 4: Change(
                "insert", "INSERT INTO k1(k, x, f, g, bl, tx) VALUES (@p0, @p1, @p2, @p3, @p4, @p5)", Arg.Int(4 + Random.Next(4)), AnyArg(), AnyArg(), AnyArg(),
                AnyArg(), AnyArg());
            break;
            case 5: Change("insert", "INSERT INTO t2(parent, v) SELECT id, 'pc' FROM t1 WHERE n >= @p0", Arg.Int(100)); break;
            default: Change("insert", "INSERT INTO t1(n, s) VALUES (@p0, 'a'), (@p1, 'b')", n, Arg.Int(200 + Random.Next(5))); break;
        }
    }

    private void SetVariable()
    {
        // The peer writes texts in the session's first character set, and returns to its database only if it has seen the USE.
        if (Ground.ForPeers && (Ground.Settings.Count == 0 || Chance(50)))
        {
            Change(
                "set",
                OneOf(
                    "SET sql_mode = ''", "SET time_zone = '+05:00'", "SET SESSION sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'", "SET default_week_format = 3",
                    "SET @a = 1"));
            return;
        }

        if (!Ground.ForPeers && (Ground.Settings.Count == 0 || Chance(40)))
        {
            Change(
                "set",
                OneOf(
                    "SET NAMES latin1", "SET NAMES utf8mb4", "SET CHARACTER SET DEFAULT", "SET sql_mode = ''", "SET time_zone = '+05:00'",
                    "SET SESSION sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'",
                    "SET SESSION div_precision_increment = 10, @a = 1", "SET STATEMENT sql_mode = '' FOR SELECT 1/0", "SET @@session.group_concat_max_len = 4",
                    "SET default_week_format = 3", "SET lc_time_names = 'de_DE'"));
            return;
        }

        var setting = Ground.Settings[Random.Next(Ground.Settings.Count)];
        if (Ground.ForPeers
            && (setting.Name.StartsWith("character_set", StringComparison.Ordinal) || setting.Name.StartsWith("collation", StringComparison.Ordinal)
            || setting.Name == "session_track_schema"))
            return;
        var value = setting.Values[Random.Next(setting.Values.Count)];
        Change(
            "set", OneOf($"SET SESSION {setting.Name} = {value}", $"SET @@SESSION.{setting.Name} = {value}", $"SET @b = 5, SESSION {setting.Name} = {value}"));
    }

    private static readonly string[] HidesAndSets =
    [
        "CREATE TEMPORARY TABLE t1(id INT, n INT, s VARCHAR(9), d INT, at DATE) SELECT 7 AS id, 7 AS n", "DROP TEMPORARY TABLE IF EXISTS t1, tmp1",
        "SET SESSION sql_mode = 'ANSI_QUOTES,PIPES_AS_CONCAT'", "SET div_precision_increment = 10",
    ];

    private void SeeOthers() => Isolation(
        OneOf("SET TRANSACTION ISOLATION LEVEL READ COMMITTED", "SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED",
            "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED", "SET @a = 1"),
        "SELECT COUNT(*), SUM(n) FROM t1",
        $"UPDATE {Ground.Database}.t1 SET n = n + 1000 ORDER BY n DESC");

    private void SetInside()
    {
        switch (Random.Next(7))
        {
            case 6: Change("set inside", "INSERT INTO m1 VALUES (7, 'set')"); break;
            case 0: Change("set inside", "CALL p_set(@p0)", Arg.Int(OneOf(4, 8, 2000))); break;
            case 1: Change("set inside", "CALL p_zone()"); break;
            case 2: Change("set inside", "CALL p_mode()"); break;
            case 3: Command("set inside", "SELECT f_set(@p0) AS f", Arg.Int(OneOf(0, 7))); break;
            case 4: Change("set inside", "CALL p_var(@p0)", Arg.Int(6)); break;
            default: Change("set inside", "INSERT INTO t2(parent, v) VALUES (5, 'tr')"); break;
        }
    }

    private void Use()
    {
        var database = OneOf(Ground.Database, Other, Other);
        if (Chance(50))
            Add(new ChangeDatabaseStep(Me.Number, database));
        else
            Change("use", "USE " + database);
    }

    private void UserVariable()
    {
        switch (Random.Next(6))
        {
            case 0: Change("user variable", "SET @a = @p0", AnyArg()); break;
            case 1: Command("user variable", "SELECT @a, @b, @c"); break;
            case 2: Command("user variable", "SELECT @a := IFNULL(@a, 0) + 1"); break;
            case 3: Command("user variable", "SELECT n INTO @c FROM t1 WHERE id = 1"); break;
            case 4: Command("user variable", "SELECT id FROM t1 WHERE id = @a"); break;
            default: Change("user variable", "SET @a = (SELECT COUNT(*) FROM t1)"); break;
        }
    }

    private void Lock()
    {
        switch (Random.Next(5))
        {
            case 0: Command("lock", $"SELECT GET_LOCK('{Ground.Database}_l', 0)"); break;
            case 1: Change("lock", "LOCK TABLES t1 WRITE, t2 READ"); break;
            case 2: Change("lock", $"DO GET_LOCK('{Ground.Database}_m', 0)"); break;
            case 3: Change("lock", "CALL p_lock()"); break;
            default: Change("lock", "FLUSH TABLES t1"); break;
        }
    }

    protected override void ReleaseLocks()
    {
        Command("let go", "SELECT RELEASE_ALL_LOCKS()");
        Change("let go", "XA END " + Branch);
        Change("let go", "XA ROLLBACK " + Branch);
        Change("let go", "UNLOCK TABLES");
        Change("let go", "ROLLBACK");
        Change("let go", "SET autocommit = 1");
    }

    private void SqlPrepare()
    {
        switch (Random.Next(6))
        {
            case 0: Change("sql prepare", $"PREPARE s{1 + Random.Next(2)} FROM 'SELECT n FROM t1 WHERE id = 1'"); break;
            case 1: Change("sql prepare", "PREPARE s2 FROM 'INSERT INTO t2(parent) VALUES (9)'"); break;
            case 2: Change("sql prepare", "PREPARE s1 FROM 'SET SESSION sql_mode = ''ANSI_QUOTES'''"); break;
            case 3: Change("sql prepare", "DEALLOCATE PREPARE " + Name("s", 2)); break;
            default: Command("sql execute", "EXECUTE " + Name("s", 2)); break;
        }
    }

    private void ServerError()
    {
        switch (Random.Next(7))
        {
            case 0: Command("error", "SELECT * FROM missing"); break;
            case 1: Change("error", "INSERT INTO t1(n) VALUES (10)"); break;
            case 2: Command("error", "SELEC 1"); break;
            case 3: Change("error", "INSERT INTO t2(v) VALUES (@p0)", Arg.Str("too long")); break;
            case 4: Change("error", "CALL p_fail()"); break;
            case 5: Command("error", "SELECT 1; SELECT * FROM missing; SELECT 2"); break;
            default: Command("error", "SELECT (SELECT id FROM t1) FROM t1 WHERE n = @p0", Arg.Int(10)); break;
        }
    }

    private void RefusedValue()
    {
        switch (Random.Next(3))
        {
            case 0: Command("refused value", "SELECT @p0 AS a", OneOf(Refused)); break;
            case 1: Change("refused value", "INSERT INTO t1(n, s) VALUES (@p0, @p1)", Arg.Int(150 + Random.Next(3)), OneOf(Refused)); break;
            default: Command("refused value", "SELECT id FROM t1 WHERE id = @p0 AND n = @p1", Arg.Int(1)); break;
        }
    }

    private void Batch()
    {
        var count = 1 + Random.Next(6);
        var commands = new List<Text>();
        switch (Ground.Merges && Chance(60) ? 0 : Random.Next(4))
        {
            case 0:
                // The same insert repeatedly, with a failing row anywhere. The strictness of sql_mode decides which rows fail.
                if (Chance(20))
                    Change("set", OneOf("SET sql_mode = ''", "SET sql_mode = ''", "SET sql_mode = 'STRICT_ALL_TABLES'"));
                if (Chance(25))
                {
                    Begin();
                    Hold();
                }

                // Without a unique column, the same batch succeeds again.
                var into = OneOf(
                    Ground.Merges ? "INSERT INTO t2(parent, v) VALUES (@p0, @p1)" : "INSERT INTO t1(n, s) VALUES (@p0, @p1)",
                    "INSERT INTO t2(parent, v) VALUES (@p0, @p1)", "INSERT INTO m1(a, s) VALUES (@p0, @p1)", "INSERT INTO k1(k, tx) VALUES (@p0, @p1)");
                // Numbers of one width in the rows that may be sent together, and of another in a row that is sent alone.
                var isWide = Chance(25);
                Arg Number() => isWide ? new Arg(ArgKind.Int64, OneOf("301", "317", "325", "333", "338")) : Arg.Int(300 + Random.Next(40));
                for (var i = 0; i < count; i++)
                    commands.Add(
                        Text.Of(
                            into, Chance(8) ? AnyArg() : Number(),
                            Chance(15) ? OneOf(Arg.Null, Arg.Null, Arg.Str("much too long for it"), Arg.Int(5)) : Arg.Str(OneOf("abc", "de", ""))));
                if (Chance(40))
                    commands.Add(
                        Text.Of(
                            OneOf(
                                "INSERT INTO t2(parent) VALUES (LAST_INSERT_ID())", "SELECT LAST_INSERT_ID()", "SELECT ROW_COUNT()",
                                Ground.Merges ? "SELECT 1" : "SHOW WARNINGS", "SELECT f_id()")));
                if (Chance(30))
                {
                    commands.Add(Text.Of("SELECT 1"));
                    commands.Add(Text.Of(into, Arg.Int(340 + Random.Next(9)), Arg.Str("one")));
                }

                break;
            case 1:
                for (var i = 0; i < count; i++)
                    commands.Add(Text.Of("SELECT id, n, s FROM t1 WHERE id = @p0", Arg.Int(Random.Next(5))));
                break;
            default:
                for (var i = 0; i < count; i++)
                    commands.Add(AnyOfBatch());
                break;
        }

        for (var times = Chance(Ground.Merges ? 60 : 25) ? 2 + Random.Next(2) : 1; times > 0; times--)
            Add(new BatchStep(Me.Number, "batch", [.. commands], (Verb)Random.Next(3)) { Read = Plan(), Prepares = !Ground.ForPeers && Chance(8) });
    }

    private Text AnyOfBatch() => Random.Next(16) switch
    {
        0 => Text.Of("INSERT INTO t1(n) VALUES (@p0)", Arg.Int(400 + Random.Next(9))),
        1 => Text.Of("SELECT LAST_INSERT_ID()"),
        2 => Text.Of("SELECT ROW_COUNT()"),
        3 => Text.Of("SET @a = 5"),
        4 => Text.Of("SELECT @a"),
        5 => Text.Of("SELECT * FROM missing"),
        6 => Text.Of("SET sql_mode = ''"),
        7 => Text.Of("UPDATE t1 SET s = @p0 WHERE id = 1", Value(ArgKind.String)),
        8 => Text.Of("CALL p_rows()"),
        9 => Text.Of("SELECT @p0 AS a, @p1 AS b", AnyArg(), AnyArg()),
        10 => Text.Of("DELETE FROM t2 WHERE id > 1"),
        11 => Text.Of("USE " + Other),
        12 => Text.Of("SELECT 1 -- a comment"),
        // The server reports neither the lock nor the variable. Each user has its own lock, and a killed session releases its lock at an unknown time.
        13 when !MayStop => Text.Of($"DO GET_LOCK('{Ground.Database}_b{Me.Number}', 0)"),
        14 => Text.Of("SELECT @b := 7 AS b"),
        _ => Repeated(),
    };

    private void LastId()
    {
        // The server's reset does not clear FOUND_ROWS(), so it is read only after a query of the same lease.
        if (Chance(15))
        {
            Change("set", "SET @a = 0");
            Add(new CommandStep(Me.Number, "found rows", Text.Of("SELECT SQL_CALC_FOUND_ROWS @a UNION ALL SELECT 2 LIMIT 1"), Verb.Reader)
            {
                // Stay in the same lease.
                Read = Plan() is var plan && plan.Leaves == Leaving.ConnectionClosed ? plan with { Leaves = Leaving.Dispose } : plan,
            });
            Command("found rows", "SELECT FOUND_ROWS()");
            return;
        }

        Command(
            "last id",
            OneOf(
                "SELECT LAST_INSERT_ID()", "SELECT ROW_COUNT()", "SELECT @@identity, @@last_insert_id", "SELECT f_id()", "SELECT LAST_INSERT_ID(55)",
                "SELECT LAST_INSERT_ID(), ROW_COUNT()"));
    }

    private void Warn()
    {
        // For merged inserts, the warnings of a statement with many rows depend on whether it is prepared.
        switch (Ground.Merges ? OneOf(1, 2, 4) : Random.Next(6))
        {
            case 0: Command("warnings", "SHOW WARNINGS"); break;
            case 1: Command("warnings", "SELECT CAST('x' AS SIGNED), 1/0"); break;
            case 2: Change("warnings", "INSERT IGNORE INTO t2(v) VALUES ('too long'), ('ok')"); break;
            case 3: Command("warnings", "SELECT @@warning_count, @@error_count"); break;
            case 4: Change("warnings", "CALL p_warn()"); break;
            default: Command("warnings", "SHOW COUNT(*) ERRORS"); break;
        }
    }

    private void Bulk()
    {
        var wire = OneOf(Ground.IsMariaDb ? ["Auto", "LoadData", "BulkExecute", "MultiRow"] : (ReadOnlySpan<string>)["Auto", "LoadData", "MultiRow"]);
        var rows = ImmutableArray.CreateBuilder<ImmutableArray<Arg>>();
        var count = Random.Next(6);
        if (Chance(50))
        {
            for (var i = 0; i < count; i++)
                rows.Add(
                    [
                        Chance(5) ? Arg.Int(10) : Arg.Int(500 + Random.Next(50)), Chance(10) ? Arg.Null : Value(ArgKind.String), Value(ArgKind.Decimal),
                        Value(ArgKind.DateTime)
                    ]);
            Add(new BulkStep(Me.Number, wire, "t1", ["n", "s", "d", "at"], rows.ToImmutable(), Chance(8) ? Random.Next(count + 1) : -1));
            return;
        }

        for (var i = 0; i < count; i++)
            rows.Add(
                [
                    Arg.Int(10 + Random.Next(50)), Chance(20) ? Arg.Null : Value(ArgKind.Double), Chance(20) ? Arg.Null : Value(ArgKind.Bytes),
                    Value(ArgKind.String), Value(ArgKind.TimeSpan)
                ]);
        Add(new BulkStep(Me.Number, wire, "k1", ["k", "g", "bl", "tx", "tm"], rows.ToImmutable(), Chance(8) ? Random.Next(count + 1) : -1));
    }

    private void SeveralResults() => Command("several results", OneOf(
        "SELECT 1; SELECT id FROM t1 ORDER BY id; SELECT 'x', NULL",
        "INSERT INTO t2(parent) VALUES (3); SELECT LAST_INSERT_ID(); UPDATE t1 SET d = 1; SELECT ROW_COUNT()",
        "SELECT id FROM t1 WHERE false; SELECT 2",
        "SET @a = 1; SELECT @a; SET sql_mode = ''; SELECT @@sql_mode",
        "UPDATE t1 SET d = 2 WHERE id = 1; DELETE FROM t2; SELECT COUNT(*) FROM t2",
        "SELECT n FROM t1 ORDER BY n; INSERT INTO t1(n) VALUES (10); SELECT 5"));

    private void Procedure()
    {
        if (Chance(40))
        {
            Command("procedure", OneOf("CALL p_rows()", "CALL p_ins(600)", "CALL p_fail()", "CALL p_warn()", "CALL p_cursor()"));
            return;
        }

        // MySqlConnector asks for the parameters of a procedure before the pool's first call of it, and that query clears the warnings of the command before.
        // A CALL that uses no table keeps them (docs/migrating.md). They are cleared here, so that only the warnings of the procedure itself are compared.
        if (Ground.ForPeers)
            Command(ClearsWarnings, Text.Of("SELECT 1 FROM information_schema.character_sets LIMIT 1"), Verb.NonQuery);
        if (Chance(40))
        {
            Add(
                new CommandStep(
                    Me.Number, "procedure outputs", Text.Of("p_out", Arg.Int(Random.Next(9)), Arg.Int(0), Chance(20) ? Arg.Null : Arg.Int(5)),
                    (Verb)Random.Next(3))
                    {
                        IsProcedure = true,
                        HasOutputs = true,
                        Prepares = Chance(20),
                        Times = 1 + Random.Next(3),
                    });
            // MySqlConnector reads output parameters by a SELECT of its own, which changes ROW_COUNT() (docs/migrating.md).
            if (Ground.ForPeers)
                Command("constant", "SELECT 1");
            return;
        }

        Add(
            new CommandStep(Me.Number, "procedure", Text.Of(OneOf("p_rows", "p_fail", "p_warn", "p_zone")), (Verb)Random.Next(3))
            {
                IsProcedure = true,
                Read = Plan()
            });
    }

    private void Define()
    {
        switch (Random.Next(16))
        {
            case 14: Change("ddl rename", "RENAME TABLE k1 TO k1r"); break;
            case 15: Change("ddl rename", "RENAME TABLE k1r TO k1"); break;
            case 0: Change("ddl add", "ALTER TABLE t1 ADD COLUMN c9 INT DEFAULT 9"); break;
            case 1: Change("ddl drop", "ALTER TABLE t1 DROP COLUMN d"); break;
            case 2: Change("ddl rename", "ALTER TABLE t1 CHANGE s s VARCHAR(40)"); break;
            case 3: Change("ddl retype", "ALTER TABLE t1 MODIFY n BIGINT NOT NULL"); break;
            case 4: Change("ddl view", "CREATE OR REPLACE VIEW v1 AS SELECT id, s, n, d FROM t1 WHERE id > 1"); break;
            case 5: Change("ddl view", "DROP VIEW IF EXISTS v1"); break;
            case 6: Change("ddl hide", "CREATE TEMPORARY TABLE t1(id INT, n INT, s VARCHAR(9), d INT, at DATE) SELECT 7 AS id, 7 AS n"); break;
            case 7: Change("ddl hide", "CREATE TEMPORARY TABLE tmp1(a INT) SELECT 1 AS a"); break;
            case 8: Change("ddl hide", "DROP TEMPORARY TABLE IF EXISTS t1, tmp1"); break;
            case 9: Change("ddl rename", "ALTER TABLE k1 RENAME COLUMN x TO xx"); break;
            case 10:
                Change("ddl truncate", "TRUNCATE TABLE t2");
                // TRUNCATE restarts the keys at 1, which are not unique numbers: see Keys.
                Change("ddl truncate", string.Create(CultureInfo.InvariantCulture, $"ALTER TABLE t2 AUTO_INCREMENT = {Keys.Lowest + 150_000_001}"));
                break;
            case 11: Change("ddl engine", "ALTER TABLE t2 ENGINE = " + OneOf("MyISAM", "InnoDB", "MEMORY")); break;
            case 12: Change("ddl trigger", "DROP TRIGGER IF EXISTS r2"); break;
            default: Change("ddl index", "CREATE INDEX i1 ON t1(s)"); break;
        }
    }

    private void Outside()
    {
        switch (Random.Next(4))
        {
            // The users' tables could be locked.
            case 0 when !Me.IsHolding: FromOutside("outside ddl", $"ALTER TABLE {Ground.Database}.t1 ADD COLUMN o1 INT"); break;
            case 1 when !Me.IsHolding: FromOutside("outside flush", $"FLUSH TABLES {Ground.Database}.t1"); break;
            case 2 when !Me.IsHolding: FromOutside(
                "outside ddl", $"CREATE OR REPLACE VIEW {Ground.Database}.v1 AS SELECT id, 1 AS n, s FROM {Ground.Database}.t1");
            break;
            case 3 when !Me.IsHolding: FromOutside("outside write", $"UPDATE {Ground.Database}.t1 SET d = 4"); break;
            default: Command("constant", "SELECT 1"); break;
        }
    }
}
