using System.Data;
using System.Data.Common;

namespace Slipstream.Contract;

public abstract partial class ProviderContract
{
    private enum Colour
    {
        Red = 1,
        Blue = 7,
    }

    [Fact]
    public void A_new_parameter_has_the_documented_defaults()
    {
        var parameter = Server.Factory.CreateParameter()!;
        Assert.Equal("", parameter.ParameterName);
        Assert.Equal("", parameter.SourceColumn);
        Assert.Equal(ParameterDirection.Input, parameter.Direction);
        Assert.Equal(DataRowVersion.Current, parameter.SourceVersion);
        Assert.Equal(0, parameter.Size);
        Assert.False(parameter.SourceColumnNullMapping);
        Assert.Null(parameter.Value);
        parameter.DbType = DbType.Int64;
        Assert.Equal(DbType.Int64, parameter.DbType);
        parameter.ResetDbType();
        parameter.ParameterName = null;
        Assert.Equal("", parameter.ParameterName);
    }

    [Fact]
    public void The_collection_adds_finds_and_removes()
    {
        using var command = Server.Factory.CreateCommand()!;
        var parameters = command.Parameters;
        var (a, b, c) = (Add(command, "@a", 1), Add(command, "@b", 2), Server.Factory.CreateParameter()!);
        c.ParameterName = "@c";
        parameters.Insert(1, c);
        Assert.Equal([a, c, b], parameters.Cast<DbParameter>());
        Assert.Equal((0, 1, 2, -1), (parameters.IndexOf("@a"), parameters.IndexOf(c), parameters.IndexOf("@b"), parameters.IndexOf("@missing")));
        Assert.True(parameters.Contains("@a") && parameters.Contains(c) && !parameters.Contains("@missing"));
        Assert.Same(b, parameters["@b"]);
        Assert.Same(c, parameters[1]);
        parameters.Remove(c);
        parameters.RemoveAt("@a");
        Assert.Equal([b], parameters.Cast<DbParameter>());
        parameters.RemoveAt(0);
        Assert.Empty(parameters);
        parameters.AddRange(new[] { a, c });
        Assert.Equal(2, parameters.Count);
        var copy = new DbParameter[2];
        parameters.CopyTo(copy, 0);
        Assert.Equal([a, c], copy);
        parameters.Clear();
        Assert.Empty(parameters);
    }

    [Fact]
    public void What_is_no_parameter_is_refused()
    {
        using var command = Server.Factory.CreateCommand()!;
        Assert.ThrowsAny<Exception>(() => command.Parameters.Add("text"));
        Assert.ThrowsAny<Exception>(() => command.Parameters[0]);
        Assert.ThrowsAny<Exception>(() => command.Parameters["@missing"]);
        Assert.ThrowsAny<Exception>(() => command.Parameters.RemoveAt("@missing"));
        Assert.Empty(command.Parameters);
    }

    public static TheoryData<object> RoundTripped => new()
    {
        true, false, (byte)0, (byte)255, short.MinValue, short.MaxValue, 0, int.MinValue, int.MaxValue, long.MinValue, long.MaxValue,
        0f, 1.5f, -3.25e10f, 0d, 1.1, double.MaxValue, -double.Epsilon * 1e300, 0m, 1234567890.0123456789m, -0.0000000001m,
        "", "text", "it's \"quoted\" \\ back\\slash \\n % _ \t\r\n \u001a", "日本語 ä € 😀", Array.Empty<byte>(), new byte[] { 0, 1, 2, 39, 92, 255, 10, 13, 26 },
        new DateTime(2024, 2, 29, 23, 59, 59).AddTicks(9_999_990), new DateTime(1970, 1, 1), new DateTime(1000, 1, 1), new DateTime(9999, 12, 31),
        new DateOnly(2024, 2, 29), new TimeOnly(23, 59, 59, 999), new TimeOnly(0), new TimeSpan(-1, -2, -3) - TimeSpan.FromMicroseconds(4),
        new TimeSpan(26, 0, 0),
        new Guid("00112233-4455-6677-8899-aabbccddeeff"), Guid.Empty, 'x',
    };

