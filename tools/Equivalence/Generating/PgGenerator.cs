using System.Collections.Immutable;
using System.Data;
using System.Globalization;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Generating;

/// <summary>Generates programs for PostgreSQL.</summary>
internal sealed partial class PgGenerator : Generator
{
    private readonly ImmutableArray<Choice> _choices;

    public PgGenerator(Ground ground) : base(ground) => _choices =
    [
        new(30, Need.Tables, () => Command("query", Repeated(), times: Chance(30) ? 2 + Random.Next(3) : 1)),
        new(10, Need.Tables, Write),
        new(6, Need.Nothing, Parameters),
        new(10, Need.Nothing, SetVariable),
        new(4, Need.Tables, SetInside),
        new(4, Need.Tables, () => Between(OneOf<Action>(SetVariable, SetVariable, SetInside))),
        new(3, Need.Tables, () => InBatch(() => BetweenInBatch(HidesAndSets)), Defines: true),
        new(2, Need.Hold, () => Undone(Chance(50) ? Repeated() :
            Text.Of("SELECT @p0 = NULL, ARRAY['NULL']::text[]::text, '{NULL}'::text[]::text", Arg.Int(1)), SetUnreported)),
        new(2, Need.Nothing, () => Change("role", OneOf("SET ROLE eq_role", "RESET ROLE", "SET ROLE NONE", "SET SESSION AUTHORIZATION DEFAULT"))),
        new(3, Need.Hold, Lock),
        new(6, Need.Tables, SqlPrepare),
        new(8, Need.Hold, Begin),
        new(6, Need.Nothing, Transact),
        new(
            3, Need.Hold,
            () =>
                Change(
                    "transaction of SQL",
                    OneOf("BEGIN", "START TRANSACTION ISOLATION LEVEL SERIALIZABLE", "BEGIN READ ONLY", "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")),
            IsOurs: true),
        new(
            3, Need.Nothing,
            () => Change("transaction of SQL ends", OneOf("COMMIT", "ROLLBACK", "SAVEPOINT a", "ROLLBACK TO SAVEPOINT a", "RELEASE SAVEPOINT a")),
            IsOurs: true),
        new(2, Need.Hold, () => Unused(OneOf("BEGIN", "START TRANSACTION", "BEGIN READ ONLY"), "INSERT INTO t1(n, s) VALUES (800, 'unused')"), IsOurs: true),
        new(6, Need.Tables, ServerError),
        new(4, Need.Tables, RefusedValue, IsOurs: true),
        new(3, Need.Tables, RefusedBetween, IsOurs: true),
        new(14, Need.Tables, () => InBatch(Batch)),
        new(4, Need.Tables, () => Command("last value", OneOf("SELECT lastval()", "SELECT currval('t1_id_seq')", "SELECT count(*) FROM t1"))),
        new(
            3, Need.Nothing,
            () => Command("warnings", OneOf("SELECT f_warn()", "DROP TABLE IF EXISTS nothing_there", "DO $$ BEGIN RAISE NOTICE 'in a block'; END $$"))),
        new(4, Need.Tables, Bulk, IsOurs: true),
        new(5, Need.Tables, SeveralResults),
        new(
            3, Need.Tables,
            () =>
                Command(
                    "procedure",
                    Ground.ForPeers
                        ? OneOf("SELECT * FROM f_rows()", "CALL p_ins(600)", "SELECT f_fail()")
                        : OneOf("SELECT * FROM f_rows()", "CALL p_ins(600)", "SELECT f_fail()", "SELECT f_void()"))),
        new(5, Need.Hold, Define, Defines: true),
        new(2, Need.Hold, HideAsSecond, Defines: true),
        new(3, Need.Hold, Cursor),
        new(4, Need.Nothing, Listen),
        new(2, Need.Nothing, Notify),
        new(2, Need.Nothing, Collect),
        new(10, Need.Tables, ReadTypes),
        new(6, Need.Nothing, TypedParameters),
        new(5, Need.Tables, WriteTypes),
        new(2, Need.Tables, SameName),
        new(3, Need.Hold, ChangeType, Defines: true),
        new(1, Need.Nothing, ReloadTypes),
        new(1, Need.Hold, FreshType, Defines: true, IsOurs: true),
        new(9, Need.Tables, Copy),
        new(2, Need.Hold, LargeObject, IsOurs: true),
        new(2, Need.Tables, Outside, Defines: true),
        new(3, Need.Nothing, Large),
        new(2, Need.Hold, PrepareTransaction, IsOurs: true),
        new(2, Need.Tables, Enlist, IsOurs: true),
    ];

