using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;
using static Slipstream.Live.Interpolation.MySqlInterpolationTests;

namespace Slipstream.Live.Interpolation;

/// <summary>
/// The way in which the server reads a literal changes without the driver's knowledge: by a statement of the same text or batch, by a procedure, by
/// init_connect, by a global variable, or because the session's client character set is one in which a backslash can be the second half of a character.
/// </summary>
public class ForeignQuotingTests
{
    // In GBK, Big5 and Shift-JIS, a backslash after an odd number of bytes is the second half of a character; the rest of an escaped quote then ends the
    // literal.
    private static readonly object[] Values =
    [
        "\\' OR 1=1 -- ", "中\\' OR 1=1 -- ", "中'\\", "é\\'é", "\\", "'", "\\\\'", "plain", "中", "ab中", "\u00BF\\'; SELECT 1 -- ", "😀\\'",
        new byte[] { 0xE4, 0xB8, 0xAD, (byte)'\\', (byte)'\'', (byte)' ', (byte)'-', (byte)'-', (byte)' ' }, new byte[] { 0xBF, (byte)'\'', (byte)'\\' },
        new byte[] { 0x81, (byte)'\\', 0x81, (byte)'\'' }, new byte[] { 0xFF },
    ];

    // If the same text changes the character set, the driver does not know it when it writes the values. A value without a backslash is read in that set, but
    // its literal ends at the right place.
    private static readonly object[] ValuesWithinOneText =
        [.. Values.Where(static value => value is byte[] || ((string)value).Contains('\\') || System.Text.Ascii.IsValid((string)value))];

    public static TheoryData<ServerKind> Servers => MySqlInterpolationTests.Servers;

