using System.Data;
using Dapper;

namespace Slipstream.Migrated;

public static class DapperCases
{
    public sealed class Person
    {
        public int Id { get; set; }

        public string? Name { get; set; }

        public DateTime? Born { get; set; }

        public bool Active { get; set; }

        public decimal Size { get; set; }

        public Guid Key { get; set; }

        public Level Level { get; set; }
    }

    public enum Level
    {
        Low = 1,
        High = 2,
    }

    private static MySqlConnection Opened(Trial t)
    {
        var c = t.Open();
        c.Execute("CREATE TABLE person (id INT PRIMARY KEY AUTO_INCREMENT, name VARCHAR(40), born DATETIME, active TINYINT(1), size DECIMAL(8,2), `key` "
            + "CHAR(36), level INT)");
        c.Execute(
            "INSERT INTO person (name, born, active, size, `key`, level) VALUES (@Name, @Born, @Active, @Size, @Key, @Level)",
            new[]
            {
                new Person { Name = "Ann", Born = new DateTime(2001, 2, 3), Active = true, Size = 1.75m,
                Key = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), Level = Level.High },
                new Person { Name = null, Born = null, Active = false, Size = 0, Key = Guid.Empty, Level = Level.Low },
            });
        return c;
    }

    public static void Objects(Trial t)
    {
        using var c = Opened(t);
        t.Say("all", c.Query<Person>("SELECT * FROM person ORDER BY id").Select(static p => $"{p.Id} {p.Name} {p.Born:s} {p.Active} {p.Size} {p.Key} "
            + $"{p.Level}"));
        t.Say("one", c.QuerySingle<Person>("SELECT * FROM person WHERE id = @id", new { id = 1 }).Name);
        t.Say("none", c.QueryFirstOrDefault<Person>("SELECT * FROM person WHERE id = @id", new { id = 9 }) is null);
        t.Say("scalar", c.ExecuteScalar<int>("SELECT COUNT(*) FROM person"));
        t.Say("dynamic", ((IDictionary<string,
            object>)c.QuerySingle("SELECT id, name, active FROM person WHERE id = 1")).Select(static pair => $"{pair.Key}={pair.Value} "
                + $"{pair.Value.GetType().Name}"));
        t.Say("in", c.Query<string>("SELECT name FROM person WHERE id IN @ids AND name IS NOT NULL", new { ids = new[] { 1, 2, 3 } }));
        t.Say("pairs", c.Query<(int, string)>("SELECT id, COALESCE(name, '-') FROM person ORDER BY id").Select(static pair => $"{pair}"));
        t.Try("more than one", () => c.QuerySingle<int>("SELECT id FROM person"));
    }

    public static void Several_results(Trial t)
    {
        using var c = Opened(t);
        using var many = c.QueryMultiple("SELECT COUNT(*) FROM person; SELECT name FROM person WHERE id = @id; SELECT * FROM person ORDER BY id",
            new { id = 1 });
        t.Say("first", many.ReadSingle<long>());
        t.Say("second", many.ReadSingle<string>());
        t.Say("third", many.Read<Person>().Count());
    }

    public static void A_procedure(Trial t)
    {
        using var c = Opened(t);
        c.Execute("CREATE PROCEDURE counted(IN least INT, OUT n INT, INOUT s VARCHAR(50)) BEGIN SELECT COUNT(*) INTO n FROM person WHERE id >= least; SET "
            + "s = CONCAT(s, '!'); SELECT * FROM person; END");
        var parameters = new DynamicParameters();
        parameters.Add("least", 2);
        parameters.Add("n", dbType: DbType.Int32, direction: ParameterDirection.Output);
        parameters.Add("s", "text", DbType.String, ParameterDirection.InputOutput, 50);
        t.Say("rows", c.Query<Person>("counted", parameters, commandType: CommandType.StoredProcedure).Count());
        t.Say("n", parameters.Get<int>("n"));
        t.Say("s", parameters.Get<string>("s"));
    }

    public static async Task Asynchronously(Trial t)
    {
        await using var c = Opened(t);
        t.Say("names", (await c.QueryAsync<string>("SELECT name FROM person ORDER BY id")).Select(static name => name ?? "-"));
        await using (var transaction = await c.BeginTransactionAsync())
        {
            t.Say("updated", await c.ExecuteAsync("UPDATE person SET size = @size WHERE id = @id", new { id = 1, size = 2.5m }, transaction));
            await transaction.RollbackAsync();
        }

        t.Say("size", await c.ExecuteScalarAsync<decimal>("SELECT size FROM person WHERE id = 1"));
        var seen = new List<int>();
        await foreach (var id in c.QueryUnbufferedAsync<int>("SELECT id FROM person ORDER BY id"))
            seen.Add(id);
        t.Say("unbuffered", seen);
        t.Say("key", await c.QuerySingleAsync<ulong>("INSERT INTO person (name) VALUES (@name); SELECT LAST_INSERT_ID()", new { name = "new" }));
    }

    public static void Opened_by_itself(Trial t)
    {
        using var c = new MySqlConnection(t.ConnectionString);
        t.Say("value", c.QuerySingle<string>("SELECT @a", new { a = new DbString { Value = "text", Length = 50, IsAnsi = true } }));
        t.Say("closed", c.State);
        t.Say("date", c.QuerySingle<DateTime>("SELECT @d", new { d = new DateTime(2024, 2, 29, 1, 2, 3) }));
        t.Say("bytes", c.QuerySingle<byte[]>("SELECT @b", new { b = new byte[] { 1, 2 } }));
        t.Say("null", c.QuerySingle<int?>("SELECT @n", new { n = (int?)null }));
        t.Say("long text", c.QuerySingle<int>("SELECT LENGTH(@s)", new { s = new string('x', 10000) }));
        t.Say("json", c.QuerySingle<string>("SELECT JSON_EXTRACT(@j, '$.a')", new { j = "{\"a\": 5}" }));
    }
}