    protected override ImmutableArray<Choice> Choices => _choices;

    protected override bool MaySaveAnywhere => !Ground.ForPeers;

    protected override string SlowMark(int milliseconds) =>
        string.Create(
            CultureInfo.InvariantCulture, $"UPDATE {Ground.Database}.mark SET n = n + 1 WHERE m = 1 AND pg_sleep({milliseconds / 1000.0})::text = ''");

    // The branch outlives its session and keeps its locks. The last step therefore ends it in any case, so that no session waits for it.
    private void PrepareTransaction()
    {
        Change("prepare transaction", "PREPARE TRANSACTION " + Branch);
        Change("prepare transaction", OneOf("ROLLBACK PREPARED ", "COMMIT PREPARED ") + Branch);
        Change("prepare transaction", "ROLLBACK");
        Change("prepare transaction", "ROLLBACK PREPARED " + Branch);
        Add(new OutsideStep(-1, "branch ended", "ROLLBACK PREPARED " + Branch));
    }

    protected override Text Query() => Random.Next(30) switch
    {
        0 => Text.Of("SELECT id, n, s, d, at FROM t1 WHERE id = @p0", Arg.Int(1)),
        1 => Text.Of("SELECT * FROM t1 WHERE n > @p0 ORDER BY n", Arg.Int(10)),
        2 => Text.Of("SELECT count(*) FROM t2 WHERE ts >= '2024-06-01' AND id > @p0", Arg.Int(0)),
        3 => Text.Of("SELECT ts, ts::text, '01/02/2024'::date, current_setting('TimeZone') FROM t2 WHERE id = @p0", Arg.Int(1)),
        4 => Text.Of("SELECT string_agg(s, ',' ORDER BY id) FROM t1 WHERE n >= @p0", Arg.Int(0)),
        5 => Text.Of("SELECT at::text, iv::text, bl::text, g::text FROM t1, k1 WHERE t1.id = @p0 AND k = 1", Arg.Int(1)),
        6 => Text.Of("SELECT * FROM k1 WHERE k = @p0", Arg.Int(1)),
        7 => Text.Of("SELECT f, g, b, u, si, tm, da, iv FROM k1 WHERE k = @p0", Arg.Int(1)),
        8 => Text.Of("SELECT max(b::int), min(si), sum(x), avg(x) FROM k1 WHERE k < @p0", Arg.Int(5)),
        9 => Text.Of("SELECT * FROM v1 WHERE id = @p0", Arg.Int(2)),
        10 => Text.Of("INSERT INTO t1(n, s) VALUES (@p0, @p1)", Arg.Int(100), Arg.Str("new")),
        11 => Text.Of("INSERT INTO t2(parent, v) VALUES (@p0, @p1) RETURNING id, v", Arg.Int(1), Arg.Str("v")),
        12 => Text.Of("UPDATE t1 SET s = @p0 WHERE n = @p1", Arg.Str("changed"), Arg.Int(10)),
        13 => Text.Of("DELETE FROM t2 WHERE id = @p0", Arg.Int(2)),
        14 => Text.Of("SELECT t1.id, t2.id FROM t1 LEFT JOIN t2 ON t2.parent = t1.id WHERE t1.s = @p0", Arg.Str("ten")),
        15 => Text.Of("INSERT INTO t1(n, s) VALUES (@p0, @p1) ON CONFLICT (n) DO UPDATE SET s = excluded.s RETURNING id", Arg.Int(10), Arg.Str("up")),
        16 => Text.Of("SELECT tx, js, jb, gu, bl, c5 FROM k1 WHERE k = @p0", Arg.Int(1)),
        17 => Text.Of("SELECT id FROM t1 WHERE s = @p0 OR d > @p1", Arg.Str("ten"), new Arg(ArgKind.Decimal, "1.10")),
        18 => Text.Of("SELECT count(*) FROM k1 WHERE f = @p0", new Arg(ArgKind.Single, "1.1")),
        19 => Text.Of("SELECT 'it\\s', '2024-01-01 00:00:00'::timestamptz, @p0::int", Arg.Int(5)),
        20 => Text.Of("SELECT @p0 = NULL, n FROM t1 WHERE id = 1", Arg.Int(1)),
        21 => Text.Of("SELECT @p0::timestamptz", new Arg(ArgKind.DateTimeUtc, "2024-02-29T12:34:56.7890000")),
        22 => Text.Of("SELECT '1-2'::interval, '10:00'::interval + @p0 * interval '1 day'", Arg.Int(2)),
        23 => Text.Of("SELECT id, n FROM t1 WHERE at > @p0 LIMIT @p1", new Arg(ArgKind.DateTime, "2000-01-01T00:00:00"), Arg.Int(2)),
        // Npgsql reports a deferred error only for statements without RETURNING.
        24 when !Ground.ForPeers => Text.Of("INSERT INTO kid VALUES (@p0, @p1) RETURNING id", Arg.Int(1), Arg.Int(99)),
        25 => Text.Of("SELECT @p0 AS v", Arg.Int(3)),
        >= 26 and < 29 =>
            Text.Of(
                $"SELECT {Columns("k", "x", "f", "g", "b", "bl", "u", "si", "tm", "da", "iv", "js", "jb", "gu", "tx", "c5")} FROM k1 WHERE k <= @p0",
                Arg.Int(3)),
        _ => Text.Of("SELECT x FROM k1 WHERE x IS NOT NULL ORDER BY x OFFSET @p0", Arg.Int(0)),
    };

