using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Tests.Codecs;
using Slipstream.MySql.Tests.Support;

namespace Slipstream.MySql.Tests.Conversations;

/// <summary>Every column type × every getter: text and binary rows give the same value of the same type, or the same kind of refusal.</summary>
public class EveryTypeTests
{
    private delegate object? Getter(MySqlRow row);

    private static readonly Dictionary<string, Getter> Getters = new()
    {
        ["GetValue"] = row => row.GetValue(0),
        ["GetBoolean"] = row => row.GetBoolean(0),
        ["GetByte"] = row => row.GetByte(0),
        ["GetSByte"] = row => row.GetSByte(0),
        ["GetInt16"] = row => row.GetInt16(0),
        ["GetUInt16"] = row => row.GetUInt16(0),
        ["GetInt32"] = row => row.GetInt32(0),
        ["GetUInt32"] = row => row.GetUInt32(0),
        ["GetInt64"] = row => row.GetInt64(0),
        ["GetUInt64"] = row => row.GetUInt64(0),
        ["GetFloat"] = row => row.GetFloat(0),
        ["GetDouble"] = row => row.GetDouble(0),
        ["GetDecimal"] = row => row.GetDecimal(0),
        ["GetMySqlDecimal"] = row => row.GetMySqlDecimal(0),
        ["GetDateTime"] = row => row.GetDateTime(0),
        ["GetMySqlDateTime"] = row => row.GetMySqlDateTime(0),
        ["GetDateOnly"] = row => row.GetDateOnly(0),
        ["GetDateTimeOffset"] = row => row.GetDateTimeOffset(0),
        ["GetTimeSpan"] = row => row.GetTimeSpan(0),
        ["GetTimeOnly"] = row => row.GetTimeOnly(0),
        ["GetGuid"] = row => row.GetGuid(0),
        ["GetString"] = row => row.GetString(0),
        ["GetChar"] = row => row.GetChar(0),
        ["GetByteArray"] = row => row.GetByteArray(0),
        ["GetBytes"] = row =>
        {
            var target = new byte[2];
            return (row.GetBytes(0, 1, target), Convert.ToHexString(target));
        },
        ["GetVector"] = row => row.GetVector(0),
        ["GetMySqlGeometry"] = row => row.GetMySqlGeometry(0).Value,
        ["GetFieldValue<object>"] = row => row.GetFieldValue<object>(0),
        ["GetFieldValue<string>"] = row => row.GetFieldValue<string>(0),
        ["GetFieldValue<char[]>"] = row => row.GetFieldValue<char[]>(0),
        ["GetFieldValue<byte[]>"] = row => row.GetFieldValue<byte[]>(0),
        ["GetFieldValue<float[]>"] = row => row.GetFieldValue<float[]>(0),
        ["GetFieldValue<memory>"] = row => row.GetFieldValue<ReadOnlyMemory<byte>>(0).ToArray(),
        ["GetFieldValue<int?>"] = row => row.GetFieldValue<int?>(0),
        ["GetFieldValue<DateTime?>"] = row => row.GetFieldValue<DateTime?>(0),
        ["GetFieldValue<DayOfWeek>"] = row => row.GetFieldValue<DayOfWeek>(0),
        ["GetFieldValue<DayOfWeek?>"] = row => row.GetFieldValue<DayOfWeek?>(0),
        ["GetFieldValue<Uri>"] = row => row.GetFieldValue<Uri>(0),
    };

    public static TheoryData<string> Samples => new(EveryType.All.Select(sample => sample.Name));

    [Fact]
    public void Sample_names_are_unique() => Assert.Distinct(EveryType.All.Select(sample => sample.Name));

    [Theory]
    [MemberData(nameof(Samples))]
    public void Both_protocols_give_the_clr_value(string name)
    {
        var sample = EveryType.All.Single(sample => sample.Name == name);
        foreach (var isBinary in new[] { false, true })
        {
            var row = RowOf(sample, isBinary);
            var value = row.GetValue(0);
            Assert.Equal(sample.Value.GetType(), value.GetType());
            Assert.Equal(sample.Value, value);
            if (value is DateTime date)
                Assert.Equal(((DateTime)sample.Value).Kind, date.Kind == DateTimeKind.Utc && date == DateTime.MinValue ? DateTimeKind.Unspecified : date.Kind);
            Assert.Equal(sample.Value.GetType(), row.GetFieldType(0));
            Assert.Equal(sample.TypeName, row.GetDataTypeName(0));
            Assert.Equal(sample.DbType, row.GetMySqlDbType(0));
            Assert.Equal(sample.Value is string || sample.TypeName.StartsWith("CHAR(", StringComparison.Ordinal), row.IsText(0));
        }
    }

    [Theory]
    [MemberData(nameof(Samples))]
    public void Every_getter_agrees_in_both_protocols(string name)
    {
        var sample = EveryType.All.Single(sample => sample.Name == name);
        foreach (var (getter, get) in Getters)
        {
            var text = Outcome(get, RowOf(sample, isBinary: false));
            var binary = Outcome(get, RowOf(sample, isBinary: true));
            Assert.True(text.Equals(binary), $"{getter}: {text} in text, {binary} in binary");
        }
    }

    [Theory]
    [MemberData(nameof(Samples))]
    public void Null_is_told_by_every_getter(string name)
    {
        var sample = EveryType.All.Single(sample => sample.Name == name);
        foreach (var isBinary in new[] { false, true })
        {
            var row = RowOf(sample, isBinary, isNull: true);
            Assert.True(row.IsNull(0));
            Assert.Same(DBNull.Value, row.GetValue(0));
            Assert.Same(DBNull.Value, row.GetFieldValue<object>(0));
            Assert.Null(row.GetFieldValue<int?>(0));
            Assert.Null(row.GetFieldValue<DayOfWeek?>(0));
            foreach (var (getter, get) in Getters)
            {
                if (getter is "GetValue" or "GetFieldValue<object>" || getter.Contains('?', StringComparison.Ordinal))
                    continue;
                var error = Assert.ThrowsAny<Exception>(() => get(row));
                Assert.True(error is InvalidCastException, $"{getter}: {error}");
                Assert.Contains("'c'", error.Message, StringComparison.Ordinal);
            }
        }
    }

    private static string Outcome(Getter get, MySqlRow row)
    {
        try
        {
            return get(row) switch
            {
                byte[] bytes => Convert.ToHexString(bytes),
                float[] elements => string.Join(' ', elements),
                char[] characters => new string(characters),
                DateTime date => $"{date:O}",
                var other => FormattableString.Invariant($"{other?.GetType().Name} {other}"),
            };
        }
        catch (Exception error) when (error is InvalidCastException or OverflowException or FormatException or ArgumentException or MySqlConversionException)
        {
            return $"{error.GetType().Name}: {error.Message}";
        }
    }

    private static MySqlRow RowOf(Sample sample, bool isBinary, bool isNull = false)
    {
        var settings = sample.Settings ?? CodecSettings.Default;
        var row = new MySqlRow(settings);
        row.Describe(Definitions.Metadata(settings, sample.Column), isBinary);
        var value = isNull ? null : isBinary ? sample.Binary : sample.Text;
        var bytes = isBinary ? Definitions.BinaryRow([sample.Column], value) : Definitions.TextRow(value);
        row.Set([1, 2, 3, .. bytes, 4, 5, 6], 3, bytes.Length);
        return row;
    }
}
