using System.Data;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>Names from an application stay names, whatever they contain: none becomes a statement.</summary>
public sealed class HostileNameTests
{
    private static int _names;

    private static string[] Hostile(string victim) =>
    [
        $"a => 1); DROP TABLE {victim}; --", $"a\" => 1); DROP TABLE {victim}; --", $"a\"\" => 1); DROP TABLE {victim}; --",
        $"a'); DROP TABLE {victim}; --", $"a\\'); DROP TABLE {victim}; --", $"a; DROP TABLE {victim}; --", "a\"b", "it's", "a\\", "\"", "'", "$1", "b c", "1",
    ];

    [Fact]
    public async Task A_parameter_of_any_name_is_one_argument()
    {
        await using var one = await Place.Create();
        await one.Execute($"CREATE PROCEDURE {one.Name}(a int) LANGUAGE sql AS 'INSERT INTO {one.Name} VALUES (a)'");
        foreach (var name in Hostile(one.Name))
        {
            await using var command = one.Call();
            command.Parameters.AddWithValue(name, 2);
            // The procedure has no such argument.
            Assert.Equal("42883", (await Assert.ThrowsAsync<PgException>(() => command.ExecuteNonQueryAsync())).SqlState);
            await using var batch = new PgBatch(one.Connection);
            var inBatch = new PgBatchCommand(one.Name) { CommandType = CommandType.StoredProcedure };
            inBatch.Parameters.AddWithValue(name, 2);
            batch.BatchCommands.Add(inBatch);
            Assert.Equal("42883", Assert.Throws<PgException>(() => batch.ExecuteNonQuery()).SqlState);
        }

        await using var zero = one.Call();
        zero.Parameters.AddWithValue("a\0b", 2);
        Assert.Throws<ArgumentException>(() => zero.ExecuteNonQuery());
        await one.IsWhole();
    }

    [Fact]
    public async Task An_argument_is_named_as_it_is_declared()
    {
        await using var one = await Place.Create();
        await one.Execute(
            $"CREATE PROCEDURE {one.Name}(small int, \"Large\" int, \"it's \"\"odd\"\" $1 @x\" int, INOUT sum int) LANGUAGE sql AS 'SELECT $1 + $2 + $3 + $4'");
        for (var i = 0; i < 4; i++)
        {
            await using var command = one.Call();
            command.Parameters.Add(new PgParameter("sum", 1) { Direction = ParameterDirection.InputOutput });
            command.Parameters.AddWithValue("@it's \"odd\" $1 @x", 10);
            command.Parameters.AddWithValue(":Large", 30);
            command.Parameters.AddWithValue("small", i);
            if (i == 2)
                command.Prepare();
            command.ExecuteNonQuery();
            Assert.Equal(41 + i, command.Parameters[0].Value);
        }

        // In quotes, as Npgsql writes it: with another spelling it is another argument.
        await using var other = one.Call();
        foreach (var name in (string[])["Small", "Large", "it's \"odd\" $1 @x", "sum"])
            other.Parameters.AddWithValue(name, 1);
        Assert.Equal("42883", Assert.Throws<PgException>(() => other.ExecuteNonQuery()).SqlState);
    }

    [Fact]
    public async Task Arguments_without_names_may_stand_in_front_of_those_with_names()
    {
        await using var one = await Place.Create();
        await one.Execute($"CREATE PROCEDURE {one.Name}(a int, b int, INOUT c int) LANGUAGE sql AS 'SELECT $1 * 100 + $2 * 10 + $3'");
        await using var command = one.Call();
        command.Parameters.AddWithValue(1);
        command.Parameters.Add(new PgParameter("c", 3) { Direction = ParameterDirection.InputOutput });
        command.Parameters.AddWithValue("b", 2);
        command.ExecuteNonQuery();
        Assert.Equal(123, command.Parameters[1].Value);
    }

