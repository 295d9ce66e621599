using System.Data.Common;

namespace Slipstream.Contract;

public abstract partial class ProviderContract
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_syntax_error_has_its_state_and_harms_nothing(bool prepared)
    {
        await using var connection = await Open();
        for (var i = 0; i < 3; i++)
        {
            await using var command = Command(connection, "SELEKT 1");
            var error = await Assert.ThrowsAnyAsync<DbException>(async () =>
            {
                if (prepared)
                    await Mode.Prepare(command);
                await Mode.NonQuery(command);
            });
            Assert.Equal(Server.SyntaxError, error.SqlState);
            Assert.False(error.IsTransient);
            Assert.Contains("SELEKT", error.Message);
            await StillUsable(connection);
        }
    }

    [Fact]
    public async Task An_exhausted_pool_is_a_transient_error_of_the_same_kind_everywhere()
    {
        await using var source = Server.CreateSource(Server.With($"Maximum Pool Size=1;{Server.ConnectTimeout}=1"));
        await using (await Mode.Open(source))
        {
            var error = await Assert.ThrowsAnyAsync<DbException>(() => Mode.Open(source));
            Assert.True(error.IsTransient);
            Assert.Equal(("TooManyConnections", "NotSent"), (Told("Kind"), Told("RetrySafety")));

            string? Told(string property) => error.GetType().GetProperty(property)?.GetValue(error)?.ToString();
        }

        await using var again = await Mode.Open(source);
        await StillUsable(again);
    }

    [Fact]
    public async Task A_violated_key_has_its_state()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE keyed (id int PRIMARY KEY)");
        await Execute(connection, "INSERT INTO keyed VALUES (1)");
        var error = await Assert.ThrowsAnyAsync<DbException>(() => Execute(connection, "INSERT INTO keyed VALUES (@id)", ("@id", 1)));
        Assert.Equal(Server.UniqueViolation, error.SqlState);
        Assert.False(error.IsTransient);
        Assert.Equal(1, await Number(connection, "SELECT COUNT(*) FROM keyed"));
    }

    [Fact]
    public async Task A_deadlock_is_transient()
    {
        await using var table = await CreateTable("id int PRIMARY KEY, value int");
        await using var one = await Open();
        await using var other = await Open();
        await Execute(one, $"INSERT INTO {table} VALUES (1, 0), (2, 0)");
        await using var first = await Mode.Begin(one);
        await using var second = await Mode.Begin(other);
        await ExecuteIn(first, $"UPDATE {table} SET value = 1 WHERE id = 1");
        await ExecuteIn(second, $"UPDATE {table} SET value = 2 WHERE id = 2");
        var crossing = Task.Run(() => ExecuteIn(first, $"UPDATE {table} SET value = 1 WHERE id = 2"));
        var error = await Assert.ThrowsAnyAsync<DbException>(async () =>
        {
            await ExecuteIn(second, $"UPDATE {table} SET value = 2 WHERE id = 1");
            await Mode.Rollback(second);
            await crossing;
        });
        Assert.True(error.IsTransient, error.Message);
        Assert.StartsWith("40", error.SqlState);
        if (second.Connection is not null)
            await Mode.Rollback(second);
        await Record.ExceptionAsync(() => crossing);
        await Mode.Rollback(first);
        await StillUsable(one);
        await StillUsable(other);
    }

    [Fact]
    public async Task An_error_in_the_middle_of_a_result_is_thrown_by_Read()
    {
        await using var connection = await Open();
        await using var table = await CreateTable("id int");
        await Execute(connection, $"INSERT INTO {table} VALUES (1), (2)");
        // The subquery returns one row for the first row, and two for the second row, where only one is allowed.
        await using var command = Command(connection, $"SELECT id, (SELECT a.id FROM {table} a WHERE b.id = 2 OR a.id = 1) FROM {table} b ORDER BY id");
        await Assert.ThrowsAnyAsync<DbException>(async () =>
        {
            await using var reader = await Mode.Reader(command);
            while (await Mode.Read(reader))
                ;
        });
        await StillUsable(connection);
    }
}
