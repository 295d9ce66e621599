using System.Data;
using Slipstream.Contract;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>Bugs that Connector/NET had and fixed around 2008: none of them may occur here.</summary>
public class OldFaultTests
{
    public static TheoryData<ServerKind, bool, bool> Ways
    {
        get
        {
            var ways = new TheoryData<ServerKind, bool, bool>();
            foreach (var kind in (ServerKind[])[ServerKind.MySql, ServerKind.MariaDb, ServerKind.MariaDb11])
                foreach (var asynchronous in (bool[])[false, true])
                    foreach (var prepared in (bool[])[false, true])
                        ways.Add(kind, asynchronous, prepared);
            return ways;
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_bit_behind_a_null_has_its_own_value(ServerKind kind, bool asynchronous, bool prepared)
    {
        await using var at = await Place.OpenAsync(kind, asynchronous, prepared);
        await at.Run("CREATE TEMPORARY TABLE bits (id int, a bit(1), b bit(10) NULL, c bit(64), d bit(1) NULL)");
        await at.Run("INSERT INTO bits VALUES (1, 1, NULL, 18446744073709551615, NULL), (2, NULL, 513, NULL, 1), (3, 0, 0, 0, 0), (4, NULL, NULL, 7, 1)");
        Assert.Equal(
            [[1ul, null, ulong.MaxValue, null], [null, 513ul, null, 1ul], [0ul, 0ul, 0ul, 0ul], [null, null, 7ul, 1ul]],
            await at.Rows("SELECT a, b, c, d FROM bits ORDER BY id"));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_guid_column_may_hold_null(ServerKind kind, bool asynchronous, bool prepared)
    {
        var guid = new Guid("00112233-4455-6677-8899-aabbccddeeff");
        foreach (var (format, type) in new[]
        {
            ("Char36", "char(36)"),
            ("Char32", "char(32)"),
            ("Binary16", "binary(16)"),
            ("TimeSwapBinary16", "binary(16)"),
            ("LittleEndianBinary16", "binary(16)")
        })
        {
            await using var at = await Place.OpenAsync(kind, asynchronous, prepared, $"Guid Format={format};");
            await at.Run($"CREATE TEMPORARY TABLE guids (id int, g {type} NULL)");
            foreach (var (id, value) in new (int, object?)[] { (1, null), (2, guid), (3, DBNull.Value), (4, Guid.Empty) })
                await at.Run("INSERT INTO guids VALUES (@id, @g)", ("@id", id), ("@g", value));
            Assert.Equal([[null], [guid], [null], [Guid.Empty]], await at.Rows("SELECT g FROM guids ORDER BY id"));
            Assert.Equal([[2]], await at.Rows("SELECT id FROM guids WHERE g = @g", ("@g", guid)));
            await using var command = at.Command("SELECT g FROM guids WHERE id = 1");
            await using var reader = (MySqlDataReader)await at.Mode.Reader(command);
            Assert.Equal(typeof(Guid), reader.GetFieldType(0));
            Assert.True(await at.Mode.Read(reader));
            Assert.True(reader.IsDBNull(0));
            Assert.Null(reader.GetFieldValue<Guid?>(0));
            Assert.Throws<InvalidCastException>(() => reader.GetGuid(0));
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_geometry_is_bytes_that_can_be_written_back(ServerKind kind, bool asynchronous, bool prepared)
    {
        await using var at = await Place.OpenAsync(kind, asynchronous, prepared);
        await at.Run("CREATE TEMPORARY TABLE shapes (id int, g geometry NULL)");
        await at.Run("INSERT INTO shapes VALUES (1, ST_GeomFromText('POINT(1 2)')), (2, NULL)");
        var bytes = Assert.IsType<byte[]>((await at.Rows("SELECT g FROM shapes WHERE id = 1"))[0][0]);
        await at.Run("INSERT INTO shapes VALUES (3, @g), (4, @h)", ("@g", bytes), ("@h", MySqlGeometry.FromMySql(bytes)));
        Assert.Equal([["POINT(1 2)"], [null], ["POINT(1 2)"], ["POINT(1 2)"]], await at.Rows("SELECT ST_AsText(g) FROM shapes ORDER BY id"));
        Assert.Equal([[bytes], [null], [bytes], [bytes]], await at.Rows("SELECT g FROM shapes ORDER BY id"));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Negative_times_and_times_of_several_days_keep_sign_and_fraction(ServerKind kind, bool asynchronous, bool prepared)
    {
        await using var at = await Place.OpenAsync(kind, asynchronous, prepared);
        await at.Run("CREATE TEMPORARY TABLE times (id int, t time(6))");
        TimeSpan[] values = [TimeSpan.FromMicroseconds(-1), new(-34, -22, -59, -59), new(1, 0, 0, 0), TimeSpan.Zero, -new TimeSpan(0, 0, 30)];
        for (var i = 0; i < values.Length; i++)
            await at.Run("INSERT INTO times VALUES (@id, @t)", ("@id", i), ("@t", values[i]));
        Assert.Equal(values.Select(value => new object?[] { value }), await at.Rows("SELECT t FROM times ORDER BY id"));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Nulls_anywhere_among_many_columns_are_where_they_belong(ServerKind kind, bool asynchronous, bool prepared)
    {
        // The binary row's bitmap begins with two unused bits: errors occur at the positions around 6, 14 and 22.
        await using var at = await Place.OpenAsync(kind, asynchronous, prepared);
        for (var count = 1; count <= 25; count += 4)
        {
            for (var absent = 0; absent < count; absent++)
            {
                var values = Enumerable.Range(0, count).Select(i => (object?)(i == absent ? null : i + 1000)).ToArray();
                var list = string.Join(", ", values.Select(value => value is null ? "CAST(NULL AS SIGNED)" : $"CAST({value} AS SIGNED)"));
                var row = Assert.Single(await at.Rows($"SELECT {list}"));
                Assert.Equal(values, row.Select(value => value is null ? null : (object?)Convert.ToInt32(value)));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task The_largest_unsigned_values_go_both_ways(ServerKind kind, bool asynchronous, bool prepared)
    {
        await using var at = await Place.OpenAsync(kind, asynchronous, prepared);
        await at.Run("CREATE TEMPORARY TABLE largest (a tinyint unsigned, b smallint unsigned, c mediumint unsigned, d int unsigned, e bigint unsigned)");
        await at.Run(
            "INSERT INTO largest VALUES (@a, @b, @c, @d, @e)", ("@a", byte.MaxValue), ("@b", ushort.MaxValue), ("@c", 16_777_215u), ("@d", uint.MaxValue),
            ("@e", ulong.MaxValue));
        Assert.Equal([[byte.MaxValue, ushort.MaxValue, 16_777_215u, uint.MaxValue, ulong.MaxValue]], await at.Rows("SELECT * FROM largest"));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Names_with_quotes_and_prefixes_inside_texts_are_no_parameters(ServerKind kind, bool asynchronous, bool prepared)
    {
        await using var at = await Place.OpenAsync(kind, asynchronous, prepared);
        await at.Run("CREATE TEMPORARY TABLE `odd``@name?` (`?column` int, `@other` varchar(50))");
        await at.Run("INSERT INTO `odd``@name?` VALUES (@v, '@v ? it''s \"?\" \\'@v\\'') -- @v ?", ("@v", 7));
        Assert.Equal(
            [[7, "@v ? it's \"?\" '@v'"]], await at.Rows("/* ? @v */ SELECT `?column`, `@other` FROM `odd``@name?` WHERE `?column` = @v # ?", ("@v", 7)));
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Results_without_columns_and_without_rows_are_passed_in_order(ServerKind kind, bool asynchronous, bool prepared)
    {
        await using var at = await Place.OpenAsync(kind, asynchronous, prepared: false);
        await at.Run("CREATE TEMPORARY TABLE several (id int)");
        await using var command = at.Command(
            "INSERT INTO several VALUES (1); SELECT id FROM several WHERE id = 9; UPDATE several SET id = 2; SELECT id FROM several; DELETE FROM several");
        if (prepared)
            // Several statements are not prepared: they still run as text.
            command.Prepare();
        await using var reader = await at.Mode.Reader(command);
        Assert.Equal(1, reader.FieldCount);
        Assert.False(await at.Mode.Read(reader));
        Assert.True(await at.Mode.NextResult(reader));
        Assert.True(await at.Mode.Read(reader));
        Assert.Equal(2, reader.GetInt32(0));
        Assert.False(await at.Mode.NextResult(reader));
        await at.Mode.Close(reader);
        Assert.Equal(3, reader.RecordsAffected);
    }

    private sealed class Place(MySqlConnection connection, Mode mode, bool prepared) : IAsyncDisposable
    {
        public Mode Mode => mode;

        public static async Task<Place> OpenAsync(ServerKind kind, bool asynchronous, bool prepared, string more = "")
        {
            var mode = asynchronous ? Mode.Async : Mode.Sync;
            var connection = new MySqlConnection(ConnectionStrings.MySql(await LiveServers.GetAsync(kind), "Pooling=false;" + more));
            await mode.Open(connection);
            return new(connection, mode, prepared);
        }

        public MySqlCommand Command(string sql, params (string Name, object? Value)[] parameters)
        {
            var command = new MySqlCommand(sql, connection);
            foreach (var (name, value) in parameters)
                command.Parameters.AddWithValue(name, value);
            return command;
        }

        public async Task Run(string sql, params (string Name, object? Value)[] parameters)
        {
            await using var command = Command(sql, parameters);
            if (prepared && parameters.Length > 0)
                await mode.Prepare(command);
            await mode.NonQuery(command);
        }

        public async Task<List<object?[]>> Rows(string sql, params (string Name, object? Value)[] parameters)
        {
            await using var command = Command(sql, parameters);
            if (prepared)
                await mode.Prepare(command);
            await using var reader = await mode.Reader(command);
            var rows = new List<object?[]>();
            while (await mode.Read(reader))
                rows.Add([.. Enumerable.Range(0, reader.FieldCount).Select(i => reader.IsDBNull(i) ? null : reader.GetValue(i))]);
            return rows;
        }

        public ValueTask DisposeAsync() => connection.DisposeAsync();
    }
}