    private void Parameters()
    {
        var count = 1 + Random.Next(3);
        var args = new Arg[count];
        for (var i = 0; i < count; i++)
            args[i] = AnyArg();
        Command("parameters", $"SELECT {string.Join(", ", Enumerable.Range(0, count).Select(static i => $"@p{i} AS a{i}"))}", args);
    }

    private void Write()
    {
        var n = Arg.Int(100 + Random.Next(8));
        switch (Random.Next(8))
        {
            case 0: Change(
                "insert", "INSERT INTO t1(n, s, d, at) VALUES (@p0, @p1, @p2, @p3)", n, Value(ArgKind.String), Value(ArgKind.Decimal), Value(ArgKind.DateTime));
            break;
            case 1: Change("insert", "INSERT INTO t2(parent, v) VALUES (lastval(), 'x')"); break;
            case 2: Change(
                "update", "UPDATE t1 SET d = @p0, at = @p1 WHERE id <= @p2", Value(ArgKind.Decimal), Value(ArgKind.DateTime), Arg.Int(Random.Next(5)));
            break;
            case 3: Change("delete", "DELETE FROM t1 WHERE n = @p0", n); break;
            case 4: Change(
                "insert", "INSERT INTO k1(k, x, f, bl, tx) VALUES (@p0, @p1, @p2, @p3, @p4)", Arg.Int(4 + Random.Next(4)), AnyArg(), AnyArg(), AnyArg(),
                AnyArg());
            break;
            case 5: Change("insert", "INSERT INTO t2(parent, v) SELECT id, 'pc' FROM t1 WHERE n >= @p0 RETURNING id, parent", Arg.Int(100)); break;
            case 6: Command(
                "insert",
                "WITH new AS (INSERT INTO t1(n, s) VALUES (@p0, 'w') RETURNING id) INSERT INTO t2(parent, v) SELECT id, 'wi' FROM new RETURNING id, parent", n);
            break;
            default: Change("insert", "INSERT INTO t1(n, s) VALUES (@p0, 'a'), (@p1, 'b')", n, Arg.Int(200 + Random.Next(5))); break;
        }
    }

    private void SetVariable()
    {
        if (Ground.Settings.Count == 0 || Chance(20))
        {
            Change(
                "set",
                OneOf(
                    "SET TIME ZONE 'America/New_York'", Ground.ForPeers ? "SET datestyle = 'ISO, DMY'" : "SET datestyle = 'SQL, DMY'",
                    "SET search_path = other",
                    "SET LOCAL TIME ZONE 'Asia/Tokyo'", "RESET ALL", "RESET TimeZone", "SET standard_conforming_strings = off",
                    "SET transform_null_equals = on",
                    Ground.ForPeers ? "RESET IntervalStyle" : "SET IntervalStyle = 'sql_standard'", "DISCARD PLANS", "DISCARD ALL",
                    "SELECT set_config('TimeZone', 'Asia/Tokyo', false)", "SET bytea_output = 'escape'"));
            return;
        }

        var setting = Ground.Settings[Random.Next(Ground.Settings.Count)];
        // Slipstream reads dates and intervals as text only in the styles ISO and postgres; the peer reads none as text.
        if (Ground.ForPeers && setting.Name is "DateStyle" or "IntervalStyle")
            return;
        var value = setting.Values[Random.Next(setting.Values.Count)];
        Change("set", OneOf($"SET {setting.Name} = {value}", $"SET SESSION {setting.Name} TO {value}", $"SET LOCAL {setting.Name} = {value}"));
    }

