using System.Data;
using System.Data.Common;
using System.Globalization;

namespace Slipstream.Contract;

public abstract partial class ProviderContract
{
    // Each typed getter, with the type that it returns.
    private static readonly (Type Type, Func<DbDataReader, object> Get)[] TypedGetters =
    [
        (typeof(bool), static reader => reader.GetBoolean(0)),
        (typeof(byte), static reader => reader.GetByte(0)),
        (typeof(short), static reader => reader.GetInt16(0)),
        (typeof(int), static reader => reader.GetInt32(0)),
        (typeof(long), static reader => reader.GetInt64(0)),
        (typeof(float), static reader => reader.GetFloat(0)),
        (typeof(double), static reader => reader.GetDouble(0)),
        (typeof(decimal), static reader => reader.GetDecimal(0)),
        (typeof(string), static reader => reader.GetString(0)),
        (typeof(char), static reader => reader.GetChar(0)),
        (typeof(DateTime), static reader => reader.GetDateTime(0)),
        (typeof(Guid), static reader => reader.GetGuid(0)),
        (typeof(bool), static reader => reader.GetFieldValue<bool>(0)),
        (typeof(byte), static reader => reader.GetFieldValue<byte>(0)),
        (typeof(short), static reader => reader.GetFieldValue<short>(0)),
        (typeof(int), static reader => reader.GetFieldValue<int>(0)),
        (typeof(long), static reader => reader.GetFieldValue<long>(0)),
        (typeof(float), static reader => reader.GetFieldValue<float>(0)),
        (typeof(double), static reader => reader.GetFieldValue<double>(0)),
        (typeof(decimal), static reader => reader.GetFieldValue<decimal>(0)),
        (typeof(string), static reader => reader.GetFieldValue<string>(0)),
        (typeof(char), static reader => reader.GetFieldValue<char>(0)),
        (typeof(DateTime), static reader => reader.GetFieldValue<DateTime>(0)),
        (typeof(Guid), static reader => reader.GetFieldValue<Guid>(0)),
        (typeof(DateOnly), static reader => reader.GetFieldValue<DateOnly>(0)),
        (typeof(TimeOnly), static reader => reader.GetFieldValue<TimeOnly>(0)),
        (typeof(TimeSpan), static reader => reader.GetFieldValue<TimeSpan>(0)),
        (typeof(byte[]), static reader => reader.GetFieldValue<byte[]>(0)),
    ];

