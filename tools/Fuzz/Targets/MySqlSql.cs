using System.Text;
using Slipstream.MySql;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.Statements;

namespace Slipstream.Fuzzing.Targets;

/// <summary>SQL text and the servers' texts that are parsed. Latin-1: every byte is a character.</summary>
internal static class MySqlSql
{
    private static readonly byte[][] Words = Tokens(
        "'", "\"", "`", "''", "\\'", "\\", "--", "-- ", "#", "/*", "*/", "/*!", "/*!50100 ", "/*M!100100 ", "\n", ";", "?", "?name", "@", "@name", "@@",
        "@@global.x", "@`a b`", "@'x'", "@\"y\"", "@\"y\\\"", "SELECT ", "INSERT INTO t (a) VALUES (?)",
        "VALUES", "UPDATE ", "DELETE ", "WITH ", "CALL ", "SET ", "BEGIN", "END", "CREATE PROCEDURE p() ", "DELIMITER $$\n", "DELIMITER ", "$$", "user@host",
        "'user'@'host'", " ", "(", ")", ",", "NULL", "DEFAULT", "ON DUPLICATE KEY", "X'41'", "0x41", "-5", "--5", "\u00e9");

    public static IReadOnlyList<IFuzzTarget> All { get; } =
    [
        new BytesTarget("mysql-sql-scanner", Scan) { MostInput = 1024, Tokens = Words, Origin = Seeds, AllocationPerByte = 512 },
        new BytesTarget("mysql-sql-script", Split) { MostInput = 1024, Tokens = Words, Origin = Seeds, AllocationPerByte = 512 },
        new BytesTarget("mysql-declarations", Declare)
        {
            MostInput = 128,
            Tokens =
                Tokens("int", "unsigned", "varchar(20)", "decimal(10,2)", "(", ")", ",", "tinyint(1)", "char(36)", "binary(16)", "4294967295", "enum('a','b')"),
            Origin = static () =>
                [
                    .. new[] { "int unsigned", "decimal(65,30)", "varchar(255)", "tinyint(1)", "char(36)", "bit(8)", "enum('a)','b')" }
                        .Select(Encoding.Latin1.GetBytes)
                ],
        },
        new BytesTarget("mysql-redirection", Redirect)
        {
            MostInput = 256,
            Tokens = Tokens("mysql://", "mariadb://", "localhost", "[::1]", ":3307", "/?user=", "&ttl=", "%20", "%00", "@", "127.0.0.1"),
            Origin = static () =>
                [
                    .. new[]
                    {
                        "mysql://db.example.com:3307/?user=joe&ttl=10",
                        "mariadb://[::1]:3306",
                        "mysql://10.0.0.1/user=joe@server",
                        "mysql://a/?user=%41%0a"
                    }.Select(Encoding.Latin1.GetBytes)
                ],
            AllocationPerByte = 512,
        },
    ];

    // The first byte: the quoting rules.
    private static void Scan(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var rules = (QuotingRules)(input[0] & 7);
        var sql = Encoding.Latin1.GetString(input[1..]);
        var scanned = SqlScanner.Scan(sql, rules);
        states.Visit(1 + (int)scanned.Kind);
        states.Visit(30, scanned.Parameters.Length);
        states.Visit(scanned.HasSeveralStatements ? 31 : 32);
        states.Visit(scanned.MayPrepareItself ? 33 : 34);
        states.Visit(scanned.KeepsPrepared ? 35 : 36);

        var marks = ReferenceLexer.Marks(sql, rules);
        var next = 0;
        var end = 0;
        foreach (var place in scanned.Parameters)
        {
            Outcome.Holds(place.At >= end && place.Length > 0 && place.At + place.Length <= sql.Length, "parameters stand one behind the other in the text");
            end = place.At + place.Length;
            states.Note((ulong)place.At << 8 | (uint)place.Length);
            states.Visit(place.IsInComment ? 37 : 38);
            if (sql[place.At] != '?')
                continue;
            Outcome.Holds(next < marks.Count && marks[next] == place.At, "what stands in a string or a comment is no parameter, and each ? outside is one");
            next++;
        }

        Outcome.Holds(next == marks.Count, "each ? outside strings and comments is a parameter");
        CheckPieces(sql, scanned);
        var form = BatchForm.Of(sql, scanned, rules);
        states.Visit(form.CanJoin ? 39 : 40);
        states.Visit(form.OnlyReads ? 41 : 42);
        Outcome.Holds(form.RowAt >= 0 && form.RowAt <= scanned.Piece(0).Length + scanned.Prepared.Length, "a row begins in the text");
        if (MultiRowInsert.From(sql, scanned) is not null)
            states.Visit(43);
        states.Visit(EffectScanner.IsStateless(sql, isMariaDb: true) ? 44 : 45);
        states.Visit(EffectScanner.IsStateless(sql, isMariaDb: false) ? 46 : 47);
    }

