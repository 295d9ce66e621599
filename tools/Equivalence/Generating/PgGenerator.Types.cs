using System.Collections.Immutable;
using System.Globalization;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Generating;

/// <summary>Steps with PostgreSQL's other types: columns and parameters of them, definitions that change them, and large objects.</summary>
internal sealed partial class PgGenerator
{
    // The peer reads them, or their extreme values, as another type or value, or not at all (docs/migrating.md).
    private static readonly HashSet<string> OfOurs = ["ad", "rt", "rp", "sn", "ch", "fr", "iv", "tq", "tr", "dr", "zoned"];

    private static readonly ImmutableArray<int> ValuesOfBoth =
        [.. Enumerable.Range(0, PgValues.All.Length).Where(static i => PgValues.All[i].CreateForPeer is not null)];

    private static readonly ImmutableArray<string> ColumnsOfAll = [.. PgColumns.All.Select(static column => column.Name)];
    private static readonly ImmutableArray<string> ColumnsOfBoth = [.. ColumnsOfAll.Where(static name => !OfOurs.Contains(name))];

    private ReadPlan TypesPlan() => Plan() with
    {
        By = Ground.ForPeers
            ? OneOf(Reading.Values, Reading.Rows, Reading.Names)
            : Chance(30) ? Reading.Values : Chance(60) ? Reading.OtherTypes : (Reading)Random.Next((int)Reading.OtherTypes + 1),
        Choice = Random.Next(6),
        Rows = -1,
        // The next execution must be in the same session.
        Leaves = Leaving.Dispose,
    };

    // Reads the same several times: as text first, then in the binary format.
    private void Steady(string kind, Text text) => Add(new CommandStep(Me.Number, kind, text, Chance(90) ? Verb.Reader : Verb.Scalar)
    {
        Read = TypesPlan(),
        Prepares = !Ground.ForPeers && Chance(10),
        Times = Chance(70) ? 2 + Random.Next(3) : 1,
        IsSteady = true,
    });

    private string TypeColumn() => OneOf((Ground.ForPeers ? ColumnsOfBoth : ColumnsOfAll).AsSpan());

    private Arg TypedValue() => Arg.OfPostgreSql(Ground.ForPeers ? OneOf(ValuesOfBoth.AsSpan()) : Random.Next(PgValues.All.Length));

    private static PgValue Of(Arg arg) => PgValues.All[int.Parse(arg.Text, CultureInfo.InvariantCulture)];

    private void ReadTypes()
    {
        if (!Ground.ForPeers && Chance(12))
        {
            Steady("record", Text.Of(OneOf(
                "SELECT ROW(1, 'a') AS a, (ad).street AS b, ROW(ad, ints) AS c FROM kt ORDER BY k", "SELECT ROW(k, mo::text) AS r FROM kt ORDER BY k",
                "SELECT kt.ma AS a, array_agg(ROW(k, 'x')) OVER (ORDER BY k) AS b FROM kt ORDER BY k",
                "SELECT ROW() AS a, ROW(NULL) AS b, ARRAY[ad, ad] AS c FROM kt ORDER BY k")));
            return;
        }

        switch (Random.Next(8))
        {
            case 0:
                Steady("types", Text.Of("SELECT id, n FROM t1 WHERE id = ANY(@p0) ORDER BY id", Arg.OfPostgreSql(Random.Next(9))));
                return;
            case 1:
                Steady("types", Text.Of("SELECT u AS a, ord FROM unnest(@p0) WITH ORDINALITY AS x(u, ord)", Arg.OfPostgreSql(Random.Next(26))));
                return;
            case 2:
                Steady("types", Text.Of(OneOf(
                    "SELECT array_agg(k ORDER BY k) AS a, array_agg(mm ORDER BY k) AS b, range_agg(ir) AS c FROM kt",
                    "SELECT enum_range(NULL::eqt.mood)::text[] AS a, enum_first(NULL::mapped_mood) AS b",
                    "SELECT hs -> 'a' AS a, jb -> 'a' AS b, iv * 2 AS c FROM kt ORDER BY k",
                    "SELECT @p0::int[] AS a, '{}'::text[] AS b, NULL::mapped_mood AS c"), OneOf(Arg.OfPostgreSql(0), Arg.Null)));
                return;
        }

        var columns = new string[1 + Random.Next(6)];
        for (var i = 0; i < columns.Length; i++)
            columns[i] = string.Create(CultureInfo.InvariantCulture, $"{TypeColumn()} AS c{i}");
        Steady("types", Text.Of($"SELECT {string.Join(", ", columns)} FROM kt WHERE k <= @p0 ORDER BY k", Arg.Int(3)));
    }

    private void TypedParameters()
    {
        var args = new Arg[1 + Random.Next(3)];
        var columns = new string[args.Length];
        for (var i = 0; i < args.Length; i++)
        {
            args[i] = Chance(8) ? Arg.Null : TypedValue();
            var cast = args[i] == Arg.Null ? "::" + Of(TypedValue()).SqlType : Chance(40) ? "::" + Of(args[i]).SqlType : "";
            columns[i] = string.Create(CultureInfo.InvariantCulture, $"@p{i}{cast} AS a{i}");
        }

        Steady("types parameters", Text.Of($"SELECT {string.Join(", ", columns)}", args));
    }

