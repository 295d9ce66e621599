using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Sessions;
using Slipstream.Testing;
using static Slipstream.Live.Interpolation.MySqlInterpolationTests;

namespace Slipstream.Live.Interpolation;

/// <summary>
/// A program changes what the server reports about its session, and then how the server reads what the driver sends: in a text, prepared, in a batch, in a
/// procedure, a function or a trigger, or in SQL's own EXECUTE.
/// </summary>
public class HiddenTrackerTests
{
    // E2 82 | AC 5C: in GBK the backslash is the second half of a character, and the quote after it ends the literal.
    private static readonly object[] Values =
        ["\u20ac\\' ,(SELECT 1) -- ", "中\\' OR 1=1 -- ", "中'\\", "é", "\\", "'", "plain", new byte[] { 0xE4, 0xB8, 0xAD, (byte)'\\', (byte)'\'' }];

    private static readonly string[] Hiding =
    [
        "SET session_track_system_variables='autocommit,time_zone'",
        "SET @@session.session_track_system_variables = ''",
        "SET SESSION SESSION_TRACK_SYSTEM_VARIABLES='', session_track_state_change=OFF",
        "SET @s = CONCAT('SET session_', 'track_system_variables = '''', session_tra', 'ck_state_change = OFF'); PREPARE x FROM @s; EXECUTE x",
        "CALL tracker_hides()",
        "SELECT tracker_hides()",
        "INSERT INTO tracker_hides VALUES (1)",
    ];

    private static readonly string[] Changing =
    [
        "SET NAMES gbk", "SET CHARACTER SET gbk", "SET character_set_client=gbk", "SET @@`character_set_client`=gbk", "SET/**/CHARSET gbk",
        "SET @s = CONCAT('SET NAM', 'ES gbk'); PREPARE x FROM @s; EXECUTE x",
    ];

    public static TheoryData<ServerKind> Servers => MySqlInterpolationTests.Servers;

