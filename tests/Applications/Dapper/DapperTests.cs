using System.Data;
using System.Data.Common;
using Dapper;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.WithDapper;

/// <summary>Typical uses of Dapper on every server: the same code, the same answers.</summary>
public class DapperTests
{
    public static TheoryData<ServerKind> Servers =>
        [ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11, ServerKind.PostgreSql, ServerKind.PostgreSql18];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Rows_become_objects_buffered_and_one_by_one(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await FillAsync(connection);
        var buffered =
            connection.Query<Person>("SELECT id AS Id, name AS Name, born AS Born, score AS Score, active AS Active FROM person ORDER BY id").AsList();
        Assert.Equal(People, buffered);
        Assert.Equal(
            People,
            connection.Query<Person>("SELECT id AS Id, name AS Name, born AS Born, score AS Score, active AS Active FROM person ORDER BY id", buffered: false));
        Assert.Equal(
            People,
            await connection.QueryAsync<Person>("SELECT id AS Id, name AS Name, born AS Born, score AS Score, active AS Active FROM person ORDER BY id"));
        var streamed = new List<Person>();
        await foreach (var person in connection.QueryUnbufferedAsync<Person>(
            "SELECT id AS Id, name AS Name, born AS Born, score AS Score, active AS Active FROM person ORDER BY id"))
            streamed.Add(person);
        Assert.Equal(People, streamed);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task An_enumeration_that_is_left_early_leaves_the_connection_usable(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await FillAsync(connection);
        Assert.Equal("Ada", connection.Query<string>("SELECT name FROM person ORDER BY id", buffered: false).First());
        await foreach (var name in connection.QueryUnbufferedAsync<string>("SELECT name FROM person ORDER BY id"))
        {
            Assert.Equal("Ada", name);
            break;
        }

        Assert.Equal(3, await connection.ExecuteScalarAsync<int>("SELECT COUNT(*) FROM person"));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Single_first_and_default(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await FillAsync(connection);
        Assert.Equal("Bob", await connection.QuerySingleAsync<string>("SELECT name FROM person WHERE id = @id", new { id = 2 }));
        Assert.Equal("Ada", connection.QueryFirst<string>("SELECT name FROM person ORDER BY id"));
        Assert.Null(await connection.QuerySingleOrDefaultAsync<string>("SELECT name FROM person WHERE id = @id", new { id = 99 }));
        Assert.Throws<InvalidOperationException>(() => connection.QuerySingle<string>("SELECT name FROM person"));
        Assert.Equal(3, connection.ExecuteScalar<int>("SELECT COUNT(*) FROM person"));
        var row = connection.QuerySingle("SELECT id, name, score FROM person WHERE id = 3");
        Assert.Equal((3, "Cy", null), ((int)row.id, (string)row.name, (decimal?)row.score));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_list_of_parameters_runs_the_statement_for_each(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await CreateAsync(connection);
        Assert.Equal(3, await connection.ExecuteAsync("INSERT INTO person VALUES (@Id, @Name, @Born, @Score, @Active)", People));
        Assert.Equal(
            2,
            connection.Execute("UPDATE person SET active = @active WHERE id = @id", new[] { new { id = 1, active = false }, new { id = 2, active = true } }));
        Assert.Equal([false, true, false], connection.Query<bool>("SELECT active FROM person ORDER BY id"));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Lists_literals_and_dynamic_parameters(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await FillAsync(connection);
        var parameters = new DynamicParameters(new { low = 1 });
        parameters.Add("high", 2, DbType.Int32);
        Assert.Equal(["Ada", "Bob"], connection.Query<string>("SELECT name FROM person WHERE id >= @low AND id <= @high ORDER BY id", parameters));
        if (!kind.IsPostgreSql())
        {
            Assert.Equal(["Ada", "Cy"], connection.Query<string>("SELECT name FROM person WHERE id IN @ids ORDER BY id", new { ids = new[] { 1, 3 } }));
            Assert.Empty(connection.Query<string>("SELECT name FROM person WHERE id IN @ids", new { ids = Array.Empty<int>() }));
        }

        Assert.Equal("Bob", connection.QuerySingle<string>("SELECT name FROM person WHERE id = {=id}", new { id = 2 }));
        Assert.Equal(
            "it's \\ \"quoted\" 😀",
            connection.QuerySingle<string>("SELECT @text", new { text = new DbString { Value = "it's \\ \"quoted\" 😀", Length = 100 } }).TrimEnd());
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Several_objects_of_one_row_and_several_results_of_one_command(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await FillAsync(connection);
        var pairs = connection.Query<Person, Note, (string, string)>(
            "SELECT p.id AS Id, p.name AS Name, p.born AS Born, p.score AS Score, p.active AS Active, 7 AS NoteId, 'seven' AS Text FROM person p WHERE p.id = "
                + "1",
            (person, note) => (person.Name, note.Text), splitOn: "NoteId").ToArray();
        Assert.Equal([("Ada", "seven")], pairs);

        await using var results = await connection.QueryMultipleAsync(
            "SELECT COUNT(*) FROM person; SELECT name FROM person ORDER BY id; SELECT id AS Id, name AS Name, born AS Born, score AS Score, active AS Active "
                + "FROM person WHERE id = @id",
            new { id = 2 });
        Assert.Equal(3, await results.ReadSingleAsync<int>());
        Assert.Equal(["Ada", "Bob", "Cy"], await results.ReadAsync<string>());
        Assert.Equal(People[1], await results.ReadSingleAsync<Person>());
        Assert.True(results.IsConsumed);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_transaction_holds_commands_together(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await FillAsync(connection);
        await using (var transaction = await connection.BeginTransactionAsync())
        {
            Assert.Equal(3, await connection.ExecuteAsync("DELETE FROM person", transaction: transaction));
            Assert.Equal(0, await connection.ExecuteScalarAsync<int>("SELECT COUNT(*) FROM person", transaction: transaction));
            await transaction.RollbackAsync();
        }

        Assert.Equal(3, await connection.ExecuteScalarAsync<int>("SELECT COUNT(*) FROM person"));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task Values_go_in_and_come_out_as_they_were(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        var isPostgreSql = kind.IsPostgreSql();
        await connection.ExecuteAsync(isPostgreSql
            ? "CREATE TEMPORARY TABLE kinds (i8 bigint, f8 double precision, d numeric(30,10), s text, b bytea, at timestamp, t time, g uuid, e int, day "
                + "date, flag boolean)"
            : "CREATE TEMPORARY TABLE kinds (i8 bigint, f8 double, d decimal(30,10), s text, b longblob, at datetime(6), t time(6), g char(36), e int, day "
                + "date, flag tinyint(1))");
        var sent = new Kinds
        {
            I8 = long.MinValue, F8 = Math.PI, D = 12345678901234567890.0123456789m, S = "naïve 😀", B = [0, 1, 255],
            At = new DateTime(2026, 11, 21, 1, 2, 3).AddMicroseconds(456_789),
            T = new TimeSpan(0, 23, 59, 58, 123), G = Guid.Parse("0f8fad5b-d9cb-469f-a165-70867728950e"), E = Colour.Green, Day = new DateOnly(2026, 2, 28),
            Flag = true,
        };
        const string Columns = "i8 AS I8, f8 AS F8, d AS D, s AS S, b AS B, at AS At, t AS T, g AS G, e AS E, day AS Day, flag AS Flag";
        for (var use = 0; use < 4; use++)
        {
            await connection.ExecuteAsync("DELETE FROM kinds");
            await connection.ExecuteAsync("INSERT INTO kinds VALUES (@I8, @F8, @D, @S, @B, @At, @T, @G, @E, @Day, @Flag)", sent);
            var got = await connection.QuerySingleAsync<Kinds>($"SELECT {Columns} FROM kinds");
            Assert.Equivalent(sent, got, strict: true);
            Assert.Equal(new TimeOnly(23, 59, 58, 123), await connection.QuerySingleAsync<TimeOnly>("SELECT t FROM kinds"));
        }

        await connection.ExecuteAsync("DELETE FROM kinds");
        await connection.ExecuteAsync("INSERT INTO kinds VALUES (@I8, @F8, @D, @S, @B, @At, @T, @G, @E, @Day, @Flag)", new Kinds());
        Assert.Equivalent(new Kinds(), await connection.QuerySingleAsync<Kinds>($"SELECT {Columns} FROM kinds"), strict: true);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_type_handler_translates_both_ways(ServerKind kind)
    {
        SqlMapper.AddTypeHandler(new TagsHandler());
        await using var connection = await OpenAsync(kind);
        await connection.ExecuteAsync("CREATE TEMPORARY TABLE tagged (tags varchar(100))");
        await connection.ExecuteAsync("INSERT INTO tagged VALUES (@tags)", new { tags = new Tags(["a", "b"]) });
        Assert.Equal(["a", "b"], (await connection.QuerySingleAsync<Tags>("SELECT tags FROM tagged")).Words);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_closed_connection_is_opened_for_the_call_alone(ServerKind kind)
    {
        await using var connection = Create(await LiveServers.GetAsync(kind));
        Assert.Equal(5, await connection.QuerySingleAsync<int>("SELECT 5"));
        Assert.Equal(ConnectionState.Closed, connection.State);
        Assert.Equal(6, connection.QuerySingle<int>("SELECT 6"));
        Assert.Equal(ConnectionState.Closed, connection.State);
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_cancelled_token_and_a_time_limit_end_the_call(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        var sleep = kind.IsPostgreSql() ? "SELECT pg_sleep(20)" : "SELECT SLEEP(20)";
        using var soon = new CancellationTokenSource(100);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connection.ExecuteAsync(new CommandDefinition(sleep, cancellationToken: soon.Token)));
        await Assert.ThrowsAnyAsync<DbException>(() => connection.ExecuteAsync(sleep, commandTimeout: 1));
        Assert.Equal(1, await connection.ExecuteScalarAsync<int>("SELECT 1"));
    }

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task A_reader_is_handed_out_whole(ServerKind kind)
    {
        await using var connection = await OpenAsync(kind);
        await FillAsync(connection);
        var table = new DataTable();
        await using (var reader = await connection.ExecuteReaderAsync("SELECT id, name FROM person ORDER BY id"))
            table.Load(reader);
        Assert.Equal(["Ada", "Bob", "Cy"], table.Rows.Cast<DataRow>().Select(row => (string)row["name"]));
        await using var again =
            await connection.ExecuteReaderAsync("SELECT id AS Id, name AS Name, born AS Born, score AS Score, active AS Active FROM person ORDER BY id");
        var parse = again.GetRowParser<Person>();
        Assert.True(await again.ReadAsync());
        Assert.Equal(People[0], parse(again));
    }

    private static Person[] People { get; } =
    [
        new() { Id = 1, Name = "Ada", Born = new DateTime(1815, 12, 10), Score = 9.5m, Active = true },
        new() { Id = 2, Name = "Bob", Born = new DateTime(1990, 1, 1), Score = 1.25m, Active = false },
        new() { Id = 3, Name = "Cy", Born = null, Score = null, Active = false },
    ];

    private static DbConnection Create(LabServer server) => server.Kind.IsPostgreSql()
        ? new PgConnection(
            $"Host={server.Host};Port={server.Port};Username={server.User};Password={server.Password};Database={server.Database};SSL Mode=Disable")
        : new MySqlConnection(
            $"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};Database={server.Database};SSL Mode=None;Allow Public "
                + "Key Retrieval=true");

    private static async Task<DbConnection> OpenAsync(ServerKind kind)
    {
        var connection = Create(await LiveServers.GetAsync(kind));
        await connection.OpenAsync();
        return connection;
    }

    private static Task<int> CreateAsync(DbConnection connection) => connection.ExecuteAsync(connection is PgConnection
        ? "CREATE TEMPORARY TABLE person (id int PRIMARY KEY, name text, born timestamp, score numeric(8,2), active boolean)"
        : "CREATE TEMPORARY TABLE person (id int PRIMARY KEY, name varchar(50), born datetime, score decimal(8,2), active tinyint(1))");

    private static async Task FillAsync(DbConnection connection)
    {
        await CreateAsync(connection);
        await connection.ExecuteAsync("INSERT INTO person VALUES (@Id, @Name, @Born, @Score, @Active)", People);
    }

    private enum Colour
    {
        Red,
        Green,
    }

    private sealed record Person
    {
        public int Id { get; init; }

        public string Name { get; init; } = "";

        public DateTime? Born { get; init; }

        public decimal? Score { get; init; }

        public bool Active { get; init; }
    }

    private sealed record Note
    {
        public int NoteId { get; init; }

        public string Text { get; init; } = "";
    }

    private sealed class Kinds
    {
        public long? I8 { get; set; }

        public double? F8 { get; set; }

        public decimal? D { get; set; }

        public string? S { get; set; }

        public byte[]? B { get; set; }

        public DateTime? At { get; set; }

        public TimeSpan? T { get; set; }

        public Guid? G { get; set; }

        public Colour? E { get; set; }

        public DateOnly? Day { get; set; }

        public bool? Flag { get; set; }
    }

    private sealed record Tags(string[] Words);

    private sealed class TagsHandler : SqlMapper.TypeHandler<Tags>
    {
        public override void SetValue(IDbDataParameter parameter, Tags? value) => parameter.Value = string.Join(' ', value!.Words);

        public override Tags Parse(object value) => new(((string)value).Split(' '));
    }
}