    [Theory]
    [MemberData(nameof(RoundTripped))]
    public async Task A_value_comes_back_as_it_went(object value)
    {
        await using var connection = await Open();
        var table = $"round_trip_{value.GetType().Name.ToLowerInvariant().Replace("[]", "_array")}";
        await Execute(connection, $"CREATE TEMPORARY TABLE {table} (value {Server.ColumnType(value.GetType())})");
        foreach (var prepared in new[] { false, true })
        {
            await using var insert = Command(connection, $"INSERT INTO {table} VALUES (@value)", ("@value", value));
            await using var select = Command(connection, $"SELECT value FROM {table}");
            if (prepared)
            {
                await Mode.Prepare(insert);
                await Mode.Prepare(select);
            }

            Assert.Equal(1, await Mode.NonQuery(insert));
            await using (var reader = await Mode.Reader(select))
            {
                Assert.True(await Mode.Read(reader));
                Assert.False(await Mode.IsDBNull(reader, 0));
                Assert.Equal(value, await GetAs(reader, value.GetType()));
                Assert.False(await Mode.Read(reader));
            }

            Assert.Equal(1, await Number(connection, $"SELECT COUNT(*) FROM {table} WHERE value IS NOT NULL"));
            await Execute(connection, $"DELETE FROM {table}");
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Null_goes_as_NULL_whatever_the_type(bool prepared)
    {
        await using var connection = await Open();
        foreach (var type in new[]
        {
            typeof(int),
            typeof(string),
            typeof(DateTime),
            typeof(byte[]),
            typeof(decimal),
            typeof(Guid),
            typeof(bool),
            typeof(double)
        })
        {
            var table = $"nothing_{type.Name.ToLowerInvariant().Replace("[]", "_array")}";
            await Execute(connection, $"CREATE TEMPORARY TABLE {table} (value {Server.ColumnType(type)})");
            await using var insert = Command(connection, $"INSERT INTO {table} VALUES (@value)", ("@value", DBNull.Value));
            if (prepared)
                await Mode.Prepare(insert);
            Assert.Equal(1, await Mode.NonQuery(insert));
            await using var command = Command(connection, $"SELECT value FROM {table}");
            await using (var reader = await Mode.Reader(command))
            {
                Assert.True(await Mode.Read(reader));
                Assert.True(await Mode.IsDBNull(reader, 0));
                Assert.Equal(DBNull.Value, reader.GetValue(0));
                Assert.Equal(DBNull.Value, reader[0]);
                Assert.Null(await Mode.Get<int?>(reader, 0));
                Assert.ThrowsAny<InvalidCastException>(() => reader.GetString(0));
                Assert.ThrowsAny<InvalidCastException>(() => reader.GetInt32(0));
                Assert.True(reader.IsDBNull(0));
            }
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task One_parameter_may_stand_in_several_places_and_in_any_order(bool prepared)
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT @b, @a, @b", ("@a", "first"), ("@b", "second"));
        if (prepared)
            await Mode.Prepare(command);
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        Assert.Equal(("second", "first", "second"), (reader.GetString(0), reader.GetString(1), reader.GetString(2)));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_looks_like_a_parameter_in_texts_and_comments_is_none(bool prepared)
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT '@a', @a /* @b */ -- @c\n, '''@d'", ("@a", "value"));
        if (prepared)
            await Mode.Prepare(command);
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        Assert.Equal(("@a", "value", "'@d"), (reader.GetString(0), reader.GetString(1), reader.GetString(2)));
    }

    [Fact]
    public async Task A_missing_parameter_is_an_error_and_nothing_more()
    {
        await using var connection = await Open();
        await Assert.ThrowsAnyAsync<Exception>(() => Scalar(connection, "SELECT @missing + 1", ("@other", 1)));
        await StillUsable(connection);
    }

    [Fact]
    public async Task A_value_of_an_unknown_type_is_refused_before_anything_is_sent()
    {
        await using var connection = await Open();
        await Assert.ThrowsAnyAsync<Exception>(() => Scalar(connection, "SELECT @value", ("@value", new Version(1, 2))));
        await StillUsable(connection);
    }

    [Fact]
    public async Task An_enumeration_goes_as_its_number()
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE colours (value int)");
        await Execute(connection, "INSERT INTO colours VALUES (@colour)", ("@colour", Colour.Blue));
        await using var command = Command(connection, "SELECT value FROM colours");
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        Assert.Equal(Colour.Blue, await Mode.Get<Colour>(reader, 0));
        Assert.Equal(7, reader.GetInt32(0));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_thousand_parameters_find_their_places(bool prepared)
    {
        await using var connection = await Open();
        await Execute(connection, "CREATE TEMPORARY TABLE thousand (value int)");
        await using var command = Command(connection, "INSERT INTO thousand VALUES " + string.Join(", ", Enumerable.Range(0, 1000).Select(i => $"(@p{i})")));
        for (var i = 0; i < 1000; i++)
            Add(command, $"@p{i}", i);
        if (prepared)
            await Mode.Prepare(command);
        Assert.Equal(1000, await Mode.NonQuery(command));
        Assert.Equal(499_500, await Number(connection, "SELECT SUM(value) FROM thousand"));
    }

    private async Task<object> GetAs(DbDataReader reader, Type type) => Type.GetTypeCode(type) switch
    {
        TypeCode.Boolean => await Mode.Get<bool>(reader, 0),
        TypeCode.Byte => await Mode.Get<byte>(reader, 0),
        TypeCode.Int16 => await Mode.Get<short>(reader, 0),
        TypeCode.Int32 => await Mode.Get<int>(reader, 0),
        TypeCode.Int64 => await Mode.Get<long>(reader, 0),
        TypeCode.Single => await Mode.Get<float>(reader, 0),
        TypeCode.Double => await Mode.Get<double>(reader, 0),
        TypeCode.Decimal => await Mode.Get<decimal>(reader, 0),
        TypeCode.String => await Mode.Get<string>(reader, 0),
        TypeCode.Char => await Mode.Get<char>(reader, 0),
        TypeCode.DateTime => await Mode.Get<DateTime>(reader, 0),
        _ when type == typeof(byte[]) => await Mode.Get<byte[]>(reader, 0),
        _ when type == typeof(Guid) => await Mode.Get<Guid>(reader, 0),
        _ when type == typeof(TimeSpan) => await Mode.Get<TimeSpan>(reader, 0),
        _ when type == typeof(DateOnly) => await Mode.Get<DateOnly>(reader, 0),
        _ when type == typeof(TimeOnly) => await Mode.Get<TimeOnly>(reader, 0),
        _ => throw new NotSupportedException(type.Name),
    };
}