    public static TheoryData<ServerKind, string> CharacterSets
    {
        get
        {
            var cases = new TheoryData<ServerKind, string>();
            foreach (var kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11])
                foreach (var set in (string[])[
                    "NAMES gbk", "NAMES big5", "NAMES sjis", "NAMES cp932", "NAMES latin1", "CHARACTER SET gbk", "character_set_client = gbk",
                    "SESSION character_set_client = gbk, character_set_results = utf8mb4"
                ])
                    cases.Add(kind, set);
            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(CharacterSets))]
    public async Task A_session_whose_client_is_said_to_speak_another_character_set(ServerKind kind, string set)
    {
        await using var connection = await OpenAsync(kind, "Pooling=false;Auto Prepare=false");
        Run(connection, "SET " + set);
        AssertEchoed(connection, Values, prepared: false, set);
        Run(connection, "SET NAMES utf8mb4");
        AssertEchoed(connection, Values, prepared: false, "back from " + set);
    }

    // Not all character sets are allowed for a client; the test tries all of them.
    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Whatever_character_set_and_mode_a_user_may_set(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind, "Pooling=false;Auto Prepare=false");
        List<string> sets = [];
        using (var command = new MySqlCommand("SELECT CHARACTER_SET_NAME FROM information_schema.CHARACTER_SETS", connection))
        using (var reader = command.ExecuteReader())
        {
            while (reader.Read())
                sets.Add(reader.GetString(0));
        }

        foreach (var mode in (string[])["", "NO_BACKSLASH_ESCAPES", "ANSI_QUOTES", "ANSI_QUOTES,NO_BACKSLASH_ESCAPES"])
        {
            foreach (var set in sets)
            {
                Run(connection, $"SET NAMES utf8mb4, sql_mode = '{mode}'");
                try
                {
                    // Otherwise the server's answers would be binary, too.
                    Run(connection, set == "binary" ? "SET character_set_client = binary" : $"SET NAMES {set}");
                }
                catch (MySqlException refused) when (refused.Number == 1231)
                {
                    continue;
                }

                AssertEchoed(connection, Values, prepared: false, $"{set} in '{mode}'");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task The_next_user_of_a_pooled_session_speaks_utf8_again(ServerKind kind)
    {
        await using var source = new MySqlDataSource(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Maximum Pool Size=1;Auto Prepare=false"));
        foreach (var set in (string[])["NAMES gbk", "NAMES sjis, sql_mode = 'NO_BACKSLASH_ESCAPES'"])
        {
            using (var connection = source.OpenConnection())
                Run(connection, "SET " + set);
            using var next = source.OpenConnection();
            AssertEchoed(next, Values, prepared: false, set);
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Statements_of_one_text_change_how_the_rest_is_read(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind, "Pooling=false;Auto Prepare=false;Allow User Variables=true");
        foreach (var before in (string[])["", "NO_BACKSLASH_ESCAPES"])
        {
            foreach (
                var change in (string[])[
                    "SET sql_mode = ''", "SET sql_mode = 'NO_BACKSLASH_ESCAPES'", "SET @@session.sql_mode = 'NO_BACKSLASH_ESCAPES'", "SET @@sql_mode := ''",
                    "SET NAMES gbk", "SET CHARACTER SET sjis", "SET character_set_client = gbk", "SET CHARSET gbk",
                         "SET @s = 'SET NAM'; SET @t = CONCAT(@s, 'ES gbk'); PREPARE x FROM @t; EXECUTE x",
                         "SET @s = CONCAT('SET sql_mo', 'de = '''''); PREPARE x FROM @s; EXECUTE x"])
            {
                foreach (var value in ValuesWithinOneText)
                {
                    Run(connection, $"SET NAMES utf8mb4, sql_mode = '{before}'");
                    Assert.Equal(Hex(value), Last(connection, change + "; SELECT HEX(@value)", ("@value", value)));
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_text_that_moves_the_ends_of_its_own_strings_takes_no_parameters(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind, "Pooling=false;Auto Prepare=false;Allow User Variables=true");
        foreach (var (before, sql) in (IEnumerable<(string, string)>)[
            ("", @"SET sql_mode='NO_BACKSLASH_ESCAPES'; SELECT '\'', @p"),
            ("NO_BACKSLASH_ESCAPES", @"SET sql_mode=''; SELECT '\', @p, '\'"),
            ("", @"SET @s = CONCAT('SET sql_mo', 'de = ''NO_BACKSLASH_ESCAPES'''); PREPARE x FROM @s; EXECUTE x; SELECT '\'', @p"),
            ("", @"SET NAMES gbk; SELECT '中\'', @p"),
            ("", "SET character_set_client = sjis; SELECT 1 AS `中`, @p"),
            ("", "SET CHARACTER SET big5; SELECT 1 AS 中,@p, 中@p"),
        ])
        {
            foreach (var prepare in (bool[])[false, true])
            {
                Run(connection, $"SET NAMES utf8mb4, sql_mode = '{before}'");
                using var command = new MySqlCommand(sql, connection) { Parameters = { new("@p", " UNION SELECT 1 -- ") } };
                if (prepare)
                    command.Prepare();
                var refusal = Assert.Throws<MySqlException>(() => command.ExecuteScalar());
                Assert.Contains("The places of the parameters", refusal.Message);
                using var alone = new MySqlBatch(connection) { BatchCommands = { new MySqlBatchCommand(sql) { Parameters = { new("@p", "x") } } } };
                Assert.Contains("The places of the parameters", Assert.Throws<MySqlException>(() => alone.ExecuteNonQuery()).Message);
            }
        }

        // A change after the string, a doubled quote, and a change that does not concern the client.
        foreach (var sql in (string[])[
            @"SELECT '\'', HEX(@p); SET sql_mode=''", "SET sql_mode='NO_BACKSLASH_ESCAPES'; SELECT '''', HEX(@p)",
            @"CREATE TEMPORARY TABLE places (t TEXT CHARACTER SET utf8mb4); SELECT '中\'', HEX(@p)",
        ])
        {
            Run(connection, "SET NAMES utf8mb4, sql_mode = ''");
            using var command = new MySqlCommand(sql, connection) { Parameters = { new("@p", "\\'") } };
            using var reader = command.ExecuteReader();
            while (reader.FieldCount < 2)
                Assert.True(reader.NextResult());
            Assert.True(reader.Read());
            Assert.Equal("5C27", reader.GetString(1));
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_text_of_strings_whose_ends_are_in_doubt_takes_no_parameters(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind, "Pooling=false;Auto Prepare=false");
        Run(connection, "DROP PROCEDURE IF EXISTS interpolation_doubts");
        Run(connection, "CREATE PROCEDURE interpolation_doubts() SET SESSION sql_mode = 'NO_BACKSLASH_ESCAPES'");
        using var command = new MySqlCommand(@"SELECT HEX('\''), HEX(@p)", connection) { Parameters = { new("@p", " UNION SELECT 1 -- ") } };
        Run(connection, "SET sql_mode = ''");
        Run(connection, "CALL interpolation_doubts()");
        Assert.Contains("The places of the parameters", Assert.Throws<MySqlException>(() => command.ExecuteScalar()).Message);
        Run(connection, "SET sql_mode = @@sql_mode");
        Assert.Equal("27", command.ExecuteScalar());
        Run(connection, "SET NAMES gbk");
        command.CommandText = @"SELECT '中\'', HEX(@p)";
        Assert.Contains("The places of the parameters", Assert.Throws<MySqlException>(() => command.ExecuteScalar()).Message);
        Run(connection, "SET NAMES utf8mb4");
        Assert.Equal("中'", command.ExecuteScalar());
        Run(connection, "DROP PROCEDURE interpolation_doubts");
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Commands_of_one_batch_change_how_the_rest_is_read(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind, "Pooling=false;Auto Prepare=false;Allow User Variables=true");
        foreach (var before in (string[])["", "NO_BACKSLASH_ESCAPES"])
        {
            foreach (var change in (string[])["SET sql_mode = ''", "SET sql_mode = 'NO_BACKSLASH_ESCAPES'", "SET NAMES gbk", "SET character_set_client = sjis"])
            {
                foreach (var value in Values)
                {
                    Run(connection, $"SET NAMES utf8mb4, sql_mode = '{before}'");
                    using var batch = new MySqlBatch(connection);
                    batch.BatchCommands.Add(new MySqlBatchCommand(change));
                    for (var i = 0; i < 2; i++)
                        batch.BatchCommands.Add(new MySqlBatchCommand("SELECT HEX(@value)") { Parameters = { new("@value", value) } });
                    using var reader = batch.ExecuteReader();
                    for (var i = 0; i < 2; i++)
                    {
                        Assert.True(reader.Read());
                        Assert.Equal(Hex(value), reader.GetString(0));
                        Assert.Equal(i == 0, reader.NextResult());
                    }
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_procedure_gives_back_what_it_sets_and_the_flag_it_leaves_is_not_believed(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind, "Pooling=false;Auto Prepare=false");
        Run(connection, "DROP PROCEDURE IF EXISTS interpolation_sets");
        Run(connection, "CREATE PROCEDURE interpolation_sets(mode TEXT) BEGIN SET SESSION sql_mode = mode; SET NAMES gbk; SELECT @@character_set_client; END");
        Run(connection, "DROP PROCEDURE IF EXISTS interpolation_sets_utf8");
        Run(connection, "CREATE PROCEDURE interpolation_sets_utf8() SET NAMES utf8mb4");
        try
        {
            foreach (var (before, change) in (IEnumerable<(string, string)>)[("", "NO_BACKSLASH_ESCAPES"), ("NO_BACKSLASH_ESCAPES", ""), ("", "ANSI")])
            {
                Run(connection, $"SET NAMES utf8mb4, sql_mode = '{before}'");
                Run(connection, $"CALL interpolation_sets('{change}')");
                AssertEchoed(connection, Values, prepared: false, $"from '{before}' to '{change}'");
                Run(connection, $"SET NAMES gbk, sql_mode = '{before}'");
                Run(connection, "CALL interpolation_sets_utf8()");
                AssertEchoed(connection, Values, prepared: false, $"in '{before}' and gbk");
                foreach (var value in ValuesWithinOneText)
                {
                    Run(connection, $"SET NAMES utf8mb4, sql_mode = '{before}'");
                    Assert.Equal(Hex(value), Last(connection, $"CALL interpolation_sets('{change}'); SELECT HEX(@value)", ("@value", value)));
                }
            }
        }
        finally
        {
            Run(connection, "SET NAMES utf8mb4, sql_mode = ''");
            Run(connection, "DROP PROCEDURE interpolation_sets");
            Run(connection, "DROP PROCEDURE interpolation_sets_utf8");
        }
    }

    /// <summary>A value would be inside a string, and could end it.</summary>
    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_mode_that_a_procedure_or_function_sets_for_itself_moves_no_string(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind, "Pooling=false");
        foreach (var (mode, quote) in (IEnumerable<(string, char)>)[("ANSI_QUOTES", '"'), ("NO_BACKSLASH_ESCAPES", '\'')])
        {
            foreach (var (kindOfProgram, body, run) in (IEnumerable<(string, string, string)>)
                [("PROCEDURE", "; SELECT 1; END", "CALL"), ("PROCEDURE", "; END", "CALL"), ("FUNCTION", "; RETURN 1; END", "SELECT")])
            {
                Run(connection, $"DROP {kindOfProgram} IF EXISTS interpolation_inside; SET sql_mode = ''");
                var returns = run == "CALL" ? "" : " RETURNS INT DETERMINISTIC";
                Run(connection, $"CREATE {kindOfProgram} interpolation_inside(){returns} BEGIN SET sql_mode = '{mode}'{body}");
                Run(connection, run + " interpolation_inside()");
                using var command = new MySqlCommand($@"SELECT {quote}a\{quote} , @p{quote}", connection) { Parameters = { new("@p", quote + " , 7 -- ") } };
                var read = $"a{quote} , @p";
                try
                {
                    Assert.Equal(read, command.ExecuteScalar());
                }
                catch (MySqlException refused)
                {
                    Assert.Contains("The places of the parameters", refused.Message);
                }

                Run(connection, "SET sql_mode = @@sql_mode");
                Assert.Equal(read, command.ExecuteScalar());
                Run(connection, $"DROP {kindOfProgram} interpolation_inside");
            }
        }
    }

    [Theory]
    [InlineData(ServerKind.MySql)]
    [InlineData(ServerKind.MariaDb)]
    public async Task The_servers_own_settings_change_how_literals_are_read(ServerKind kind)
    {
        await using var server = await LiveServers.StartPrivateAsync(kind);
        await using var administration = new MySqlConnection(ConnectionStrings.MySql(server, "Pooling=false"));
        administration.Open();
        // The server does not execute init_connect for an administrator.
        Run(administration, "CREATE USER interpolation IDENTIFIED BY 'interpolation'");
        Run(administration, $"GRANT SELECT ON `{server.Database}`.* TO interpolation");
        foreach (var (global, init) in (IEnumerable<(string, string)>)[
            ("", "SET sql_mode = 'NO_BACKSLASH_ESCAPES'"), ("NO_BACKSLASH_ESCAPES", "SET sql_mode = ''"), ("", "SET NAMES gbk"),
            ("NO_BACKSLASH_ESCAPES", "SET NAMES big5, sql_mode = ''"), ("", "SET NAMES utf8")
        ])
        {
            Run(administration, $"SET GLOBAL sql_mode = '{global}'");
            Run(administration, $"SET GLOBAL init_connect = \"{init}\"");
            foreach (var value in Values)
            {
                foreach (var options in (string[])["Pooling=false;Auto Prepare=false", "Pooling=false;Auto Prepare=false;Pipelining=false"])
                {
                    await using var connection =
                        new MySqlConnection(ConnectionStrings.MySql(server, "User ID=interpolation;Password=interpolation;" + options));
                    connection.Open();
                    AssertEchoed(connection, [value], prepared: false, $"first command, global '{global}', init_connect \"{init}\", {options}");
                    AssertEchoed(connection, [value], prepared: false, $"second command, global '{global}', init_connect \"{init}\", {options}");
                }
            }
        }

        // A reset adopts the global mode, which has changed by then.
        Run(administration, "SET GLOBAL init_connect = ''");
        await using var source =
            new MySqlDataSource(ConnectionStrings.MySql(server, "User ID=interpolation;Password=interpolation;Maximum Pool Size=1;Auto Prepare=false"));
        for (var i = 0; i < 6; i++)
        {
            Run(administration, $"SET GLOBAL sql_mode = '{(i % 2 == 0 ? "NO_BACKSLASH_ESCAPES" : "")}'");
            using var connection = source.OpenConnection();
            AssertEchoed(connection, Values, prepared: false, $"lease {i}");
            AssertEchoed(connection, Values, prepared: false, $"lease {i}, again");
        }
    }

    private static string? Last(MySqlConnection connection, string sql, params (string Name, object Value)[] parameters)
    {
        using var command = new MySqlCommand(sql, connection);
        foreach (var (name, value) in parameters)
            command.Parameters.AddWithValue(name, value);
        using var reader = command.ExecuteReader();
        string? last = null;
        do
        {
            while (reader.Read())
                last = reader.GetString(0);
        }
        while (reader.NextResult());
        return last;
    }

    private static async Task<MySqlConnection> OpenAsync(ServerKind kind, string more)
    {
        var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), more));
        await connection.OpenAsync();
        return connection;
    }
}
