using System.Text;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.Fuzzing.Targets.PostgreSql;

/// <summary>The text of commands, and the context of an error.</summary>
internal static class PgTexts
{
    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("pg-sql", ReadSql)
        {
            Origin = Seeds, AllocationPerByte = 512,
            Tokens =
                [.. "' \" $$ $tag$ -- /* */ @p :p $1 :: ; E' U&\" BEGIN ATOMIC END CASE \\ \n ( ) CREATE FUNCTION".Split(' ').Select(Encoding.UTF8.GetBytes)],
        },
        new BytesTarget("pg-copy-line", ReadLine)
        {
            Origin = static () =>
                ["COPY points, line 3, column name"u8.ToArray(), "COPY p, Zeile 12"u8.ToArray(), "COPY \"a, 1\", line 99999999999999999999"u8.ToArray()],
            Tokens = ["COPY "u8.ToArray(), ", line "u8.ToArray()]
        },
    ];

    private static void ReadSql(ReadOnlySpan<byte> input, StateSet states)
    {
        var sql = Encoding.UTF8.GetString(input);
        Scan(sql, named: true, states);
        Scan(sql, named: false, states);
        Scan(sql, named: true, states, numbered: true);
        states.Visit(5, (int)SettingsChange.Of(input));
        states.Visit(SettingsChange.NamedIn(sql) != SettingsEffect.None ? 6 : 7);
        states.Visit(FirstWord.IsPlanned(input) ? 1 : 2);
        states.Visit(FirstWord.IsCopy(input) ? 3 : 4);
    }

    private static void Scan(string sql, bool named, StateSet states, bool numbered = false)
    {
        ScannedSql scanned;
        try
        {
            scanned = SqlScanner.Scan(sql, named, numbered);
        }
        catch (ArgumentException)
        {
            states.Visit(10);
            return;
        }

        states.Visit(11, scanned.Statements.Length);
        states.Visit(12, scanned.Names.Length);
        var length = 0;
        foreach (var statement in scanned.Statements)
        {
            length += statement.Sql.Length;
            states.Note(statement.Sql);
            foreach (var place in statement.Places)
                Outcome.Holds(place >= 0 && (!named || scanned.Names.Length == 0 || place < scanned.Names.Length), "a place is that of a parameter");
        }

        // "@p" is the shortest name, and "$12345" the longest replacement for it.
        Outcome.Holds(length <= 4L * Encoding.UTF8.GetByteCount(sql) + 16, "no text is made longer than by the numbers of its parameters");
        Outcome.Holds(scanned.Statements.Length <= sql.Length + 1, "statements are cut at semicolons");
    }

    private static void ReadLine(ReadOnlySpan<byte> input, StateSet states)
    {
        var line = CopyExchange.LineOf(Encoding.UTF8.GetString(input));
        states.Visit(1, line);
        Outcome.Holds(line >= 0, "a line has a number from 1, or none");
    }

    private static IReadOnlyList<byte[]> Seeds() =>
    [
        "SELECT 1"u8.ToArray(),
        "SELECT @a, :b, @a; SELECT 'it''s @no', E'\\'@no', \"@no\", $$@no$$, $x$ $$ @no $x$ -- @no\n, @c /* @no /* nested */ */"u8.ToArray(),
        "SELECT $1, $2::int4, $10"u8.ToArray(),
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; SELECT CASE WHEN true THEN 2 END; END; SELECT 3"u8.ToArray(),
        "INSERT INTO t (a) VALUES (@a); ; ;UPDATE t SET a = a[1:2]"u8.ToArray(),
        "SET LOCAL \"TimeZone\" = 'x'; SELECT set_config('app.x', @0, true); RESET ALL"u8.ToArray(), "COPY t FROM STDIN"u8.ToArray(),
        "/* c */ WITH x AS (SELECT 1) SELECT * FROM x"u8.ToArray(),
    ];
}
