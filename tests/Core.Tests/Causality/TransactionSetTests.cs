using Slipstream.Core.Causality;

namespace Slipstream.Core.Tests.Causality;

public class TransactionSetTests
{
    private const string A = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private const string B = "3e11fa47-71ca-11e1-9e33-c80aa9429563";

    [Theory]
    [InlineData($"{A}:1-5", $"{A}:1-5")]
    [InlineData($"{A}:1-3:5:4", $"{A}:1-5")]
    [InlineData($"{A}:7:1-3", $"{A}:1-3:7")]
    [InlineData($"{A}:1-10:3-4", $"{A}:1-10")]
    [InlineData($"{B}:1,\n{A}:2", $"{A}:2,{B}:1")]
    [InlineData($"{A}:1-3:blue:1-4:green:9", $"{A}:1-3,{A}:blue:1-4,{A}:green:9")]
    [InlineData($"{A}:blue:1,{A}:blue:2", $"{A}:blue:1-2")]
    [InlineData($"{A}:1,", $"{A}:1")]
    [InlineData("3E11FA47-71CA-11E1-9E33-C80AA9429562:1", $"{A}:1")]
    public void A_set_is_read_and_normalized(string text, string normalized) => Assert.Equal(normalized, Set(text).Text());

    [Theory]
    [InlineData("")]
    [InlineData(",")]
    [InlineData(A)]
    [InlineData($"{A}:")]
    [InlineData($"{A}:0")]
    [InlineData($"{A}:5-1")]
    [InlineData($"{A}:1-")]
    [InlineData($"{A}:-1")]
    [InlineData($"{A}:+1")]
    [InlineData($"{A}:9223372036854775807")]
    [InlineData($"{A}:99999999999999999999")]
    [InlineData($"{A}:blue")]
    [InlineData($"{A}:blue:green:1")]
    [InlineData($"{A}:Blue:1")]
    [InlineData($"{A}:b'lue:1")]
    [InlineData($"{A}:a23456789012345678901234567890123:1")]
    [InlineData("3e11fa47-71ca-11e1-9e33-c80aa942956g:1")]
    [InlineData("3e11fa4771ca11e19e33c80aa9429562:1")]
    public void A_malformed_or_empty_set_is_refused(string text) => Assert.Null(TransactionSet.Parse(text, ','));

    [Theory]
    [InlineData($"{A}:1-5", $"{A}:1-5", true)]
    [InlineData($"{A}:1-5", $"{A}:3", true)]
    [InlineData($"{A}:1-5", $"{A}:5-6", false)]
    [InlineData($"{A}:1-5:7-9", $"{A}:2-3:8", true)]
    [InlineData($"{A}:1-5:7-9", $"{A}:5-7", false)]
    [InlineData($"{A}:1-5", $"{B}:1", false)]
    [InlineData($"{A}:1-5,{B}:1", $"{B}:1", true)]
    [InlineData($"{A}:1-5", $"{A}:blue:1", false)]
    [InlineData($"{A}:blue:1-5", $"{A}:1", false)]
    [InlineData($"{A}:1:blue:1-5", $"{A}:blue:2,{A}:1", true)]
    [InlineData($"{B}:1", $"{A}:1", false)]
    public void A_set_covers_what_it_contains(string whole, string part, bool covers) => Assert.Equal(covers, Set(whole).Covers(Set(part)));

    [Fact]
    public void Sets_are_joined() =>
        Assert.Equal($"{A}:1-5:9,{A}:x:1,{B}:2", ((TransactionSet)Set($"{A}:1-3:9").Join(Set($"{A}:4-5:x:1,{B}:2"))).Text());

    [Fact]
    public void Positions_of_other_kinds_are_neither_covered_nor_joined()
    {
        var other = DomainSequences.Parse("0-1-5", ',')!;
        Assert.False(Set($"{A}:1").Covers(other));
        Assert.False(Set($"{A}:1").MayReach(other));
        Assert.Same(LogPosition.Unknown, Set($"{A}:1").Join(other));
        Assert.Same(LogPosition.Unknown, Set($"{A}:1").Join(LogPosition.Unknown));
        Assert.False(Set($"{A}:1").Covers(LogPosition.Unknown));
        Assert.False(LogPosition.Unknown.Covers(LogPosition.Unknown));
    }

    // Writes of one client are often every second or third number.
    [Fact]
    public void A_joined_set_stays_short_and_covers_all_parts()
    {
        LogPosition joined = Set($"{A}:1");
        List<LogPosition> parts = [joined];
        for (var number = 3; number < 2000; number += 2 + number % 3)
        {
            parts.Add(Set($"{A}:{number}"));
            joined = joined.Join(parts[^1]);
        }

        Assert.All(parts, part => Assert.True(joined.Covers(part)));
        Assert.InRange(joined.ToString().Length, 1, WriteToken.MaxLength);
        Assert.InRange(((TransactionSet)joined).Text().Count(static letter => letter == ':'), 1, TransactionSet.MostIntervals);
    }

    // A server of the family may report as many intervals as a packet holds.
    [Fact]
    public void Of_very_many_gaps_the_largest_stay_open()
    {
        const int Count = 80_000;
        var text = new System.Text.StringBuilder(A);
        var number = 1L;
        List<long> afterLargeGaps = [];
        for (var at = 0; at < Count; at++)
        {
            var isLarge = at > 0 && at % 3000 == 0;
            number += isLarge ? 1000 + at : 2 + at % 7;
            if (isLarge)
                afterLargeGaps.Add(number);
            text.Append(System.Globalization.CultureInfo.InvariantCulture, $":{number}");
        }

        var whole = Set(text.ToString());
        var bounded = (TransactionSet)whole.Bounded();
        Assert.True(bounded.Covers(whole));
        Assert.Equal(TransactionSet.MostIntervals, bounded.Text().Count(static letter => letter == ':'));
        Assert.All(afterLargeGaps, after => Assert.False(bounded.Covers(Set($"{A}:{after - 1}"))));
    }

    [Fact]
    public void The_gaps_of_all_sources_compete()
    {
        var text = string.Join(',', Enumerable.Range(0, 20).Select(static source => $"00000000-0000-0000-0000-{source:x12}:1:{source + 3}:{source + 2000}"));
        var whole = Set(text);
        var bounded = (TransactionSet)whole.Bounded();
        Assert.True(bounded.Covers(whole));
        Assert.Equal(12, bounded.Text().Split(',').Count(static one => one.Count(static letter => letter == ':') == 2));
    }

    [Fact]
    public void More_sources_than_a_token_holds_are_unknown()
    {
        LogPosition joined = Set($"{Guid.Empty}:1");
        for (var source = 1; source <= TransactionSet.MostIntervals; source++)
            joined = joined.Join(Set($"00000000-0000-0000-0000-{source:x12}:1"));
        Assert.Same(LogPosition.Unknown, joined);
    }

    private static TransactionSet Set(string text) => TransactionSet.Parse(text, ',') ?? throw new FormatException(text);
}
