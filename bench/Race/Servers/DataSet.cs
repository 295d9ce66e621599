using System.Globalization;
using System.Text;
using Slipstream.Lab;
using Slipstream.Race.Raw;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Servers;

/// <summary>The race's tables, created once per server by the raw floor's client, and marked. They have the same bytes on every machine.</summary>
internal static class DataSet
{
    public const string Database = "race";

    // Increase it when the tables change. An older data set is then dropped and created again.
    private const int Revision = 3;

    private const int RowsPerInsert = 1_000;
    private const int Seed = 20080527;

    private static readonly string[] Tables =
    [
        "race_revision", "integers", "blobs", "largeblob", "fortune", "typed", "test", "copied", "exported", "integer_array", "document",
    ];

    public static void Ensure(Track track, string labDatabase)
    {
        CreateDatabase(track with { Database = labDatabase });
        using var client = RawClient.Connect(track);
        if (IsThere(client, track.Dialect))
            return;

        foreach (var table in Tables)
            client.Execute("drop table if exists " + table);
        foreach (var statement in track.Dialect is Dialect.PostgreSql ? PostgreSqlTables() : MySqlTables())
            client.Execute(statement);
        client.Execute("insert into integers values (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)");
        client.Execute($"insert into blobs ({Quoted(track)}) values (null),({Hex(75_000, track)}),({Hex(150_000, track)})");
        client.Execute("insert into fortune (message) values " + string.Join(",", FortuneTexts.All.Select(text => "('" + text.Replace("'", "''") + "')")));
        for (var first = 1; first <= Statements.TypedCount; first += RowsPerInsert)
            client.Execute(TypedRows(first));
        client.Execute(track.Dialect is Dialect.PostgreSql ? "analyze" : "analyze table integers, blobs, largeblob, fortune, typed");
        client.Execute($"insert into race_revision values ({Revision})");
    }

    private static void CreateDatabase(Track track)
    {
        using var client = RawClient.Connect(track);
        if (track.Dialect is Dialect.MySql)
            client.Execute("create database if not exists race character set utf8mb4");
        else if (client.Scalar(client.Statement("select count(*)::int4 from pg_database where datname = 'race'", prepare: false)) is not 1)
            client.Execute("create database race");
    }

    private static bool IsThere(RawClient client, Dialect dialect)
    {
        var schema = dialect is Dialect.PostgreSql ? "'public'" : "database()";
        var count = $"select cast(count(*) as {(dialect is Dialect.PostgreSql ? "int" : "signed")}) from information_schema.tables " +
            $"where table_schema = {schema} and table_name = 'race_revision'";
        return client.Scalar(client.Statement(count, prepare: false)) is 1
            && client.Scalar(client.Statement("select max(revision) from race_revision", prepare: false)) is Revision;
    }

    private static IEnumerable<string> MySqlTables() =>
    [
        "create table race_revision (revision int not null)",
        "create table integers (value int not null primary key)",
        "create table blobs (rowid int not null primary key auto_increment, `Blob` longblob null)",
        "create table fortune (id int not null primary key auto_increment, message varchar(2048) not null) character set utf8mb4",
        "create table typed (id int primary key, b bigint, d double, m decimal(20,6), t datetime(6), s varchar(50))",
        "create table test (a int, b int, c int)",
        "create table largeblob (content longblob not null)",
        $"insert into largeblob values (repeat('Slipstream race.', {Statements.LargeBlobLength / 16}))",
    ];

    private static IEnumerable<string> PostgreSqlTables() =>
    [
        "create table race_revision (revision int not null)",
        "create table integers (value int not null primary key)",
        "create table blobs (rowid serial primary key, \"Blob\" bytea null)",
        "create table fortune (id serial primary key, message varchar(2048) not null)",
        "create table typed (id int primary key, b bigint, d double precision, m numeric(20,6), t timestamp(6), s varchar(50))",
        "create table test (a int, b int, c int)",
        "create table largeblob (content bytea not null)",
        // The stored size equals the size on the wire, so that no scenario measures the server's decompression.
        "alter table blobs alter column \"Blob\" set storage external",
        "alter table largeblob alter column content set storage external",
        $"insert into largeblob values (convert_to(repeat('Slipstream race.', {Statements.LargeBlobLength / 16}), 'UTF8'))",
        $"create unlogged table {CopiedRows.Table} {CopiedRows.Columns}",
        // Not unlogged: after a crash, a server empties such tables.
        $"create table {CopyExport.Source} {CopiedRows.Columns}",
        CopiedRows.Fill(CopyExport.Source, Catalogue.CopiedRowCount),
        "create table integer_array (value int[] not null)",
        "alter table integer_array alter column value set storage external",
        $"insert into integer_array select array_agg(i) from generate_series(1, {IntegerArray.Length}) as i",
        "create table document (value jsonb not null)",
        "alter table document alter column value set storage external",
        $"insert into document values ('{Order.Text.Replace("'", "''")}')",
    ];

    private static string Quoted(Track track) => track.Dialect is Dialect.PostgreSql ? "\"Blob\"" : "`Blob`";

    private static string Hex(int length, Track track)
    {
        var bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        return track.Dialect is Dialect.PostgreSql ? "'\\x" + Convert.ToHexStringLower(bytes) + "'" : "x'" + Convert.ToHexStringLower(bytes) + "'";
    }

    private static string TypedRows(int first)
    {
        var random = new Random(Seed + first);
        var start = new DateTime(2000, 1, 1);
        var text = new StringBuilder("insert into typed values ");
        for (var id = first; id < first + RowsPerInsert; id++)
        {
            var time = start.AddTicks(random.NextInt64(TimeSpan.TicksPerDay * 9_000) / 10 * 10);
            text.Append(id == first ? "" : ",").Append(CultureInfo.InvariantCulture,
                $"({id},{random.NextInt64()},{random.NextDouble() * 1e6:R},{random.NextInt64(1_000_000_000_000)}.{random.Next(1_000_000):D6}," +
                $"'{time:yyyy-MM-dd HH:mm:ss.ffffff}','{Word(random)}')");
        }

        return text.ToString();
    }

    private static string Word(Random random)
    {
        Span<char> letters = stackalloc char[random.Next(10, 40)];
        foreach (ref var letter in letters)
            letter = (char)random.Next('a', 'z' + 1);
        return letters.ToString();
    }
}