    public static TheoryData<object, bool> Getting
    {
        get
        {
            var data = new TheoryData<object, bool>();
            object[] values =
            [
                true, (byte)200, (short)-300, 70_000, -5_000_000_000L, 1.5f, -2.25, 12.5m, "text", "42", new byte[] { 1, 2, 3 },
                new DateTime(2024, 2, 29, 1, 2, 3), new DateOnly(2024, 2, 29), new TimeOnly(23, 59, 58), new TimeSpan(1, 2, 3),
                new Guid("00112233-4455-6677-8899-aabbccddeeff"),
            ];
            foreach (var value in values)
            {
                data.Add(value, false);
                data.Add(value, true);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Getting))]
    public async Task Every_getter_gives_the_value_or_says_that_it_cannot(object value, bool prepared)
    {
        await using var connection = await Open();
        await using var table = await CreateTable($"v {Server.ColumnType(value.GetType())}");
        await Execute(connection, $"INSERT INTO {table} VALUES (@v)", ("@v", value));
        await using var command = Command(connection, $"SELECT v FROM {table}");
        if (prepared)
            await Mode.Prepare(command);
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));

        var native = reader.GetValue(0);
        Assert.Equal(reader.GetFieldType(0), native.GetType());
        Assert.Equal(native, reader.GetFieldValue<object>(0));
        Assert.Equal(native, await Mode.Get<object>(reader, 0));
        Assert.Equal(native, reader[0]);
        Assert.Equal(native, reader["v"]);
        Assert.False(await Mode.IsDBNull(reader, 0));
        var given = 0;
        foreach (var (type, get) in TypedGetters)
        {
            object got;
            try
            {
                got = get(reader);
            }
            catch (Exception exception) when (exception is InvalidCastException or OverflowException or FormatException)
            {
                // A getter for the type in which the value is stored must always succeed.
                Assert.False(type == native.GetType() || type == value.GetType(), $"{type.Name} of {native.GetType().Name}: {exception.Message}");
                Assert.NotEqual("", exception.Message);
                continue;
            }

            given++;
            Assert.IsType(type, got);
            if (type == value.GetType())
                Assert.Equal(value, got);
            else if (IsNumber(type) && IsNumber(native.GetType()))
            {
                // In a provider that allows it, a decimal loses its fraction in the getter of an integer.
                var expected = Convert.ToDouble(native, CultureInfo.InvariantCulture);
                var number = Convert.ToDouble(got, CultureInfo.InvariantCulture);
                Assert.Equal(Convert.GetTypeCode(got) <= TypeCode.UInt64 ? Math.Truncate(expected) : expected, number, 3);
            }
            else if (type == typeof(string) && native is string text)
                Assert.Equal(text, got);
        }

        Assert.True(given >= 1);
        await Mode.Close(reader);
        await StillUsable(connection);
    }

    [Theory]
    [InlineData(typeof(bool))]
    [InlineData(typeof(int))]
    [InlineData(typeof(long))]
    [InlineData(typeof(double))]
    [InlineData(typeof(decimal))]
    [InlineData(typeof(string))]
    [InlineData(typeof(byte[]))]
    [InlineData(typeof(DateTime))]
    [InlineData(typeof(DateOnly))]
    [InlineData(typeof(TimeSpan))]
    [InlineData(typeof(Guid))]
    public async Task NULL_is_DBNull_to_objects_and_refused_by_typed_getters(Type type)
    {
        await using var connection = await Open();
        await using var table = await CreateTable($"v {Server.ColumnType(type)}");
        await Execute(connection, $"INSERT INTO {table} VALUES (NULL)");
        await using var command = Command(connection, $"SELECT v FROM {table}");
        foreach (var prepared in new[] { false, true })
        {
            if (prepared)
                await Mode.Prepare(command);
            await using var reader = await Mode.Reader(command);
            Assert.True(await Mode.Read(reader));
            Assert.True(await Mode.IsDBNull(reader, 0));
            Assert.Equal(DBNull.Value, reader.GetValue(0));
            Assert.Equal(DBNull.Value, reader[0]);
            Assert.Equal(DBNull.Value, reader.GetFieldValue<object>(0));
            Assert.Equal(DBNull.Value, await Mode.Get<object>(reader, 0));
            Assert.Equal(DBNull.Value, reader.GetFieldValue<DBNull>(0));
            foreach (var (_, get) in TypedGetters)
                Assert.Throws<InvalidCastException>(() => get(reader));
            Assert.Null(reader.GetFieldValue<int?>(0));
            Assert.Null(reader.GetFieldValue<DateTime?>(0));
            Assert.Throws<InvalidCastException>(() => reader.GetBytes(0, 0, new byte[1], 0, 1));
            Assert.Throws<InvalidCastException>(() => reader.GetStream(0));
            Assert.Throws<InvalidCastException>(() => reader.GetTextReader(0));
            Assert.Equal(typeof(DBNull) == reader.GetFieldType(0), false);
        }
    }

    [Fact]
    public async Task Getters_by_name_are_those_of_the_ordinal()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 1 AS a, 'x' AS b, NULL AS c");
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        Assert.Equal((1, "x", true), (Convert.ToInt32(reader.GetValue("a")), reader.GetString("b"), reader.IsDBNull("c")));
        Assert.Equal(reader.GetFieldType(1), reader.GetFieldType("b"));
        Assert.Equal(reader.GetDataTypeName(1), reader.GetDataTypeName("b"));
        Assert.Equal("x", reader.GetFieldValue<string>("b"));
        Assert.Throws<IndexOutOfRangeException>(() => reader.GetString("missing"));
    }

    [Fact]
    public async Task Two_columns_of_one_name_are_found_at_the_first()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT 'first' AS a, 'second' AS a, 'third' AS A2");
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        Assert.Equal((0, "first", 2), (reader.GetOrdinal("a"), reader["a"], reader.GetOrdinal("a2")));
    }

    [Fact]
    public async Task Pieces_have_checked_bounds()
    {
        await using var connection = await Open();
        await using var command = Command(connection, "SELECT @bytes, @text", ("@bytes", new byte[] { 1, 2, 3, 4, 5 }), ("@text", "abcde"));
        await using var reader = await Mode.Reader(command);
        Assert.True(await Mode.Read(reader));
        var bytes = new byte[4];
        Assert.ThrowsAny<ArgumentException>(() => reader.GetBytes(0, -1, bytes, 0, 1));
        Assert.ThrowsAny<ArgumentException>(() => reader.GetBytes(0, 0, bytes, -1, 1));
        Assert.ThrowsAny<ArgumentException>(() => reader.GetBytes(0, 0, bytes, 0, -1));
        Assert.ThrowsAny<ArgumentException>(() => reader.GetBytes(0, 0, bytes, 3, 2));
        Assert.Equal(0, reader.GetBytes(0, 5, bytes, 0, 4));
        var letters = new char[4];
        Assert.ThrowsAny<ArgumentException>(() => reader.GetChars(1, -1, letters, 0, 1));
        Assert.ThrowsAny<ArgumentException>(() => reader.GetChars(1, 0, letters, -1, 1));
        Assert.ThrowsAny<ArgumentException>(() => reader.GetChars(1, 0, letters, 0, -1));
        Assert.ThrowsAny<ArgumentException>(() => reader.GetChars(1, 0, letters, 3, 2));
        Assert.Equal(5, reader.GetChars(1, 0, null, 0, 0));
        Assert.Equal(2, reader.GetChars(1, 3, letters, 0, 4));
        Assert.Equal("de", new string(letters, 0, 2));
        Assert.ThrowsAny<ArgumentNullException>(() => reader.GetValues(null!));
        await Mode.Close(reader);
        await StillUsable(connection);
    }

    private static bool IsNumber(Type type) =>
        type == typeof(byte)
            || type == typeof(short)
            || type == typeof(int)
            || type == typeof(long)
            || type == typeof(float)
            || type == typeof(double)
            || type == typeof(decimal);
}
