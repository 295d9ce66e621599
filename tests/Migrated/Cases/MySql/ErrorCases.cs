using System.Collections;
using System.Data.Common;

namespace Slipstream.Migrated;

public static class ErrorCases
{
    private static void Catch(Trial t, string what, Action action)
    {
        try
        {
            action();
            t.Say(what, "no error");
        }
        catch (MySqlException e)
        {
            var data = string.Join(" ", e.Data.Cast<DictionaryEntry>().Select(static entry => $"{entry.Key}={entry.Value}").Order());
            t.Say(what, $"{e.ErrorCode} {e.Number} {e.SqlState} {e.IsTransient} base {((DbException)e).ErrorCode} {e.Message} [{data}] {e.BatchCommand}");
        }
    }

    public static void Of_the_server(Trial t)
    {
        using var c = t.Open();
        c.Do("CREATE TABLE dad (id INT PRIMARY KEY, s VARCHAR(3) NOT NULL)");
        c.Do("CREATE TABLE kid (dad INT NOT NULL, CONSTRAINT to_dad FOREIGN KEY (dad) REFERENCES dad (id))");
        c.Do("INSERT INTO dad VALUES (1, 'a')");
        Catch(t, "duplicate", () => c.Do("INSERT INTO dad VALUES (1, 'b')"));
        Catch(t, "no parent", () => c.Do("INSERT INTO kid VALUES (2)"));
        Catch(t, "too long", () => c.Do("INSERT INTO dad VALUES (2, 'long')"));
        Catch(t, "null", () => c.Do("INSERT INTO dad VALUES (2, NULL)"));
        Catch(t, "syntax", () => c.Do("SELEC 1"));
        Catch(t, "no table", () => c.Do("SELECT * FROM nowhere"));
        Catch(t, "no column", () => c.Do("SELECT nothing FROM dad"));
        Catch(t, "no function", () => c.Do("SELECT nothing_at_all(1)"));
        Catch(t, "signal", () => c.Do("SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'as said', MYSQL_ERRNO = 5555"));
        Catch(t, "no database", () => c.ChangeDatabase("no_such_database"));
        t.Say("still there", c.Scalar("SELECT COUNT(*) FROM dad"));
    }

    public static void Of_locks(Trial t)
    {
        using var one = t.Open();
        using var two = t.Open();
        one.Do("CREATE TABLE locked (id INT PRIMARY KEY, n INT)");
        one.Do("INSERT INTO locked VALUES (1, 0)");
        two.Do("SET innodb_lock_wait_timeout = 1");
        using var transaction = one.BeginTransaction();
        using (var command = new MySqlCommand("UPDATE locked SET n = 1", one, transaction))
            command.ExecuteNonQuery();
        Catch(t, "waited in vain", () => two.Do("UPDATE locked SET n = 2"));
        transaction.Rollback();
        t.Say("then", two.Do("UPDATE locked SET n = 2"));
    }

    // Without a user that does not exist: for such a user, MariaDB requests any of its methods, including parsec, which the other driver does not support.
    public static void Of_logging_in(Trial t)
    {
        foreach (var (what, options) in new[]
        {
            ("a wrong password", "Password=wrong"), ("no database", "Database=no_such_database"),
            ("no server", "Port=1;Connection Timeout=5"),
            ("no such host", "Server=no-such-host.invalid;Connection Timeout=5"),
        })
        {
            using var c = new MySqlConnection($"{t.ConnectionString};{options}");
            try
            {
                c.Open();
            }
            catch (MySqlException e)
            {
                // The addresses in the server's text change from run to run.
                t.Say(what, $"{e.ErrorCode} {e.Number} {e.SqlState} {e.IsTransient} {c.State}");
            }
        }
    }

    public static void Of_a_killed_session(Trial t)
    {
        using var c = t.Open();
        using var killer = t.Open();
        killer.Do($"KILL {c.ServerThread}");
        try
        {
            // The session closes by itself a moment later.
            for (var i = 0; i < 100; i++)
                c.Scalar("SELECT SLEEP(0.05)");
        }
        catch (MySqlException)
        {
            t.Say("lost", "MySqlException");
        }

        t.Differs("state", c.State, "`State` of a connection that was lost", "the session is gone, and Open works at once");
        c.Close();
        c.Open();
        t.Say("again", c.Scalar("SELECT 1"));
    }

    public static void Of_warnings(Trial t)
    {
        using var c = t.Open();
        c.Do("SET sql_mode = ''");
        c.Do("CREATE TABLE w (s VARCHAR(3), i TINYINT)");
        var told = new List<string>();
        c.InfoMessage += (_, e) => told.AddRange(e.Errors.Select(static error => $"{error.Level} {(int)error.ErrorCode} {error.Message}"));
        c.Do("INSERT INTO w VALUES ('too long', 5), ('x', 500)");
        t.Say("told", told);
        told.Clear();
        c.Do("DROP TABLE IF EXISTS nowhere");
        t.Say("note", told);
        t.Say("shown", c.All("SHOW WARNINGS"));
    }
}