    private static readonly string[] HidesAndSets =
    [
        "CREATE TEMP TABLE t1 AS SELECT 7 AS id, 7 AS n, 'temp'::text AS s, 0::int AS d, now()::date AS at", "CREATE TEMP TABLE k1 AS SELECT 1 AS k, 8 AS x",
        "DROP TABLE IF EXISTS pg_temp.t1", "SET search_path = other", "SET transform_null_equals = on",
    ];

    // In half of the cases, sets an option that affects how the server parses a text, and that it does not report.
    private void SetUnreported()
    {
        if (Chance(50))
            SetVariable();
        else
            Change("set", OneOf("SET transform_null_equals = on", "SET LOCAL transform_null_equals = on", "SET array_nulls = off"));
    }

    private void SetInside()
    {
        switch (Random.Next(5))
        {
            case 4: Change("set inside", "INSERT INTO t2(parent, v) VALUES (5, 'tr')"); break;
            case 0: Command("set inside", "SELECT f_set(@p0)", Arg.Str("inside")); break;
            case 1: Change("set inside", "DO $$ BEGIN PERFORM set_config('TimeZone', 'Asia/Tokyo', false); END $$"); break;
            case 2: Change("set inside", "DO $$ BEGIN SET search_path = other; END $$"); break;
            default: Command(
                "set inside", Ground.ForPeers ? "SELECT set_config('TimeZone', 'Asia/Tokyo', @p0)" : "SELECT set_config('DateStyle', 'German', @p0)",
                new Arg(ArgKind.Boolean, OneOf("true", "false")));
            break;
        }
    }

    private void Lock()
    {
        switch (Random.Next(4))
        {
            case 0: Command("lock", "SELECT pg_try_advisory_lock(5)"); break;
            case 1: Command("lock", "SELECT f_lock()"); break;
            case 2: Command("lock", "SELECT pg_try_advisory_lock_shared(6)"); break;
            default: Command("lock", "SELECT 1 WHERE pg_advisory_unlock_all()::text = ''"); break;
        }
    }

    // The peer tracks a transaction only by its object, and has its own type for void.
    protected override void ReleaseLocks()
    {
        if (Ground.ForPeers)
        {
            if (Me.HasTransaction)
                Add(new TransactionStep(Me.Number, TransactionVerb.Rollback));
            Me.HasTransaction = false;
            Command("let go", "SELECT 1 WHERE pg_advisory_unlock_all()::text = ''");
            return;
        }

        Change("let go", "ROLLBACK");
        Command("let go", "SELECT pg_advisory_unlock_all()");
    }

    private void SqlPrepare()
    {
        // The peer sends $1 even if a command has no parameters; Slipstream then requires them.
        switch (Ground.ForPeers ? OneOf(0, 2, 4) : Random.Next(6))
        {
            case 0: Change("sql prepare", $"PREPARE {Name("s", 2)} AS SELECT n FROM t1 WHERE id = 1"); break;
            case 1: Change("sql prepare", "PREPARE s2(int) AS INSERT INTO t2(parent) VALUES ($1)"); break;
            case 2: Change("sql prepare", "DEALLOCATE " + OneOf("s1", "s2", "ALL")); break;
            case 3: Command("sql execute", "EXECUTE s2(5)"); break;
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
            case 4: Command("error", "SELECT f_fail()"); break;
            case 5: Command("error", "SELECT 1; SELECT 1/0; SELECT 2"); break;
            default: Command("error", "SELECT 1/(n - @p0) FROM t1 ORDER BY id", Arg.Int(20)); break;
        }
    }

    private void RefusedValue()
    {
        switch (Random.Next(4))
        {
            case 0: Command("refused value", "SELECT @p0 AS a", OneOf(Refused)); break;
            case 1: Change("refused value", "INSERT INTO t1(n, s) VALUES (@p0, @p1)", Arg.Int(150 + Random.Next(3)), OneOf(Refused)); break;
            case 2: Command("refused value", "SELECT @p0::timestamptz", new Arg(ArgKind.DateTime, "2020-01-01")); break;
            default: Command("refused value", "SELECT id FROM t1 WHERE id = @p0 AND n = @p1", Arg.Int(1)); break;
        }
    }