    private void WriteTypes()
    {
        var value = TypedValue();
        if (PgColumns.Of(Of(value)) is not { } column)
        {
            TypedParameters();
            return;
        }

        if (Chance(5))
            value = Arg.Null;
        switch (Random.Next(4))
        {
            case 0:
                Command("types insert", $"UPDATE kt SET {column.Name} = @p0 WHERE k = 1 RETURNING {column.Name}", value);
                break;
            case 1:
                Command("types", $"SELECT k FROM kt WHERE {column.Name} = @p0", value);
                break;
            default:
                Command(
                    "types insert", Text.Of($"INSERT INTO kt(k, {column.Name}) VALUES (@p0, @p1)", Arg.Int(4 + Random.Next(6)), value),
                    times: Chance(20) ? 2 : 1);
                break;
        }
    }

    private Text Typed()
    {
        // A side that sends the commands one by one finds a value that cannot be written only after the earlier commands: only arrays there.
        var value = Ground.OneByOne ? Arg.OfPostgreSql(Random.Next(25)) : TypedValue();
        return PgColumns.Of(Of(value)) is { } column && Chance(50)
            ? Text.Of($"INSERT INTO kt(k, {column.Name}) VALUES (@p0, @p1) RETURNING {column.Name}", Arg.Int(4 + Random.Next(9)), value)
            : Text.Of($"SELECT @p0::{Of(value).SqlType} AS a", value);
    }

    private static readonly (string Query, string Change)[] Changes =
    [
        ("SELECT 'one'::eqt.spare AS a", "ALTER TYPE eqt.spare RENAME VALUE 'one' TO 'uno'"),
        ("SELECT enum_last(NULL::eqt.spare) AS a", "ALTER TYPE eqt.spare ADD VALUE IF NOT EXISTS 'three'"),
        ("SELECT mo AS a, mos AS b FROM kt ORDER BY k", "ALTER TYPE eqt.mood RENAME VALUE 'ok' TO 'fine'"),
        ("SELECT po AS a FROM kt ORDER BY k", "ALTER DOMAIN eqt.posint DROP CONSTRAINT posint_check"),
        ("SELECT mm AS a, mms AS b FROM kt ORDER BY k", "ALTER TYPE eqt.mapped_mood ADD VALUE IF NOT EXISTS 'unmapped'"),
        ("SELECT enum_first(NULL::eqt.spare) AS a", "DROP TYPE eqt.spare; CREATE TYPE eqt.spare AS ENUM ('new')"),
        ("SELECT NULL::eqt.spare AS a, ARRAY[]::eqt.spare[] AS b", "DROP TYPE eqt.spare; CREATE TYPE eqt.spare AS RANGE (subtype = int4)"),
    ];

    // Changes a type between two executions of a text that uses it. Slipstream and the peer must be told of it.
    private void ChangeType()
    {
        // The types could not be loaded again: see ReloadTypes.
        if (Ground.ForPeers && Me.HasTransaction)
            return;
        // The peer fails to read a type that was dropped and created again.
        var (before, after) = Ground.ForPeers ? OneOf(Changes.AsSpan(0, 4)) : OneOf(Changes.AsSpan());
        var text = Text.Of(before);
        Steady("types", text);
        Change("ddl type", after);
        // Without a reload, a text that was executed before fails once on values of a type that was created again: it asked for them in the binary format.
        if (Ground.ForPeers || after.StartsWith("DROP", StringComparison.Ordinal) || Chance(70))
            ReloadTypes();
        Steady("types", text);
        if (Chance(50))
            Command(
                "types", OneOf("SELECT enum_last(NULL::eqt.spare) AS a", "SELECT '[1,2)'::eqt.spare AS a", "SELECT ROW(1)::eqt.spare AS a"), []);
        if (!Ground.ForPeers && Chance(20))
        {
            Change("ddl type", "DROP TYPE IF EXISTS eqt.spare; CREATE TYPE eqt.spare AS (x int, y text)");
            ReloadTypes();
            Steady("types", Text.Of("SELECT '(1,a)'::eqt.spare AS a"));
        }

        if (!Me.HasTransaction)
            Unprepared(ReleaseLocks);
    }

    private void ReloadTypes()
    {
        // A failed transaction refuses the reload, after which the peer no longer knows any type (docs/migrating.md).
        if (!Ground.ForPeers || !Me.HasTransaction)
            Add(new ReloadTypesStep(Me.Number));
    }

    private void FreshType()
    {
        Add(new FreshTypeStep(Me.Number));
        if (!Me.HasTransaction)
            Unprepared(ReleaseLocks);
    }

    // The same name means another type in another schema.
    private void SameName()
    {
        var text = Text.Of(OneOf("SELECT enum_first(NULL::mood) AS a", "SELECT ARRAY[enum_last(NULL::mood)] AS a"));
        Steady("types", text);
        Change("set", OneOf("SET search_path = eqt2, public", "SET LOCAL search_path = eqt2, eqt", "SET ROLE eq_role", "RESET search_path"));
        Steady("types", text);
    }

    private void LargeObject()
    {
        if (!Me.HasTransaction && Chance(90))
            Begin();
        Hold();
        // Without an object, the other operations only fail.
        var oid = (uint)(7001 + Random.Next(2));
        if (Chance(70))
            Add(new LargeObjectStep(Me.Number, "create", oid, 0, 0));
        for (var times = 1 + Random.Next(3); times > 0; times--)
            Add(new LargeObjectStep(
                Me.Number, OneOf("create", "write", "write", "write", "read", "read", "truncate", "unlink"), Chance(85) ? oid : 7001U,
                OneOf(0, 0, 5, 3000), OneOf(0, 1, 100, 3000, 70_000)));
    }
}