    [Fact]
    public async Task A_savepoint_may_have_any_name()
    {
        await using var one = await Place.Create();
        foreach (var name in Hostile(one.Name))
        {
            await using var transaction = await one.Connection.BeginTransactionAsync();
            await transaction.SaveAsync(name);
            await one.Execute($"INSERT INTO {one.Name} VALUES (2)");
            await transaction.RollbackAsync(name);
            await transaction.ReleaseAsync(name);
            await transaction.CommitAsync();
        }

        await one.IsWhole();
    }

    [Theory]
    [InlineData("on")]
    [InlineData("off")]
    public async Task Names_of_a_bulk_copy_are_names(string conforming)
    {
        await using var one = await Place.Create();
        using var rows = new DataTable { Columns = { { "a", typeof(int) } }, Rows = { 3 } };
        await one.Execute($"SET standard_conforming_strings = {conforming}");
        foreach (var name in Hostile(one.Name))
        {
            if (name is not ("$1" or "1"))
                Assert.Throws<ArgumentException>(() => new PgBulkCopy(one.Connection) { DestinationTableName = name }.WriteToServer(rows));
            var quoted = '"' + name.Replace("\"", "\"\"") + '"';
            var unknown = new PgBulkCopy(one.Connection) { DestinationTableName = quoted };
            Assert.Equal("42P01", Assert.Throws<PgException>(() => unknown.WriteToServer(rows)).SqlState);
            var copy = new PgBulkCopy(one.Connection) { DestinationTableName = one.Name };
            copy.ColumnMappings.Add(new(0, name));
            Assert.Throws<InvalidOperationException>(() => copy.WriteToServer(rows));
        }

        await one.Execute("CREATE TEMPORARY TABLE \"it's \\odd\" (\"co\"\"l\" int)");
        var odd = new PgBulkCopy(one.Connection) { DestinationTableName = "\"it's \\odd\"" };
        odd.ColumnMappings.Add(new(0, "co\"l"));
        Assert.Equal(1, odd.WriteToServer(rows).RowsInserted);
        await one.IsWhole();
    }

    [Fact]
    public async Task Databases_and_restrictions_are_looked_up_by_any_name()
    {
        await using var one = await Place.Create();
        foreach (var name in Hostile(one.Name))
        {
            Assert.Empty((await one.Connection.GetSchemaAsync("Tables", [null, name])).Rows);
            await using var other = await Place.Open();
            Assert.Equal("3D000", (await Assert.ThrowsAsync<PgException>(() => other.ChangeDatabaseAsync(name))).SqlState);
        }

        await one.IsWhole();
    }

    /// <summary>A table of one row that must still exist, and a procedure with its name.</summary>
    private sealed class Place(string name, PgConnection connection) : IAsyncDisposable
    {
        public string Name => name;

        public PgConnection Connection => connection;

        public static async Task<PgConnection> Open()
        {
            var connection = new PgConnection(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(ServerKind.PostgreSql)));
            await connection.OpenAsync();
            return connection;
        }

        public static async Task<Place> Create()
        {
            var place = new Place($"hostile_{Environment.ProcessId}_{Interlocked.Increment(ref _names)}", await Open());
            await place.Execute($"CREATE TABLE {place.Name} (id int); INSERT INTO {place.Name} VALUES (1)");
            return place;
        }

        public PgCommand Call() => new(name, connection) { CommandType = CommandType.StoredProcedure };

        public async Task Execute(string sql)
        {
            await using var command = new PgCommand(sql, connection);
            await command.ExecuteNonQueryAsync();
        }

        public async Task IsWhole()
        {
            await using var command = new PgCommand($"SELECT string_agg(id::text, ',') FROM {name}", connection);
            Assert.Equal("1", await command.ExecuteScalarAsync());
        }

        public async ValueTask DisposeAsync()
        {
            await Execute($"DROP TABLE IF EXISTS {name}; DROP ROUTINE IF EXISTS {name}");
            await connection.DisposeAsync();
        }
    }
}
