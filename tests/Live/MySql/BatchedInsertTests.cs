using System.Globalization;
using System.Text;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;
using static Slipstream.Live.MySql.Spoken;

namespace Slipstream.Live.MySql;

/// <summary>A batch of INSERTs shows the same as its commands one by one: rows, keys, errors, and what the session reports about its last statement.</summary>
public class BatchedInsertTests
{
    // Repeated texts are prepared automatically: whatever form a batch then has, the result is the same.
    private const int Executions = 3;

    private static int _tables;

    public static TheoryData<ServerKind> Kinds => [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11];

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Generated_keys_are_those_of_the_commands_one_by_one(ServerKind kind)
    {
        const string Keyed = "(id INT AUTO_INCREMENT PRIMARY KEY, v VARCHAR(20) UNIQUE)";
        await AreTheSame(kind,
            new(Keyed) { Rows = [["first"], ["second"], ["third"]], Columns = "v", Last = "INSERT INTO {0}_kid VALUES (LAST_INSERT_ID(), ROW_COUNT())" },
            new(Keyed) { Rows = [["first"], ["second"], ["first"], ["fourth"]], Columns = "v" },
            new(Keyed) { Rows = [[null, "a"], [10, "b"], [0, "c"], [7, "d"]] },
            new(Keyed) { Rows = [[null, "a"], [10, "b"], [0, "c"], [null, "d"]], Mode = "STRICT_TRANS_TABLES,NO_AUTO_VALUE_ON_ZERO" },
            new(Keyed) { Rows = [["a"], ["b"]], Columns = "v", Setup = "SET auto_increment_increment = 5, auto_increment_offset = 3" },
            new(Keyed) { Rows = [["a"], ["b"], ["a"], ["c"]], Columns = "v", Verb = "INSERT IGNORE INTO" },
            new(Keyed) { Rows = [["a"], ["b"], ["a"], ["c"]], Columns = "v", Tail = " ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id)" },
            new(Keyed) { Rows = [["a"], ["b"]], Columns = "v", Setup = "SELECT LAST_INSERT_ID(4711)" },
            new(Keyed) { Rows = [[1, "a"], [2, "b"]], Setup = "SELECT LAST_INSERT_ID(4711)" });
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Tables_without_transactions_refuse_what_they_refuse_one_by_one(ServerKind kind)
    {
        foreach (var engine in new[] { "MyISAM", "MEMORY" })
            await AreTheSame(kind,
                new($"(s VARCHAR(3) NOT NULL) ENGINE={engine}") { Rows = [["abc"], ["too long"], ["def"]] },
                new($"(i INT NOT NULL) ENGINE={engine}") { Rows = [[1], ["abc"], [3]] },
                new($"(i INT NOT NULL) ENGINE={engine}") { Rows = [[1], [null], [3]] },
                new($"(i INT PRIMARY KEY) ENGINE={engine}") { Rows = [[1], [2], [1], [3]] },
                new($"(i INT PRIMARY KEY) ENGINE={engine}") { Rows = [[1], [2], [1], [3]], Mode = "STRICT_ALL_TABLES" });
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Every_sql_mode_judges_each_row_as_one_by_one(ServerKind kind)
    {
        foreach (var mode in new[]
        {
            "",
            "STRICT_TRANS_TABLES",
            "STRICT_ALL_TABLES",
            "STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO"
        })
            await AreTheSame(kind,
                new("(s VARCHAR(3) NOT NULL)") { Rows = [["abc"], [null], ["def"]], Mode = mode },
                new("(s VARCHAR(3) NOT NULL)") { Rows = [["abc"], ["too long"], ["def"]], Mode = mode },
                new("(s VARCHAR(3) NOT NULL)") { Rows = [["abc"], ["def"], ["too long"]], Mode = mode },
                new("(d DATE NOT NULL, n INT GENERATED ALWAYS AS (10 / (n0 - 1)) STORED, n0 INT)")
                {
                    Columns = "d, n0",
                    Rows = [["2026-01-02", 3], ["0000-00-00", 3], ["2026-02-30", 1]],
                    Mode = mode
                });
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task What_a_row_meets_in_its_table_it_meets_as_one_by_one(ServerKind kind) =>
        await AreTheSame(kind,
            // A trigger sees the state of its statement; what it does without a transaction is not rolled back.
            new("(id INT AUTO_INCREMENT PRIMARY KEY, v INT UNIQUE)")
            {
                Columns = "v",
                Rows = [[1], [2], [3], [2]],
                Also = "CREATE TRIGGER {0}_t BEFORE INSERT ON {0} FOR EACH ROW INSERT INTO {0}_kid VALUES (LAST_INSERT_ID(), NEW.v)",
            },
            // Each statement has its own time.
            new("(v INT PRIMARY KEY, t DATETIME(6) DEFAULT CURRENT_TIMESTAMP(6))")
            {
                Columns = "v",
                Rows = [[1], [2], [3]],
                Shown = "v, COUNT(*) OVER (PARTITION BY t)"
            },
            // A row refers to the previous one.
            new("(id INT PRIMARY KEY, dad INT, FOREIGN KEY (dad) REFERENCES {0} (id))") { Rows = [[1, null], [2, 1], [3, 9], [4, 1]] },
            new("(id INT PRIMARY KEY, v INT CHECK (v < 10))") { Rows = [[1, 1], [2, 11], [3, 3]] },
            new("(id INT PRIMARY KEY, v INT)")
            {
                Rows = [[1, 1], [2, 11], [3, 3]],
                Also = "CREATE VIEW {0}_v AS SELECT * FROM {0} WHERE v < 10 WITH CHECK OPTION",
                Into = "{0}_v"
            },
            new("(id INT, v INT) PARTITION BY RANGE (id) (PARTITION a VALUES LESS THAN (10), PARTITION b VALUES LESS THAN (20))")
            {
                Rows = [[1, 1], [15, 2], [25, 3], [2, 4]]
            },
            // The temporary table hides the table, so the name refers to it.
            new("(s VARCHAR(3) NOT NULL)")
            {
                Hides = "CREATE TEMPORARY TABLE {0} (s VARCHAR(3) NOT NULL) ENGINE=MyISAM",
                Rows = [["abc"], ["too long"], ["def"]]
            });

    private static async Task AreTheSame(ServerKind kind, params Scenario[] scenarios)
    {
        var lab = await LiveServers.GetAsync(kind);
        await using var admin = await OpenAsync(lab, "Auto Prepare=false;");
        foreach (var scenario in scenarios)
            foreach (var inTransaction in new[] { true, false })
            {
                var name = $"batched_{Environment.ProcessId}_{Interlocked.Increment(ref _tables)}";
                await using var plain = await OpenAsync(lab, "Auto Prepare=false;");
                await using var batched = await OpenAsync(lab, "");
                for (var execution = 0; execution < Executions; execution++)
                {
                    var mode = execution == 1 ? Mode.Async : Mode.Sync;
                    var expected = await scenario.RunAsync(name, admin, plain, inTransaction, OneByOne);
                    var seen = await scenario.RunAsync(
                        name, admin, batched, inTransaction, (commands, transaction, connection) => Together(commands, transaction, connection, mode));
                    Assert.True(
                        expected == seen, $"{scenario}, in a transaction: {inTransaction}, execution {execution}\none by one: {expected}\ntogether:   {seen}");
                }

                await Do(admin, $"DROP VIEW IF EXISTS {name}_v; DROP TABLE IF EXISTS {name}, {name}_kid");
            }
    }

    private static async Task<MySqlConnection> OpenAsync(LabServer lab, string more)
    {
        var connection = new MySqlConnection(
            ConnectionStrings.MySql(lab, "Pooling=false;Allow User Variables=true;Ignore Command Transaction=true;Convert Zero DateTime=true;" + more));
        await connection.OpenAsync();
        return connection;
    }

    private static async Task<string> OneByOne(List<MySqlBatchCommand> commands, MySqlTransaction? transaction, MySqlConnection connection)
    {
        var told = new StringBuilder();
        MySqlException? error = null;
        foreach (var command in commands)
        {
            var affected = -1;
            if (error is null)
            {
                await using var alone = new MySqlCommand(command.CommandText, connection, transaction);
                foreach (MySqlParameter parameter in command.Parameters)
                    alone.Parameters.AddWithValue(parameter.ParameterName, parameter.Value);
                try
                {
                    affected = await alone.ExecuteNonQueryAsync();
                }
                catch (MySqlException refused)
                {
                    error = refused;
                    told.Append(CultureInfo.InvariantCulture, $"[{error.Number} {error.Message}] ");
                }
            }

            told.Append(CultureInfo.InvariantCulture, $"{affected} ");
        }

        return told.ToString();
    }

    private static async Task<string> Together(List<MySqlBatchCommand> commands, MySqlTransaction? transaction, MySqlConnection connection, Mode mode)
    {
        await using var batch = new MySqlBatch(connection, transaction);
        foreach (var command in commands)
            batch.BatchCommands.Add(command);
        MySqlException? error = null;
        try
        {
            await mode.NonQuery(batch);
        }
        catch (MySqlException refused)
        {
            error = refused;
        }

        var told = new StringBuilder();
        foreach (var command in batch.BatchCommands)
        {
            if (error is not null && ReferenceEquals(error.BatchCommand, command))
                told.Append(CultureInfo.InvariantCulture, $"[{error.Number} {error.Message}] ");
            told.Append(CultureInfo.InvariantCulture, $"{command.RecordsAffected} ");
        }

        return told.ToString();
    }

    private delegate Task<string> Execution(List<MySqlBatchCommand> commands, MySqlTransaction? transaction, MySqlConnection connection);

    /// <summary>One table and the rows of one INSERT; "{0}" represents the table's name.</summary>
    private sealed record Scenario(string Table)
    {
        public required object?[][] Rows { get; init; }

        public string Columns { get; init; } = "";

        public string Verb { get; init; } = "INSERT INTO";

        public string Into { get; init; } = "{0}";

        public string Tail { get; init; } = "";

        public string Shown { get; init; } = "*";

        public string? Mode { get; init; }

        public string? Setup { get; init; }

        public string? Also { get; init; }

        public string? Hides { get; init; }

        public string? Last { get; init; }

        public async Task<string> RunAsync(string name, MySqlConnection admin, MySqlConnection connection, bool inTransaction, Execution execution)
        {
            await Do(
                admin,
                $"SET sql_mode='';DROP VIEW IF EXISTS {name}_v;DROP TABLE IF EXISTS {name};CREATE TABLE IF NOT EXISTS {name}_kid (a BIGINT, b BIGINT);DELETE "
                    + $"FROM {name}_kid;CREATE TABLE {name} {Named(Table)}");
            if (Also is not null)
                await Do(admin, Named(Also));
            if (Hides is not null)
                await Do(connection, $"DROP TEMPORARY TABLE IF EXISTS {name};{Named(Hides)}");
            if (Mode is not null)
                await Do(connection, $"SET sql_mode='{Mode}'");
            await using var transaction = inTransaction ? await connection.BeginTransactionAsync() : null;
            await Do(connection, Setup ?? "SELECT 1");
            var commands = Rows.Select(CommandFor).ToList();
            if (Last is not null)
                commands.Add(new(Named(Last)));
            var told = await execution(commands, transaction, connection);
            // Without FOUND_ROWS(): if no SELECT came before it, it returns the value of an earlier lease, because no reset clears it.
            var state = await Read(connection, "SELECT LAST_INSERT_ID(), ROW_COUNT(), @@warning_count, @@error_count, @@insert_id");
            var warnings = await Read(connection, "SHOW WARNINGS");
            if (transaction is not null)
                await transaction.CommitAsync();
            var rows = await Read(connection, $"SELECT {Shown} FROM {name} ORDER BY 1");
            var kids = await Read(connection, $"SELECT * FROM {name}_kid ORDER BY 1, 2");
            return $"{told}/ {state} / {warnings} / {rows} / {kids}";

            string Named(string text) => text.Replace("{0}", name, StringComparison.Ordinal);

            MySqlBatchCommand CommandFor(object?[] row)
            {
                var command = new MySqlBatchCommand(
                    $"{Verb} {Named(Into)} {(Columns.Length > 0 ? $"({Columns}) " : "")}VALUES ({string.Join(", ", row.Select((_, i) => "@p" + i))}){Tail}");
                for (var i = 0; i < row.Length; i++)
                    command.Parameters.AddWithValue("@p" + i, row[i]);
                return command;
            }
        }
    }
}