    private void Batch()
    {
        var count = 1 + Random.Next(6);
        var commands = new List<Text>();
        switch (Random.Next(4))
        {
            case 0:
                var into = OneOf(
                    "INSERT INTO t1(n, s) VALUES (@p0, @p1)", "INSERT INTO t2(parent, v) VALUES (@p0, @p1)", "INSERT INTO k1(k, tx) VALUES (@p0, @p1)",
                    "INSERT INTO t2(parent, v) VALUES (@p0, @p1) RETURNING id");
                for (var i = 0; i < count; i++)
                    commands.Add(
                        Text.Of(
                            into, Chance(8) ? AnyArg() : Arg.Int(300 + Random.Next(40)),
                            Chance(8) ? OneOf(Arg.Null, Arg.Str("much too long for it"), Arg.Int(5)) : Arg.Str(OneOf("abc", "de", ""))));
                if (Chance(40))
                    commands.Add(Text.Of(OneOf("SELECT lastval()", "SELECT count(*) FROM t1", "INSERT INTO t2(parent) VALUES (lastval())")));
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

        // The peer reports the errors of a batch with barriers at another call.
        var hasBarriers = Chance(15) && !Ground.ForPeers;
        for (var times = Chance(25) ? 2 + Random.Next(2) : 1; times > 0; times--)
            Add(new BatchStep(Me.Number, hasBarriers ? "batch with barriers" : "batch", [.. commands], (Verb)Random.Next(3))
            {
                Read = Plan(),
                Prepares = !Ground.ForPeers && Chance(8),
                HasBarriers = hasBarriers && Chance(50),
                BarrierAfter = hasBarriers && Chance(70) ? Random.Next(count) : -1,
            });
    }

    private Text AnyOfBatch() => Random.Next(14) switch
    {
        12 or 13 => Typed(),
        0 => Text.Of("INSERT INTO t1(n) VALUES (@p0)", Arg.Int(400 + Random.Next(9))),
        1 => Text.Of("SELECT lastval()"),
        2 => Text.Of("SET TIME ZONE 'Asia/Tokyo'"),
        3 => Text.Of("SELECT current_setting('TimeZone')"),
        4 => Text.Of("SELECT * FROM missing"),
        5 => Text.Of("UPDATE t1 SET s = @p0 WHERE id = 1", Value(ArgKind.String)),
        6 => Text.Of("SELECT * FROM f_rows()"),
        7 => Text.Of("SELECT @p0 AS a, @p1 AS b", AnyArg(), AnyArg()),
        8 => Text.Of("DELETE FROM t2 WHERE id > 1"),
        9 => Text.Of("SELECT 1 -- a comment"),
        _ => Repeated(),
    };

    private void Bulk()
    {
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
            Add(new BulkStep(Me.Number, "COPY", "t1", ["n", "s", "d", "at"], rows.ToImmutable(), Chance(8) ? Random.Next(count + 1) : -1));
            return;
        }

        for (var i = 0; i < count; i++)
            rows.Add(
                [
                    Arg.Int(10 + Random.Next(50)), Chance(20) ? Arg.Null : Value(ArgKind.Double), Chance(20) ? Arg.Null : Value(ArgKind.Bytes),
                    Value(ArgKind.String), Value(ArgKind.TimeSpan)
                ]);
        Add(new BulkStep(Me.Number, "COPY", "k1", ["k", "g", "bl", "tx", "iv"], rows.ToImmutable(), Chance(8) ? Random.Next(count + 1) : -1));
    }

    private void SeveralResults() => Command("several results", OneOf(
        "SELECT 1; SELECT id FROM t1 ORDER BY id; SELECT 'x', NULL",
        "INSERT INTO t2(parent) VALUES (3); SELECT lastval(); UPDATE t1 SET d = 1; SELECT 2",
        "SELECT id FROM t1 WHERE false; SELECT 2",
        "SET TIME ZONE 'Asia/Tokyo'; SELECT current_setting('TimeZone')",
        "UPDATE t1 SET d = 2 WHERE id = 1; DELETE FROM t2; SELECT count(*) FROM t2",
        "SELECT n FROM t1 ORDER BY n; INSERT INTO t1(n) VALUES (10); SELECT 5",
        Ground.ForPeers ? "SELECT 5; SELECT 6" : "INSERT INTO kid VALUES (9, 99); SELECT 5"));

