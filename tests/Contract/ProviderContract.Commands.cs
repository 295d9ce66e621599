using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

public abstract partial class ProviderContract
{
    [Fact]
    public void A_new_command_has_the_documented_defaults()
    {
        using var command = Server.Factory.CreateCommand()!;
        Assert.Equal("", command.CommandText);
        Assert.Equal(30, command.CommandTimeout);
        Assert.Equal(CommandType.Text, command.CommandType);
        Assert.Null(command.Connection);
        Assert.Null(command.Transaction);
        Assert.Empty(command.Parameters);
        command.CommandText = null;
        Assert.Equal("", command.CommandText);
    }

    [Fact]
    public void Impossible_values_are_refused_at_once()
    {
        using var command = Server.Factory.CreateCommand()!;
        Assert.ThrowsAny<ArgumentException>(() => command.CommandTimeout = -1);
        Assert.ThrowsAny<ArgumentException>(() => command.CommandType = (CommandType)42);
        command.CommandTimeout = 0;
        Assert.Equal(0, command.CommandTimeout);
    }

    [Fact]
    public async Task A_command_needs_a_connection_that_is_open_and_a_text()
    {
        await using var command = Server.Factory.CreateCommand()!;
        command.CommandText = "SELECT 1";
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Scalar(command));
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.NonQuery(command));
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Reader(command));
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Prepare(command));
        await using var connection = Create();
        command.Connection = connection;
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Scalar(command));
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Prepare(command));
        await Mode.Open(connection);
        command.CommandText = "";
        await Assert.ThrowsAsync<InvalidOperationException>(() => Mode.Scalar(command));
        command.CommandText = "SELECT 1";
        Assert.Equal(1, Convert.ToInt32(await Mode.Scalar(command)));
    }

    [Fact]
    public async Task A_disposed_command_cannot_be_executed()
    {
        await using var connection = await Open();
        var command = Command(connection, "SELECT 1");
        await command.DisposeAsync();
        await command.DisposeAsync();
        await Assert.ThrowsAnyAsync<InvalidOperationException>(() => Mode.Scalar(command));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_scalar_is_the_first_column_of_the_first_row()
    {
        await using var connection = await Open();
        Assert.Equal(1, await Number(connection, "SELECT 1, 2 UNION ALL SELECT 3, 4"));
        Assert.Null(await Scalar(connection, "SELECT 1 WHERE 1 = 0"));
        Assert.Equal(DBNull.Value, await Scalar(connection, "SELECT NULL"));
        Assert.Equal("text", await Scalar(connection, "SELECT 'text'"));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_scalar_of_a_command_without_rows_is_null()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE without_rows (id int)");
        Assert.Null(await Scalar(connection, "INSERT INTO without_rows VALUES (1)"));
        Assert.Equal(1, await Number(connection, "SELECT COUNT(*) FROM without_rows"));
    }

    [Fact]
    public async Task The_count_of_changed_rows_is_returned()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE counted (id int PRIMARY KEY, name varchar(20))");
        Assert.Equal(3, await Execute(connection, "INSERT INTO counted VALUES (1, 'a'), (2, 'b'), (3, 'c')"));
        Assert.Equal(2, await Execute(connection, "UPDATE counted SET name = 'x' WHERE id > 1"));
        Assert.Equal(0, await Execute(connection, "UPDATE counted SET name = 'y' WHERE id > 100"));
        Assert.Equal(3, await Execute(connection, "DELETE FROM counted"));
        Assert.Equal(-1, await Execute(connection, "SELECT 1"));
    }

    [Fact]
    public async Task Several_statements_in_one_text_give_several_results()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE several (id int)");
        await using var command = Command(connection, "SELECT 1; INSERT INTO several VALUES (7), (8); SELECT id FROM several ORDER BY id; SELECT 'end'");
        await using (var reader = await Mode.Reader(command))
        {
            Assert.True(await Mode.Read(reader));
            Assert.Equal(1, Convert.ToInt32(reader.GetValue(0)));
            Assert.False(await Mode.Read(reader));
            Assert.True(await Mode.NextResult(reader));
            Assert.True(await Mode.Read(reader));
            Assert.Equal(7, reader.GetInt32(0));
            Assert.True(await Mode.NextResult(reader));
            Assert.True(await Mode.Read(reader));
            Assert.Equal("end", reader.GetString(0));
            Assert.False(await Mode.NextResult(reader));
            Assert.False(await Mode.NextResult(reader));
            Assert.Equal(2, reader.RecordsAffected);
        }

        Assert.Equal(
            5, await Execute(connection, "INSERT INTO several VALUES (1); INSERT INTO several VALUES (2), (3); DELETE FROM several WHERE id IN (7, 8)"));
        Assert.Equal(1, await Number(connection, "SELECT 1; SELECT 2"));
        await StillUsable(connection);
    }

    [Fact]
    public async Task An_error_in_a_later_statement_is_thrown_and_the_connection_goes_on()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1; SELECT no_such_column; SELECT 3");
        var error = await Assert.ThrowsAnyAsync<DbException>(async () =>
        {
            await using var reader = await Mode.Reader(command);
            while (await Mode.NextResult(reader))
                while (await Mode.Read(reader))
                    ;
        });
        Assert.Contains("no_such_column", error.Message);
        await StillUsable(connection);
        await Assert.ThrowsAnyAsync<DbException>(() => Mode.NonQuery(command));
        await StillUsable(connection);
        await Assert.ThrowsAnyAsync<DbException>(() => Mode.Scalar(command));
        await StillUsable(connection);
    }

    [Fact]
    public async Task One_command_at_a_time_runs_on_a_connection()
    {
        await using var connection = await Open();
        await using var first = Command(connection, "SELECT 1 UNION ALL SELECT 2");
        await using var second = Command(connection, "SELECT 3");
        await using (var reader = await Mode.Reader(first))
        {
            Assert.True(await Mode.Read(reader));
            await ThrowsBusy(() => Mode.Scalar(second));
            await ThrowsBusy(() => Mode.Reader(first));
            Assert.True(await Mode.Read(reader));
            Assert.Equal(2, Convert.ToInt32(reader.GetValue(0)));
        }

        Assert.Equal(3, Convert.ToInt32(await Mode.Scalar(second)));
    }

    [Fact]
    public async Task A_command_can_be_used_again_with_another_text_parameter_and_connection()
    {
        await using var one = await Open();
        await using var other = await Open();
        await using var command = Command(one, "SELECT 1");
        Assert.Equal(1, Convert.ToInt32(await Mode.Scalar(command)));
        command.CommandText = "SELECT @value";
        var parameter = Add(command, "@value", "a");
        Assert.Equal("a", await Mode.Scalar(command));
        parameter.Value = "b";
        Assert.Equal("b", await Mode.Scalar(command));
        command.Connection = other;
        Assert.Equal("b", await Mode.Scalar(command));
        command.CommandText = Server.SessionId;
        command.Parameters.Clear();
        Assert.Equal(await Number(other, Server.SessionId), Convert.ToInt64(await Mode.Scalar(command)));
    }

    [Theory]
    [InlineData(1_000)]
    [InlineData(70_000)]
    [InlineData(1_200_000)]
    public async Task A_text_may_be_long(int length)
    {
        await using var connection = await Open();
        var text = new string('x', length);
        Assert.Equal(length, await Number(connection, $"SELECT CHAR_LENGTH('{text}')"));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_prepared_command_runs_many_times_with_new_values()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT @number + 1, @text", ("@number", 0), ("@text", ""));
        await Mode.Prepare(command);
        for (var i = 0; i < 20; i++)
        {
            command.Parameters[0].Value = i;
            command.Parameters[1].Value = i % 5 == 4 ? DBNull.Value : $"text {i}";
            await using var reader = await Mode.Reader(command);
            Assert.True(await Mode.Read(reader));
            Assert.Equal(i + 1, Convert.ToInt32(reader.GetValue(0)));
            Assert.Equal(command.Parameters[1].Value, reader.GetValue(1));
            Assert.False(await Mode.Read(reader));
        }
    }

    [Fact]
    public async Task A_prepared_command_survives_a_new_lease()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT @number * 2", ("@number", 21));
        await Mode.Prepare(command);
        Assert.Equal(42, Convert.ToInt32(await Mode.Scalar(command)));
        await Mode.Close(connection);
        await Mode.Open(connection);
        Assert.Equal(42, Convert.ToInt32(await Mode.Scalar(command)));
    }

    [Fact]
    public async Task Preparing_nonsense_is_an_error_of_the_server()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELEKT 1");
        await Assert.ThrowsAnyAsync<DbException>(async () =>
        {
            await Mode.Prepare(command);
            await Mode.Scalar(command);
        });
        await StillUsable(connection);
    }

    [Fact]
    public async Task Many_prepared_commands_live_side_by_side()
    {
        await using var connection = await Open();
        var commands = Enumerable.Range(0, 150).Select(i => Command(connection, $"SELECT @value + {i}", ("@value", 1))).ToArray();
        for (var round = 0; round < 2; round++)
        {
            for (var i = 0; i < commands.Length; i++)
            {
                if (round == 0)
                    await Mode.Prepare(commands[i]);
                Assert.Equal(i + 1, Convert.ToInt32(await Mode.Scalar(commands[i])));
            }
        }
    }

    [Fact]
    public async Task Temporary_objects_made_by_one_prepared_command_are_seen_by_another()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE changing (id int)");
        await Execute(connection, "INSERT INTO changing VALUES (1)");
        await using var command = Command(connection, "SELECT * FROM changing");
        await Mode.Prepare(command);
        await using (var reader = await Mode.Reader(command))
            Assert.Equal(1, reader.FieldCount);
        await Execute(connection, "DROP TABLE changing");
        await Execute(connection, "CREATE TEMPORARY TABLE changing (name varchar(10), id int)");
        await Execute(connection, "INSERT INTO changing VALUES ('n', 2)");
        await using (var reader = await Mode.Reader(command))
        {
            Assert.Equal(2, reader.FieldCount);
            Assert.True(await Mode.Read(reader));
            Assert.Equal("n", reader.GetString(0));
            Assert.Equal(2, reader.GetInt32(1));
        }
    }
}
