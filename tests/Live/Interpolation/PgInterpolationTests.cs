using System.Globalization;
using System.Text;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.Interpolation;

/// <summary>
/// PostgreSQL's values never become part of the text: with any server settings and any surrounding text, they arrive unchanged, compared byte for byte.
/// </summary>
public class PgInterpolationTests
{
    private const int PerSelect = 400;

    private static readonly int Seed = int.TryParse(Environment.GetEnvironmentVariable("SLIPSTREAM_SEED"), out var seed) ? seed : Random.Shared.Next();

    public static TheoryData<string> Settings =>
        [
            "SET standard_conforming_strings = on", "SET standard_conforming_strings = off", "SET backslash_quote = on", "SET escape_string_warning = off",
            "SET bytea_output = 'escape'", "SET client_encoding = 'UTF8'"
        ];

    [Theory]
    [MemberData(nameof(Settings))]
    public async Task Texts_and_bytes_arrive_as_they_are(string setting)
    {
        await using var connection = await OpenAsync();
        Run(connection, setting);
        var seed = Seed;
        var adversary = new Adversary(seed, withNul: false);
        string[] texts = [.. Adversary.ShortTexts(), .. Adversary.TextsAtBorders(), .. Enumerable.Range(0, 800).Select(_ => adversary.Text())];
        // Half of a surrogate pair is refused; another test checks that.
        object[] values =
            [.. texts.Select(static text => Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text))), .. Enumerable.Range(0, 500).Select(_ => adversary.Bytes())];
        foreach (var chunk in values.Chunk(PerSelect))
        {
            foreach (var prepared in (bool[])[false, true])
            {
                foreach (var mark in (string[])["@", ":", "$"])
                {
                    using var command = new PgCommand(
                        "SELECT "
                            + string.Join(
                                ", ",
                                chunk.Select((value, i) => (value is string ? "encode(convert_to({0}::text, 'UTF8'), 'hex')" : "encode({0}::bytea, 'hex')")
                                .Replace("{0}", mark == "$" ? $"${i + 1}" : $"{mark}p{i}", StringComparison.Ordinal))), connection);
                    for (var i = 0; i < chunk.Length; i++)
                        command.Parameters.Add(mark == "$" ? new PgParameter { Value = chunk[i] } : new PgParameter($"p{i}", chunk[i]));
                    if (prepared)
                        command.Prepare();
                    using var reader = command.ExecuteReader();
                    Assert.True(reader.Read());
                    for (var i = 0; i < chunk.Length; i++)
                    {
                        var given = Convert.ToHexStringLower(chunk[i] as byte[] ?? Encoding.UTF8.GetBytes((string)chunk[i]));
                        Assert.True(given == reader.GetString(i), $"{setting}, seed {seed}, prepared {prepared}: {given} became {reader.GetString(i)}");
                    }
                }
            }
        }
    }

    [Fact]
    public async Task Negative_numbers_behind_a_minus()
    {
        await using var connection = await OpenAsync();
        foreach (object value in (object[])[-5, -5L, -5m, -5.0, (short)-5, -5f])
        {
            foreach (var prepared in (bool[])[false, true])
                Assert.Equal(
                    "15|15|5|-5|tail",
                    One(connection, "SELECT concat_ws('|', (10 -@v)::int, (10 - @v)::int, (-@v)::int, (- -@v)::int, 'tail')", prepared, value));
        }
    }

    [Theory]
    [InlineData("SELECT '@v ? $1 :v' || @v", "@v ? $1 :vx'\\")]
    [InlineData("SELECT E'it\\'s @v' || @v", "it's @vx'\\")]
    [InlineData("SELECT 'it''s @v' || @v", "it's @vx'\\")]
    [InlineData("SELECT \"a@v\"\"$1\" || @v FROM (SELECT 'y' AS \"a@v\"\"$1\") t", "yx'\\")]
    [InlineData("SELECT $$@v '$$ || $tag$ @v $$ ' $tag$ || @v", "@v ' @v $$ ' x'\\")]
    [InlineData("SELECT /* @v ' /* nested @v */ ' */ @v -- @v '\n", "x'\\")]
    [InlineData("SELECT U&'d\\0061t@v' || @v", "dat@vx'\\")]
    [InlineData("SELECT B'101'::text || X'1F'::text || @v", "10100011111x'\\")]
    public async Task Places_in_strings_comments_and_quoted_names_stay_as_they_are(string sql, string expected)
    {
        await using var connection = await OpenAsync();
        foreach (var prepared in (bool[])[false, true])
            Assert.Equal(expected, One(connection, sql, prepared, "x'\\"));
    }

    /// <summary>
    /// With standard_conforming_strings off, the driver may find a placeholder where the server sees a string, or miss one. Then the command fails or the text
    /// stays unchanged; no value becomes part of it.
    /// </summary>
    [Theory]
    [InlineData("SELECT 'it\\'s @v'")]
    [InlineData("SELECT 'it\\'s ', @v, 'x'")]
    [InlineData("SELECT '\\', @v, '''")]
    [InlineData("SELECT 'a\\'' || @v || '\\'b'")]
    public async Task Strings_with_backslashes_of_the_old_kind_break_a_command_but_let_nothing_in(string sql)
    {
        await using var connection = await OpenAsync();
        Run(connection, "SET standard_conforming_strings = off");
        Run(connection, "CREATE TEMPORARY TABLE untouched (v INT)");
        foreach (var value in (string[])["'; DROP TABLE untouched; --", "\\'; DROP TABLE untouched; --", "', (SELECT 'let in'), '"])
        {
            try
            {
                Assert.DoesNotContain("let in", One(connection, sql, prepared: false, value)?.Replace("(SELECT 'let in')", "", StringComparison.Ordinal) ?? "");
            }
            catch (PgException exception)
            {
                Assert.NotNull(exception.SqlState);
            }
            catch (InvalidOperationException)
            {
                // A placeholder without a parameter, or a parameter without a placeholder.
            }

            Run(connection, "SELECT v FROM untouched");
        }
    }

    private static string? One(PgConnection connection, string sql, bool prepared, object value)
    {
        using var command = new PgCommand(sql, connection);
        command.Parameters.Add(new PgParameter("v", value));
        if (prepared)
            command.Prepare();
        return Convert.ToString(command.ExecuteScalar(), CultureInfo.InvariantCulture);
    }

    private static void Run(PgConnection connection, string sql)
    {
        using var command = new PgCommand(sql, connection);
        command.ExecuteNonQuery();
    }

    private static async Task<PgConnection> OpenAsync()
    {
        var connection = new PgConnection(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql), "Pooling=false"));
        await connection.OpenAsync();
        return connection;
    }
}