    // The pieces are the text around the parameters, with separators where they are needed.
    private static void CheckPieces(string sql, ScannedSql scanned)
    {
        var from = 0;
        var total = 0;
        for (var i = 0; i <= scanned.Parameters.Length; i++)
        {
            var to = i == scanned.Parameters.Length ? sql.Length : scanned.Parameters[i].At;
            var expected = Encoding.UTF8.GetBytes(sql, from, to - from);
            var piece = scanned.Piece(i);
            total += piece.Length;
            // A space where a value would merge with its neighbour, and parentheses around a value after a minus sign.
            Outcome.Holds(IsWithin(piece, expected, i > 0, i < scanned.Parameters.Length), "the pieces are the text around the parameters");
            from = i < scanned.Parameters.Length ? to + scanned.Parameters[i].Length : to;
        }

        Outcome.Holds(scanned.Prepared.Length == total + scanned.Parameters.Length, "the prepared text is the pieces with a ? between");
    }

    // A separator may look like the beginning of the text itself: the text is then found a little further.
    private static bool IsWithin(ReadOnlySpan<byte> piece, ReadOnlySpan<byte> expected, bool mayHaveFront, bool mayHaveBack)
    {
        for (var at = 0; at <= Math.Min(2, piece.Length - expected.Length); at++)
        {
            var front = piece[..at];
            var back = piece[(at + expected.Length)..];
            if (piece.Slice(at, expected.Length).SequenceEqual(expected)
                && (front.IsEmpty || (mayHaveFront && (front.SequenceEqual(" "u8) || front.SequenceEqual(")"u8) || front.SequenceEqual(") "u8))))
                && (back.IsEmpty || (mayHaveBack && (back.SequenceEqual(" "u8) || back.SequenceEqual("("u8)))))
                return true;
        }

        return false;
    }

    private static void Split(ReadOnlySpan<byte> input, StateSet states)
    {
        if (input.IsEmpty)
            return;
        var script = Encoding.Latin1.GetString(input[1..]);
        var delimiter = ";";
        var at = 0;
        var count = 0;
        try
        {
            while (true)
            {
                var before = at;
                var statement = SqlScanner.NextOfScript(script, ref at, ref delimiter, (QuotingRules)(input[0] & 7), out var begin);
                states.Visit(1, delimiter.Length);
                if (statement is null)
                    break;
                Outcome.Holds(++count <= script.Length && at > before && at <= script.Length && begin >= before, "each statement lies behind the one before");
                Outcome.Holds(script.AsSpan(begin).StartsWith(statement, StringComparison.Ordinal), "a statement is a part of the script");
                states.Note(statement);
            }

            states.Visit(2, count);
        }
        catch (FormatException)
        {
            states.Visit(3);
        }
    }

    private static void Declare(ReadOnlySpan<byte> input, StateSet states)
    {
        var text = Encoding.Latin1.GetString(input);
        var word = text.AsSpan().IndexOfAny(' ', '(') is >= 0 and var end ? text[..end] : text;
        var declared = new DeclaredParameter("p", ParameterMode.In, word, text, 0, 0, 0);
        var parameter = Declarations.ToParameter(declared, CodecSettings.Default);
        states.Visit(1, (long)parameter.MySqlDbType);
        states.Visit(2, parameter.Size);
        states.Visit(3, parameter.Precision);
        states.Visit(4, parameter.Scale);
    }

    private static void Redirect(ReadOnlySpan<byte> input, StateSet states)
    {
        var redirection = Redirection.Parse(Encoding.UTF8.GetString(input));
        if (redirection is null)
        {
            states.Visit(1);
            return;
        }

        states.Visit(2, redirection.Endpoint.Port);
        states.Visit(3, redirection.User?.Length ?? -1);
        states.Note(redirection.Endpoint.Host);
        states.Note(redirection.User);
        Outcome.Holds(redirection.Endpoint.Port is > 0 and <= 65535 && redirection.Endpoint.Host.Length > 0, "a redirection names a host and a port");
        Outcome.Printable(redirection.Endpoint.Host, 1024);
        Outcome.Printable(redirection.User ?? "", 128);
    }

    private static IReadOnlyList<byte[]> Seeds() => Texts(
        "SELECT * FROM t WHERE a = @a AND b = ? AND c = 'it''s @x' -- @y\n AND d = ?name /* ? */ AND e = \"?\"",
        "INSERT INTO `t` (`a`, b) VALUES (?, @b)",
        "/*!50100 SELECT ? */; SELECT 2",
        "CREATE USER 'a'@'%' IDENTIFIED BY @p",
        "SELECT @@session.x, @`a b`, @'c', @\"d\", 5--5 # ?\n, ?",
        "DELIMITER $$\nCREATE PROCEDURE p() BEGIN SELECT ';'; END $$\nDELIMITER ;\nCALL p();",
        "UPDATE t SET a = 'x\\'?', b = ? WHERE c = @c;",
        "(SELECT 1) UNION (SELECT ?)");

    private static List<byte[]> Texts(params string[] texts)
    {
        var seeds = new List<byte[]>();
        foreach (var text in texts)
        {
            for (byte head = 0; head < 8; head++)
                seeds.Add([head, .. Encoding.Latin1.GetBytes(text)]);
        }

        return seeds;
    }

    private static byte[][] Tokens(params string[] words) => Array.ConvertAll(words, Encoding.Latin1.GetBytes);
}