    public static TheoryData<ServerKind, string> ServersAndForms
    {
        get
        {
            var cases = new TheoryData<ServerKind, string>();
            foreach (var kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11])
                foreach (var form in (string[])["text", "prepared", "batch"])
                    cases.Add(kind, form);
            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(ServersAndForms))]
    public async Task A_session_that_no_longer_tells_its_character_set_ends_no_literal_early(ServerKind kind, string form)
    {
        await using var source =
            new MySqlDataSource(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Maximum Pool Size=1;Allow User Variables=true"));
        using (var connection = source.OpenConnection())
            CreatePrograms(connection);
        foreach (var hides in Hiding)
        {
            foreach (var changes in Changing)
            {
                using var connection = source.OpenConnection();
                Do(connection, hides, form);
                AssertEchoed(connection, Values, prepared: false, $"{form}: {hides}");
                Do(connection, changes, form);
                AssertEchoed(connection, Values, prepared: false, $"{form}: {hides}; {changes}");
                AssertEchoed(connection, Values, prepared: false, $"{form}, again: {hides}; {changes}");
            }
        }
    }

    [Theory]
    [MemberData(nameof(ServersAndForms))]
    public async Task The_first_statement_of_a_lease_hides_and_changes_at_once(ServerKind kind, string form)
    {
        await using var source =
            new MySqlDataSource(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Maximum Pool Size=1;Allow User Variables=true"));
        foreach (var both in (string[])[
            "SET session_track_system_variables='', character_set_client=gbk",
            "SET character_set_client=gbk, session_track_system_variables=''",
            "SET @s = CONCAT('SET session_', 'track_system_variables = '''', character_', 'set_client = gbk'); PREPARE x FROM @s; EXECUTE x",
            "SET NAMES utf8mb4; SET session_track_system_variables=''; SET NAMES gbk",
            "SET NAMES utf8mb4; SET @s = CONCAT('SET session_', 'track_system_variables = '''', character_', 'set_client = gbk'); PREPARE x FROM @s; EXECUTE x",
        ])
        {
            for (var lease = 0; lease < 3; lease++)
            {
                using var connection = source.OpenConnection();
                Do(connection, both, form);
                AssertEchoed(connection, Values, prepared: false, $"{form}, lease {lease}: {both}");
            }
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Programs_give_back_the_character_set_that_they_change_untold(ServerKind kind)
    {
        await using var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Pooling=false;Allow User Variables=true"));
        await connection.OpenAsync();
        CreatePrograms(connection);
        Run(connection, "CALL tracker_hides()");
        foreach (var changes in (string[])["CALL tracker_changes()", "SELECT tracker_changes()", "CALL tracker_executes()"])
        {
            Run(connection, changes);
            AssertEchoed(connection, Values, prepared: false, changes);
            Assert.Equal("utf8mb4", Scalar(connection, "SELECT @@character_set_client"));
        }
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_new_lease_is_believed_again(ServerKind kind)
    {
        await using var source =
            new MySqlDataSource(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Maximum Pool Size=1;Allow User Variables=true"));
        for (var lease = 0; lease < 3; lease++)
        {
            using var connection = source.OpenConnection();
            Run(connection, "DO 0");
            AssertEchoed(connection, Values, prepared: false, "a new lease");
            Assert.True(connection.MySqlSession.State.TrackerIsOn);
            Assert.Equal(LiteralRules.None, connection.MySqlSession.State.Literals);
            Run(connection, "SET NAMES utf8mb4");
            Assert.Equal(LiteralRules.None, connection.MySqlSession.State.Literals);
            Run(connection, "CREATE TEMPORARY TABLE believed (t TEXT) CHARACTER SET utf8mb4");
            Assert.Equal(LiteralRules.None, connection.MySqlSession.State.Literals);
            Run(connection, Hiding[0]);
            Assert.False(connection.MySqlSession.State.TrackerIsOn);
        }
    }

    private static void CreatePrograms(MySqlConnection connection)
    {
        foreach (var sql in (string[])[
            "DROP PROCEDURE IF EXISTS tracker_hides", "DROP FUNCTION IF EXISTS tracker_hides", "DROP TABLE IF EXISTS tracker_hides",
            "DROP PROCEDURE IF EXISTS tracker_changes", "DROP FUNCTION IF EXISTS tracker_changes", "DROP PROCEDURE IF EXISTS tracker_executes",
            "CREATE PROCEDURE tracker_hides() BEGIN SET session_track_system_variables = ''; SET session_track_state_change = OFF; END",
            "CREATE FUNCTION tracker_hides() RETURNS INT NO SQL BEGIN SET session_track_system_variables = ''; SET session_track_state_change = OFF; RETURN "
                + "1; END",
            "CREATE TABLE tracker_hides (id INT)",
            "CREATE TRIGGER tracker_hides BEFORE INSERT ON tracker_hides FOR EACH ROW BEGIN SET session_track_system_variables = ''; SET "
                + "session_track_state_change = OFF; END",
            "CREATE PROCEDURE tracker_changes() SET NAMES gbk",
            "CREATE FUNCTION tracker_changes() RETURNS INT NO SQL BEGIN SET NAMES gbk; RETURN 1; END",
            "CREATE PROCEDURE tracker_executes() BEGIN PREPARE y FROM 'SET NAMES gbk'; EXECUTE y; END",
        ])
            Run(connection, sql);
    }

    private static void Do(MySqlConnection connection, string sql, string form)
    {
        // A statement that the server cannot prepare is always sent as text; a batch has one statement in each command.
        if (form == "batch")
        {
            using var batch = new MySqlBatch(connection);
            foreach (var one in sql.Split("; "))
                batch.BatchCommands.Add(new MySqlBatchCommand(one));
            batch.ExecuteNonQuery();
            return;
        }

        foreach (var one in form == "text" ? [sql] : sql.Split("; "))
        {
            using var command = new MySqlCommand(one, connection);
            if (form == "prepared" && !one.StartsWith("PREPARE", StringComparison.Ordinal) && !one.StartsWith("EXECUTE", StringComparison.Ordinal))
                command.Prepare();
            command.ExecuteNonQuery();
        }
    }

    private static object? Scalar(MySqlConnection connection, string sql)
    {
        using var command = new MySqlCommand(sql, connection);
        return command.ExecuteScalar();
    }
}
