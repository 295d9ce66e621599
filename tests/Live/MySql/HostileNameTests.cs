using System.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>Names from an application stay names, whatever they contain: none becomes a statement.</summary>
public sealed class HostileNameTests
{
    private static int _names;

    public static TheoryData<ServerKind> Kinds => new() { ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11 };

    // Each would end its quotes, its call or its string.
    private static string[] Hostile(string victim) =>
    [
        $"a`'); DROP TABLE {victim}; -- ", $"a'`\"); DROP TABLE {victim}; -- ", $"a`); DROP TABLE {victim}; -- ", $"a'); DROP TABLE {victim}; -- ",
        $"a\\'); DROP TABLE {victim}; -- ", $"a`\\'); DROP TABLE {victim}; -- ", $"a); DROP TABLE {victim}; -- ", $"a; DROP TABLE {victim}; #",
        "a`'b", "a``b", "it's", "a\"b", "a\\", "`", "'", "中`\\'", "slipstream.argument.1",
    ];

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_parameter_of_any_name_is_one_argument(ServerKind kind)
    {
        await using var one = await Place.Create(kind);
        await one.Execute($"CREATE PROCEDURE {one.Name}(n int) SELECT n + 1; CREATE FUNCTION {one.Name}(n int) RETURNS int DETERMINISTIC RETURN n + 2");
        foreach (var name in Hostile(one.Name))
        {
            await using var procedure = one.Call();
            procedure.Parameters.AddWithValue(name, 41);
            Assert.Equal(42, Convert.ToInt32(await procedure.ExecuteScalarAsync()));
            procedure.Prepare();
            Assert.Equal(42, Convert.ToInt32(await procedure.ExecuteScalarAsync()));

            await using var function = one.Call();
            function.Parameters.Add(new MySqlParameter { ParameterName = "returned", Direction = ParameterDirection.ReturnValue });
            function.Parameters.AddWithValue(name, 40);
            Assert.Equal(42, Convert.ToInt32(await function.ExecuteScalarAsync()));

            await using var batch = new MySqlBatch(one.Connection);
            batch.BatchCommands.Add(new MySqlBatchCommand("SELECT 1"));
            var command = new MySqlBatchCommand(one.Name) { CommandType = CommandType.StoredProcedure };
            command.Parameters.AddWithValue(name, 43);
            batch.BatchCommands.Add(command);
            await using var reader = await batch.ExecuteReaderAsync();
            Assert.True(await reader.NextResultAsync());
            Assert.True(await reader.ReadAsync());
            Assert.Equal(44, Convert.ToInt32(reader.GetValue(0)));
        }

        await one.IsWhole();
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_parameter_may_be_declared_by_any_name(ServerKind kind)
    {
        foreach (var form in new[] { "", "IgnorePrepare=true;" })
        {
            await using var one = await Place.Create(kind, form);
            await one.Execute($"CREATE PROCEDURE {one.Name}(`a``'b` int, INOUT `c\"\\d` int, OUT `e'f` int, IN `g\\'` int) "
                + "BEGIN SET `c\"\\d` = `c\"\\d` + `a``'b`, `e'f` = `g\\'`; SELECT 'row'; END");
            for (var round = 0; round < 3; round++)
            {
                await using var command = one.Call();
                command.Parameters.AddWithValue("g\\'", 7);
                command.Parameters.Add(new MySqlParameter("c\"\\d", 40) { Direction = ParameterDirection.InputOutput });
                command.Parameters.Add(new MySqlParameter { ParameterName = "e'f", Direction = ParameterDirection.Output });
                command.Parameters.AddWithValue("a`'b", 2);
                Assert.Equal("row", await command.ExecuteScalarAsync());
                Assert.Equal((42, 7), (Convert.ToInt32(command.Parameters[1].Value), Convert.ToInt32(command.Parameters[2].Value)));
            }

            // All parameters are IN, so the names are part of the guard.
            await one.Execute($"DROP PROCEDURE {one.Name}; CREATE PROCEDURE {one.Name}(`a``'b` int, `c\\'d` int) SELECT `a``'b` - `c\\'d`");
            foreach (var mode in new[] { "", "NO_BACKSLASH_ESCAPES" })
            {
                await one.Execute($"SET sql_mode = '{mode}'");
                await using var command = one.Call();
                command.Parameters.AddWithValue("c\\'d", 1);
                command.Parameters.AddWithValue("a`'b", 43);
                Assert.Equal(42, Convert.ToInt32(await command.ExecuteScalarAsync()));
            }

            foreach (var name in Hostile(one.Name))
            {
                await using var command = one.Call();
                command.Parameters.AddWithValue("c\\'d", 1);
                command.Parameters.AddWithValue(name, 43);
                if (name == "a`'b")
                    Assert.Equal(42, Convert.ToInt32(await command.ExecuteScalarAsync()));
                else
                    await Assert.ThrowsAsync<ArgumentException>(() => command.ExecuteScalarAsync());
            }

            await one.IsWhole();
        }
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task A_savepoint_may_have_any_name(ServerKind kind)
    {
        await using var one = await Place.Create(kind, "Ignore Command Transaction=true;");
        foreach (var name in Hostile(one.Name))
        {
            // An identifier cannot end with a blank.
            var savepoint = name.TrimEnd();
            await using var transaction = await one.Connection.BeginTransactionAsync();
            await transaction.SaveAsync(savepoint);
            await one.Execute($"INSERT INTO {one.Name} VALUES (2)");
            await transaction.RollbackAsync(savepoint);
            await transaction.ReleaseAsync(savepoint);
            await transaction.CommitAsync();
        }

        await one.IsWhole();
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Names_of_a_bulk_copy_and_of_a_load_are_names(ServerKind kind)
    {
        await using var one = await Place.Create(kind, "Allow Load Local Infile=true;");
        using var rows = new DataTable { Columns = { "a" }, Rows = { "3" } };
        foreach (var wire in new[] { MySqlBulkCopyMethod.MultiRow, MySqlBulkCopyMethod.LoadData })
        {
            foreach (var name in Hostile(one.Name))
            {
                if (name != "slipstream.argument.1")
                    Assert.Throws<ArgumentException>(
                        () => new MySqlBulkCopy(one.Connection) { DestinationTableName = name, Method = wire }.WriteToServer(rows));
                foreach (var column in (string[])[name, "@" + name, $"@x) SET id = (SELECT 1); DROP TABLE {one.Name}; -- "])
                {
                    // Names of variables end where they would need quotes.
                    if (column == "@slipstream.argument.1")
                        continue;
                    var copy = new MySqlBulkCopy(one.Connection) { DestinationTableName = one.Name, Method = wire };
                    copy.ColumnMappings.Add(new(0, column));
                    Assert.Throws<InvalidOperationException>(() => copy.WriteToServer(rows));
                    (copy = new MySqlBulkCopy(one.Connection) { DestinationTableName = one.Name, Method = wire }).ColumnMappings.Add(new(0, column, "id = 1"));
                    Assert.Throws<InvalidOperationException>(() => copy.WriteToServer(rows));
                }
            }
        }

        foreach (var name in Hostile(one.Name))
        {
            if (name == "slipstream.argument.1")
                continue;
            Assert.Throws<ArgumentException>(() => new MySqlBulkLoader(one.Connection) { TableName = name, SourceStream = Row() }.Load());
            foreach (var column in (string[])[name, "@" + name, "@'a\\'", "@\"a\\\"", "@", "id) SET id = (SELECT 1"])
                Assert.Throws<ArgumentException>(
                    () => new MySqlBulkLoader(one.Connection) { TableName = one.Name, Columns = { column }, SourceStream = Row() }.Load());
        }

        var loader = new MySqlBulkLoader(one.Connection)
        {
            TableName = $"{one.Connection.Database}.`{one.Name}`", Columns = { "@a.b", "@`c``d`", "@'e''f'", " `id` " }, SourceStream = Row(),
        };
        Assert.Equal(1, loader.Load());
        await one.Execute($"DELETE FROM {one.Name} WHERE id = 4");
        await one.IsWhole();
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task Databases_restrictions_and_procedures_are_looked_up_by_any_name(ServerKind kind)
    {
        await using var one = await Place.Create(kind);
        foreach (var name in Hostile(one.Name))
        {
            await Assert.ThrowsAsync<MySqlException>(() => one.Connection.ChangeDatabaseAsync(name));
            Assert.Empty((await one.Connection.GetSchemaAsync("Tables", [null, name])).Rows);
            await using var command = new MySqlCommand(name, one.Connection) { CommandType = CommandType.StoredProcedure };
            Assert.Throws<MySqlException>(() => MySqlCommandBuilder.DeriveParameters(command));
        }

        // In quotes it can be called, too, and its parameters can be queried.
        var odd = $"{one.Name}\\'; -- ".TrimEnd();
        await one.Execute($"CREATE PROCEDURE `{odd}`(a int, OUT b int) SET b = a");
        await using var call = new MySqlCommand($"`{odd}`", one.Connection) { CommandType = CommandType.StoredProcedure };
        MySqlCommandBuilder.DeriveParameters(call);
        Assert.Equal(2, call.Parameters.Count);
        call.Parameters[0].Value = 5;
        await call.ExecuteNonQueryAsync();
        Assert.Equal(5, call.Parameters[1].Value);
        await one.Execute($"DROP PROCEDURE `{odd}`");
        await one.IsWhole();
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task In_another_character_set_a_name_ends_where_it_is_said_to(ServerKind kind)
    {
        await using var one = await Place.Create(kind, "Ignore Command Transaction=true;Allow Load Local Infile=true;");
        await using var transaction = await one.Connection.BeginTransactionAsync();
        await one.Execute("SET NAMES gbk");
        // Its last byte and the first of two backticks are one character of GBK.
        var name = $"中`; DROP TABLE {one.Name}; -- -";
        await Assert.ThrowsAsync<MySqlException>(() => transaction.SaveAsync(name));
        foreach (var type in new[] { CommandType.StoredProcedure, CommandType.TableDirect })
        {
            await using var command = new MySqlCommand('`' + name.Replace("`", "``") + '`', one.Connection) { CommandType = type };
            await Assert.ThrowsAsync<MySqlException>(() => command.ExecuteNonQueryAsync());
        }

        var quoted = '`' + name.Replace("`", "``") + '`';
        await Assert.ThrowsAsync<MySqlException>(() => new MySqlBulkLoader(one.Connection) { TableName = quoted, SourceStream = Row() }.LoadAsync());
        var column = $"@`中``); DROP TABLE {one.Name}; -- -`";
        var loader = new MySqlBulkLoader(one.Connection) { TableName = one.Name, Columns = { column }, SourceStream = Row() };
        Assert.Contains("The end of the name", (await Assert.ThrowsAsync<MySqlException>(() => loader.LoadAsync())).Message, StringComparison.Ordinal);
        using var rows = new DataTable { Columns = { "a" }, Rows = { "3" } };
        Assert.Throws<MySqlException>(() => new MySqlBulkCopy(one.Connection) { DestinationTableName = quoted }.WriteToServer(rows));
        await one.Execute("SET NAMES utf8mb4");
        await one.IsWhole();
        await transaction.SaveAsync(name);
        await one.IsWhole();
    }

    [Theory, MemberData(nameof(Kinds))]
    public async Task In_another_character_set_a_name_ends_there_behind_a_procedure_and_for_a_bulk_copy_too(ServerKind kind)
    {
        await using var one = await Place.Create(kind, "Ignore Command Transaction=true;");
        // Read as GBK, the bytes of the name and of the first backtick after it are these characters: SHOW COLUMNS would find the table and continue.
        await one.Execute($"CREATE PROCEDURE {one.Name}() BEGIN SET NAMES utf8mb4; SELECT 1; END");
        await one.Execute("DROP TABLE IF EXISTS `涓璥`; CREATE TABLE `涓璥` (a int)");
        try
        {
            var name = $"中`; DROP TABLE {one.Name}; -- -";
            await one.Execute("SET NAMES gbk");
            await using (var transaction = await one.Connection.BeginTransactionAsync())
            {
                await one.Execute($"CALL {one.Name}()");
                var refused = await Assert.ThrowsAsync<MySqlException>(() => transaction.SaveAsync(name));
                Assert.Contains("The end of the name", refused.Message, StringComparison.Ordinal);
            }

            using var rows = new DataTable { Columns = { "a" }, Rows = { "3" } };
            var copy = new MySqlBulkCopy(one.Connection) { DestinationTableName = '`' + name.Replace("`", "``") + '`' };
            Assert.Contains("The end of the name", Assert.Throws<MySqlException>(() => copy.WriteToServer(rows)).Message, StringComparison.Ordinal);
            await one.Execute("SET NAMES utf8mb4");
            await one.IsWhole();
        }
        finally
        {
            await one.Connection.CloseAsync();
            await one.Connection.OpenAsync();
            await one.Execute("DROP TABLE IF EXISTS `涓璥`");
        }
    }

    private static MemoryStream Row() => new("1\t2\t3\t4\n"u8.ToArray());

    /// <summary>A table of one row that must still exist, and programs with its name.</summary>
    private sealed class Place(string name, MySqlConnection connection) : IAsyncDisposable
    {
        public string Name => name;

        public MySqlConnection Connection => connection;

        public static async Task<Place> Create(ServerKind kind, string more = "")
        {
            var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), more));
            await connection.OpenAsync();
            var place = new Place($"hostile_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}", connection);
            await place.Execute($"CREATE TABLE {place.Name} (id int); INSERT INTO {place.Name} VALUES (1)");
            return place;
        }

        public MySqlCommand Call() => new(name, connection) { CommandType = CommandType.StoredProcedure };

        public async Task Execute(string sql)
        {
            await using var command = new MySqlCommand(sql, connection);
            await command.ExecuteNonQueryAsync();
        }

        public async Task IsWhole()
        {
            await using var command = new MySqlCommand($"SELECT GROUP_CONCAT(id) FROM {name}", connection);
            Assert.Equal("1", Convert.ToString(await command.ExecuteScalarAsync(), System.Globalization.CultureInfo.InvariantCulture));
        }

        public async ValueTask DisposeAsync()
        {
            await Execute($"DROP TABLE IF EXISTS {name}; DROP PROCEDURE IF EXISTS {name}; DROP FUNCTION IF EXISTS {name}");
            await connection.DisposeAsync();
        }
    }
}
