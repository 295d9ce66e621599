using System.Text;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Tests.Support;

namespace Slipstream.MySql.Tests.Conversations;

/// <summary>
/// A DATETIME as <see cref="DateTimeOffset"/>: the instant in UTC, in the same way as one is written, whatever Date Time Kind and the machine's time zone are.
/// MySqlConnector does the same. So the first and the last day of the calendar, which an offset would exceed, can be read everywhere.
/// </summary>
public class DateTimeOffsetTests
{
    private static readonly ColumnSpec Column = new(ColumnType.DateTime, Length: 26, Decimals: 6);

    public static TheoryData<string, string, DateTime> Samples => new()
    {
        { "0001-01-01 00:00:00", "0100" + "0101", DateTime.MinValue },
        { "0001-01-01 11:30:00", "0100" + "0101" + "0B1E00", new DateTime(1, 1, 1, 11, 30, 0) },
        { "2020-06-01 12:00:00", "E407" + "0601" + "0C0000", new DateTime(2020, 6, 1, 12, 0, 0) },
        { "9999-12-31 23:59:59.999999", "0F27" + "0C1F" + "173B3B" + "3F420F00", DateTime.MaxValue.AddTicks(-9) },
    };

    [Theory, MemberData(nameof(Samples))]
    public void It_is_the_instant_in_UTC_whatever_the_kind_and_the_machines_zone(string text, string binary, DateTime moment)
    {
        var expected = new DateTimeOffset(moment, TimeSpan.Zero);
        foreach (var kind in Enum.GetValues<DateTimeKind>())
        {
            foreach (var row in (MySqlRow[])[RowOf(Encoding.ASCII.GetBytes(text), kind, false), RowOf(Convert.FromHexString(binary), kind, true)])
            {
                Assert.True(expected.EqualsExact(row.GetDateTimeOffset(0)), $"{row.GetDateTimeOffset(0):o} with {kind}");
                Assert.True(expected.EqualsExact(row.GetFieldValue<DateTimeOffset>(0)));
                Assert.True(expected.EqualsExact(row.GetFieldValue<DateTimeOffset?>(0)!.Value));
            }
        }
    }

    [Theory]
    [InlineData("0000-00-00 00:00:00", "")]
    [InlineData("0000-01-01 00:00:00", "00000101")]
    [InlineData("2020-00-01 00:00:00", "E4070001")]
    public void What_is_no_date_of_the_calendar_is_refused_as_it_is_elsewhere(string text, string binary)
    {
        foreach (var kind in Enum.GetValues<DateTimeKind>())
        {
            Assert.Throws<InvalidCastException>(() => RowOf(Encoding.ASCII.GetBytes(text), kind, false).GetDateTimeOffset(0));
            Assert.Throws<InvalidCastException>(() => RowOf(Convert.FromHexString(binary), kind, true).GetFieldValue<DateTimeOffset>(0));
        }
    }

    [Fact]
    public void A_zero_date_that_is_converted_is_the_first_instant()
    {
        foreach (var kind in Enum.GetValues<DateTimeKind>())
        {
            Assert.True(DateTimeOffset.MinValue.EqualsExact(RowOf("0000-00-00 00:00:00"u8.ToArray(), kind, false, convertsZero: true).GetDateTimeOffset(0)));
            Assert.True(DateTimeOffset.MinValue.EqualsExact(RowOf([], kind, true, convertsZero: true).GetDateTimeOffset(0)));
        }
    }

    [Fact]
    public void So_is_what_comes_back_in_a_parameter()
    {
        foreach (var kind in Enum.GetValues<DateTimeKind>())
        {
            foreach (var moment in (DateTime[])[DateTime.MinValue, new(9999, 12, 31, 23, 59, 59), new(2020, 6, 1, 12, 0, 0)])
            {
                var row = RowOf(
                    System.Text.Encoding.ASCII.GetBytes(moment.ToString("yyyy-MM-dd HH:mm:ss", System.Globalization.CultureInfo.InvariantCulture)), kind,
                    false);
                var value = OutputValues.Read(
                    row, 0, new MySqlParameter<DateTimeOffset>("@p", DateTimeOffset.UnixEpoch), null, new CodecSettings { DateTimeKind = kind });
                Assert.True(new DateTimeOffset(moment.Ticks, TimeSpan.Zero).EqualsExact(Assert.IsType<DateTimeOffset>(value)));
            }
        }
    }

    private static MySqlRow RowOf(byte[] value, DateTimeKind kind, bool isBinary, bool convertsZero = false)
    {
        var settings = new CodecSettings { DateTimeKind = kind, ConvertZeroDateTime = convertsZero };
        var row = new MySqlRow(settings);
        row.Describe(Definitions.Metadata(settings, Column), isBinary);
        var bytes = isBinary ? Definitions.BinaryRow([Column], value) : Definitions.TextRow(value);
        row.Set(bytes, 0, bytes.Length);
        return row;
    }
}
