using System.Collections;
using System.Collections.Immutable;
using System.Collections.Specialized;
using System.Net;
using System.Net.NetworkInformation;
using Slipstream.Lab;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.PostgreSql;

/// <summary>
/// Values of the types that converters read, at their boundaries: read by executions that receive text and by executions that receive the binary format, and
/// sent back to the server.
/// </summary>
public class ConvertedTypeTests
{
    protected virtual ServerKind Kind => ServerKind.PostgreSql;

    [Fact]
    public async Task Network_addresses()
    {
        await using var connection = await OpenAsync();
        Check(connection, "inet", "'192.168.1.5'", IPAddress.Parse("192.168.1.5"));
        Check(connection, "inet", "'::'", IPAddress.IPv6Any);
        Check(connection, "inet", "'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'", IPAddress.Parse("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));
        Check(connection, "inet", "'::ffff:1.2.3.4'", IPAddress.Parse("::ffff:1.2.3.4"));
        Reads(connection, "'192.168.1.5/24'::inet", IPAddress.Parse("192.168.1.5"));
        Other(connection, "inet", "'0.0.0.0/0'", new PgInet("0.0.0.0/0"));
        Other(connection, "inet", "'255.255.255.255/31'", new PgInet("255.255.255.255/31"));
        Other(connection, "inet", "'1.2.3.4'", new PgInet("1.2.3.4"));
        Other(connection, "inet", "'::1/64'", new PgInet("::1/64"));
        Other(connection, "inet", "'1.2.3.4/24'", (IPAddress.Parse("1.2.3.4"), 24));
        Check(connection, "cidr", "'10.0.0.0/8'", IPNetwork.Parse("10.0.0.0/8"));
        Check(connection, "cidr", "'1.2.3.4/32'", IPNetwork.Parse("1.2.3.4/32"));
        Check(connection, "cidr", "'2001:db8::/32'", IPNetwork.Parse("2001:db8::/32"));
        Other(connection, "cidr", "'0.0.0.0/0'", new PgCidr("0.0.0.0/0"));
        Check(connection, "macaddr", "'08:00:2b:01:02:ff'", PhysicalAddress.Parse("08002B0102FF"));
        Check(connection, "macaddr8", "'08:00:2b:01:02:03:04:ff'", PhysicalAddress.Parse("08002B01020304FF"));
        Reads(connection, "array['1.2.3.4'::inet, null]", new[] { IPAddress.Parse("1.2.3.4"), null });
        Reads(connection, "array['10.0.0.0/8'::cidr]", new[] { IPNetwork.Parse("10.0.0.0/8") });
        Reads(connection, "array['1.2.3.4/8'::inet, null]", new PgInet?[] { new("1.2.3.4/8"), null });
    }

    [Fact]
    public async Task Bit_strings()
    {
        await using var connection = await OpenAsync();
        Check(connection, "varbit", "''", new BitArray(0));
        Check(connection, "varbit", "'1'", new BitArray([true]));
        Check(connection, "varbit", "'10000000'", new BitArray([true, false, false, false, false, false, false, false]));
        Check(connection, "varbit", "'100000001'", new BitArray([true, false, false, false, false, false, false, false, true]));
        Reads(connection, "'101'::bit(3)", new BitArray([true, false, true]));
        Reads(connection, "'1'::bit(1)", new BitArray([true]));
        Other(connection, "varbit", "'0110'", "0110");
        Other(connection, "varbit", "'1'", true);
        Other(connection, "varbit", "'10000000000000000000000000000001'", new BitVector32(unchecked((int)0x8000_0001)));
        Reads(connection, "'101'::bit(3)", new BitVector32(unchecked((int)0xA000_0000)));
        Value(connection, "'1'::bit(1)", true);
        Value(connection, "'0'::bit", false);
        Value(connection, "'101'::bit(3)", new BitArray([true, false, true]));
        Value(connection, "array['1','0']::bit(1)[]", new[] { true, false });
        Value(connection, "array['11','00']::bit(2)[]", new[] { new BitArray([true, true]), new BitArray([false, false]) });
        Value(connection, "'1'::varbit(1)", new BitArray([true]));
    }

    [Fact]
    public async Task Money_and_intervals()
    {
        await using var connection = await OpenAsync();
        Check(connection, "money", "'0'", 0m);
        Check(connection, "money", "'-1234.56'", -1234.56m);
        Check(connection, "money", "'92233720368547758.07'", 92233720368547758.07m);
        Check(connection, "money", "'-92233720368547758.08'", -92233720368547758.08m);
        Other(connection, "interval", "'1 year 2 mons -3 days 04:05:06.000001'", new PgInterval(14, -3, 14706000001));
        Other(connection, "interval", "'0'", default(PgInterval));
        Other(connection, "interval", "'2147483647 days'", new PgInterval(0, int.MaxValue, 0));
        Other(connection, "interval", "'-178956970 years -8 mons'", new PgInterval(int.MinValue, 0, 0));
        Other(connection, "interval", "'2562047788:00:54.775807'", new PgInterval(0, 0, long.MaxValue));
        Other(connection, "interval", "'-2562047788:00:54.775807'", new PgInterval(0, 0, -long.MaxValue));
        if (Kind == ServerKind.PostgreSql18)
        {
            Other(connection, "interval", "'infinity'", new PgInterval(int.MaxValue, int.MaxValue, long.MaxValue));
            Other(connection, "interval", "'-infinity'", new PgInterval(int.MinValue, int.MinValue, long.MinValue));
        }
    }

    [Fact]
    public async Task Geometry()
    {
        await using var connection = await OpenAsync();
        Check(connection, "point", "'(1.5,-2)'", new PgPoint(1.5, -2));
        Check(connection, "point", "'(-Infinity,1e300)'", new PgPoint(double.NegativeInfinity, 1e300));
        Check(connection, "point", "'(0.1,5e-324)'", new PgPoint(0.1, double.Epsilon));
        Check(connection, "line", "'{1,-0.5,3}'", new PgLine(1, -0.5, 3));
        Check(connection, "lseg", "'[(1,2),(3,4)]'", new PgLSeg(1, 2, 3, 4));
        Check(connection, "box", "'(1,2),(3,4)'", new PgBox(4, 3, 2, 1));
        Check(connection, "path", "'[(1,2),(3,4)]'", new PgPath([new(1, 2), new(3, 4)], open: true));
        Check(connection, "path", "'((1,2))'", new PgPath(new PgPoint(1, 2)));
        Check(connection, "polygon", "'((1,2),(3,4),(5,6))'", new PgPolygon(new(1, 2), new(3, 4), new(5, 6)));
        Check(connection, "circle", "'<(1,2),3>'", new PgCircle(1, 2, 3));
        Check(connection, "cube", "'(1.5)'", new PgCube(1.5));
        Check(connection, "cube", "'(1,2),(3,4)'", new PgCube([1.0, 2], [3.0, 4]));
        Check(connection, "cube", "cube_enlarge(cube(array[1.0, 2.0]), 1, 4)", new PgCube([0.0, 1, -1, -1], [2.0, 3, 1, 1]));
        Check(connection, "cube", "'()'", new PgCube([]));
        Check(connection, "cube", "cube(array_fill(0.5, array[100]))", new PgCube(Enumerable.Repeat(0.5, 100)));
        Reads(connection, "array['(1,2)'::point, null]", new PgPoint?[] { new(1, 2), null });
        Reads(connection, "array['(1,2),(3,4)'::box, '(5,6),(7,8)']", new[] { new PgBox(4, 3, 2, 1), new PgBox(8, 7, 6, 5) });
    }

    [Fact]
    public async Task Text_search()
    {
        await using var connection = await OpenAsync();
        Check(connection, "tsvector", "''", PgTsVector.Empty);
        Check(connection, "tsvector", "'b:2A,1 a ''it''''s'':16383B,99999C é:3'", PgTsVector.Parse("b:2A,1 a 'it''s':16383B,99999C é:3"));
        Check(connection, "tsvector", "to_tsvector('english', 'The fat cats sat on a mat')", PgTsVector.Parse("fat:2 cat:3 sat:4 mat:7"));
        Query("'a'", "a");
        Query("'a:*ABCD & !(b | c <-> d <16384> e)'", "a:*ABCD & !(b | c <-> d <16384> e)");
        Query("'a <-> (b <-> c)'", "a <-> (b <-> c)");
        Query("'!!a & ''it''''s'''", "!!a & 'it''s'");
        Other(connection, "tsquery", "'a | b'", new PgTsQueryOr(new PgTsQueryLexeme("a"), new PgTsQueryLexeme("b")));
        Value(connection, "''::tsquery", new PgTsQueryEmpty());

        void Query(string expression, string query) => Other(connection, "tsquery", expression, PgTsQuery.Parse(query));
    }

    [Fact]
    public async Task Identifiers()
    {
        await using var connection = await OpenAsync();
        Check(connection, "pg_lsn", "'0/0'", PgLogSequenceNumber.Invalid);
        Check(connection, "pg_lsn", "'FFFFFFFF/FFFFFFFF'", new PgLogSequenceNumber(ulong.MaxValue));
        Other(connection, "pg_lsn", "'16/B374D848'", 0x16_B374D848UL);
        Check(connection, "tid", "'(4294967295,65535)'", new PgTid(uint.MaxValue, ushort.MaxValue));
        Check(connection, "tid", "'(0,1)'", new PgTid(0, 1));
        Check(connection, "xid8", "'18446744073709551615'", ulong.MaxValue);
        Check(connection, "xid8", "'0'", 0UL);
        Check(connection, "int2vector", "'-32768 0 32767'", new short[] { short.MinValue, 0, short.MaxValue });
        // The server's binary input of int2vector and oidvector refuses a vector without elements.
        Value(connection, "''::int2vector", Array.Empty<short>());
        Check(connection, "oidvector", "'0 4294967295'", new uint[] { 0, uint.MaxValue });
    }

    [Fact]
    public async Task Texts_and_dictionaries()
    {
        await using var connection = await OpenAsync();
        Check(connection, "ltree", "'a.b.c_1'", "a.b.c_1");
        Check(connection, "ltree", "''", "");
        Check(connection, "lquery", "'a.*{1,2}.b|c'", "a.*{1,2}.b|c");
        Check(connection, "ltxtquery", "'a & b'", "a & b");
        Check(connection, "jsonpath", "'$.a[*] ? (@ > 1)'", "$.\"a\"[*]?(@ > 1)");
        Check(connection, "citext", "'Größe'", "Größe");
        Check(connection, "hstore", "''", new Dictionary<string, string?>());
        Dictionary<string, string?> pairs = new() { ["a"] = "1", [""] = "", ["q\"\\"] = "\\\"", ["n"] = null, ["é"] = "NULL" };
        const string expression = "hstore(array['a', '', 'q\"\\', 'n', 'é'], array['1', '', '\\\"', null, 'NULL'])";
        Check(connection, "hstore", expression, pairs);
        Other(connection, "hstore", expression, pairs.ToImmutableDictionary());
        Reads<IDictionary<string, string?>>(connection, expression, pairs);
        Sends(connection, "hstore", expression, new SortedDictionary<string, string?>(pairs));
        Reads(connection, "array['a=>1'::hstore]", new[] { new Dictionary<string, string?> { ["a"] = "1" } });
    }

    [Fact]
    public async Task Columns_of_such_types_have_their_PgDbType()
    {
        await using var connection = await OpenAsync();
        await using var command = new PgCommand("SELECT 'a=>1'::hstore, array['a=>1'::hstore], 'a'::citext, 'a.b'::ltree", connection);
        await using var reader = command.ExecuteReader();
        Assert.Equal(
            [PgDbType.Hstore, PgDbType.Hstore | PgDbType.Array, PgDbType.Citext, PgDbType.LTree],
            reader.GetColumnSchema().Select(static column => column.PgDbType));
    }

    // Reads the value as its default type and sends it.
    private static void Check<T>(PgConnection connection, string type, string expression, T value)
        where T : notnull
    {
        Value(connection, $"({expression})::{type}", value);
        Other(connection, type, expression, value);
    }

    private static void Value(PgConnection connection, string expression, object value)
    {
        for (var execution = 0; execution < 4; execution++)
        {
            using var command = new PgCommand("SELECT " + expression, connection);
            if (execution == 2)
                command.Prepare();
            using var reader = command.ExecuteReader();
            Assert.True(reader.Read());
            Assert.Equal(value, reader.GetValue(0));
            Assert.True(reader.GetFieldType(0).IsInstanceOfType(value));
        }
    }

    private static void Other<T>(PgConnection connection, string type, string expression, T value)
        where T : notnull
    {
        Reads(connection, $"({expression})::{type}", value);
        Sends(connection, type, expression, value);
    }

    // Text, binary, and prepared.
    private static void Reads<T>(PgConnection connection, string expression, T value)
    {
        for (var execution = 0; execution < 4; execution++)
        {
            using var command = new PgCommand("SELECT " + expression, connection);
            if (execution == 2)
                command.Prepare();
            using var reader = command.ExecuteReader();
            Assert.True(reader.Read());
            Assert.Equal(value, reader.GetFieldValue<T>(0));
        }
    }

    private static void Sends<T>(PgConnection connection, string type, string expression, T value)
        where T : notnull
    {
        for (var execution = 0; execution < 4; execution++)
        {
            using var command = new PgCommand($"SELECT $1::text, ({expression})::{type}::text", connection);
            var parameter = execution % 2 == 0 ? new PgParameter { Value = value } : new PgParameter<T> { TypedValue = value };
            parameter.DataTypeName = type;
            command.Parameters.Add(parameter);
            if (execution == 2)
                command.Prepare();
            using var reader = command.ExecuteReader();
            Assert.True(reader.Read());
            Assert.Equal(reader.GetString(1), reader.GetString(0));
        }
    }

    private async Task<PgConnection> OpenAsync()
    {
        var server = await LiveServers.GetAsync(Kind);
        var options = ConnectionStrings.PostgreSql(server, "");
        await using (var first = new PgConnection(options))
        {
            await first.OpenAsync(TestContext.Current.CancellationToken);
            foreach (var extension in new[] { "hstore", "ltree", "cube", "citext" })
            {
                await using var create = new PgCommand($"CREATE EXTENSION IF NOT EXISTS {extension}", first);
                await create.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
            }

            await first.ReloadTypesAsync(TestContext.Current.CancellationToken);
        }

        var connection = new PgConnection(options);
        await connection.OpenAsync(TestContext.Current.CancellationToken);
        await using var currency = new PgCommand("SET lc_monetary = 'C'", connection);
        await currency.ExecuteNonQueryAsync(TestContext.Current.CancellationToken);
        return connection;
    }

    // The type was changed after the program was written: only its values cannot be used.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_mapping_that_does_not_fit_its_type_leaves_the_connection_usable(bool prepares)
    {
        var builder = new PgDataSourceBuilder(ConnectionStrings.PostgreSql(await LiveServers.GetAsync(Kind), "Maximum Pool Size=1"));
        builder.MapComposite<Misfit>("misfit.wider");
        builder.MapComposite<Narrow>("misfit.label");
        await using var source = builder.Build();
        await using var connection = source.OpenConnection();
        Execute("DROP SCHEMA IF EXISTS misfit CASCADE; CREATE SCHEMA misfit; CREATE TYPE misfit.wider AS (id int, added int); "
            + "CREATE TYPE misfit.label AS ENUM ('a')");
        connection.ReloadTypes();
        await using var transaction = connection.BeginTransaction();
        foreach (var value in new[] { "(1, 2)::misfit.wider", "array[(1, 2)::misfit.wider]", "'a'::misfit.label" })
        {
            using var command = new PgCommand($"SELECT 7, {value}", connection);
            if (prepares)
                command.Prepare();
            using var reader = command.ExecuteReader();
            Assert.True(reader.Read());
            Assert.Equal(7, reader.GetInt32(0));
            Assert.Contains("cannot be mapped", Assert.Throws<InvalidOperationException>(() => reader.GetValue(1)).Message);
            if (!value.StartsWith("array", StringComparison.Ordinal))
            {
                Assert.Throws<InvalidOperationException>(() => reader.GetFieldValue<Misfit>(1));
                Assert.Throws<InvalidOperationException>(() => reader.GetFieldValue<object>(1));
            }
        }

        using (var sending = new PgCommand("SELECT $1", connection) { Parameters = { new() { Value = new Misfit() } } })
            Assert.Throws<InvalidOperationException>(() => sending.ExecuteScalar());
        Execute("DROP SCHEMA misfit CASCADE");
        transaction.Commit();

        void Execute(string sql)
        {
            using var command = new PgCommand(sql, connection);
            command.ExecuteNonQuery();
        }
    }

    private sealed class Misfit
    {
        public int Id { get; set; }
    }

    private sealed class Narrow
    {
        public string A { get; set; } = "";
    }
}