    private void Define()
    {
        switch (Random.Next(16))
        {
            case 14: Change("ddl rename", "ALTER TABLE k1 RENAME TO k1r"); break;
            case 15: Change("ddl rename", "ALTER TABLE k1r RENAME TO k1"); break;
            case 0: Change("ddl add", "ALTER TABLE t1 ADD COLUMN c9 INT DEFAULT 9"); break;
            case 1: Change("ddl drop", "ALTER TABLE t1 DROP COLUMN d"); break;
            case 2: Change("ddl retype", "ALTER TABLE t2 ALTER COLUMN v TYPE VARCHAR(40)"); break;
            case 3: Change("ddl retype", "ALTER TABLE t2 ALTER COLUMN parent TYPE BIGINT"); break;
            case 4: Change("ddl view", "CREATE OR REPLACE VIEW v1 AS SELECT id, n, s FROM t1 WHERE id > 1"); break;
            case 5: Change("ddl view", "DROP VIEW IF EXISTS v1"); break;
            case 6: Change("ddl hide", "CREATE TEMP TABLE t1 AS SELECT 7 AS id, 7 AS n, 'temp'::text AS s, 0::int AS d, now()::date AS at"); break;
            case 7: Change("ddl hide", "CREATE TEMP TABLE tmp1 AS SELECT 1 AS a"); break;
            case 8: Change("ddl hide", "DROP TABLE IF EXISTS pg_temp.t1, pg_temp.tmp1"); break;
            case 9: Change("ddl rename", "ALTER TABLE k1 RENAME COLUMN x TO xx"); break;
            case 10: Change("ddl truncate", "TRUNCATE TABLE t2"); break;
            case 11: Change("ddl function", "CREATE OR REPLACE FUNCTION f_warn() RETURNS INT LANGUAGE sql AS $$ SELECT 2 $$"); break;
            case 12: Change("ddl schema", "CREATE SCHEMA IF NOT EXISTS eq_user; CREATE TABLE IF NOT EXISTS eq_user.t1(id int, n int)"); break;
            default: Change("ddl index", "CREATE INDEX i1 ON t1(s)"); break;
        }

        if (!Me.HasTransaction)
            Unprepared(ReleaseLocks);
    }

    // A session's first temporary table changes the search path. The second changes only the meaning of its own name.
    private void HideAsSecond()
    {
        Change("ddl hide", "CREATE TEMP TABLE tmp1 AS SELECT 1 AS a");
        Between(() => Change("ddl hide", OneOf("CREATE TEMP TABLE t1 AS SELECT 7 AS id, 7 AS n, 'temp'::text AS s, 0::int AS d, now()::date AS at",
            "SELECT 7 AS id, 7 AS n, 'temp'::text AS s, 0::int AS d, now()::date AS at INTO TEMP t1")));
        if (!Me.HasTransaction)
            Unprepared(ReleaseLocks);
    }

    private void Cursor()
    {
        switch (Random.Next(5))
        {
            case 0: Change("cursor", "DECLARE c1 CURSOR WITH HOLD FOR SELECT id, n FROM t1 ORDER BY id"); break;
            case 1: Change("cursor", "DECLARE c1 CURSOR FOR SELECT id, n FROM t1 ORDER BY id"); break;
            case 2: Change("cursor", "CLOSE " + OneOf("c1", "ALL")); break;
            case 3: Change("cursor", "MOVE 1 IN c1"); break;
            default: Command("cursor", "FETCH 2 FROM c1"); break;
        }
    }

    private void Outside()
    {
        switch (Random.Next(3))
        {
            case 0 when !Me.IsHolding: FromOutside("outside ddl", $"ALTER TABLE {Ground.Database}.t1 ADD COLUMN o1 INT"); break;
            case 1 when !Me.IsHolding: FromOutside(
                "outside ddl", $"CREATE OR REPLACE VIEW {Ground.Database}.v1 AS SELECT id, 1 AS n, s FROM {Ground.Database}.t1");
            break;
            case 2 when !Me.IsHolding: FromOutside("outside write", $"UPDATE {Ground.Database}.t1 SET at = '1970-01-01'"); break;
            default: Command("constant", "SELECT 1"); break;
        }
    }
}
