using Slipstream.Core.Causality;

namespace Slipstream.Core.Tests.Causality;

public class DomainSequencesTests
{
    [Theory]
    [InlineData("0-1-100", "0-1-100")]
    [InlineData("1-2-5,0-1-100", "0-1-100,1-2-5")]
    [InlineData("0-1-100,0-2-101", "0-2-101")]
    [InlineData("4294967295-4294967295-18446744073709551615", "4294967295-4294967295-18446744073709551615")]
    public void Positions_are_read_with_the_last_transaction_of_each_domain(string text, string normalized) =>
        Assert.Equal(normalized, Sequences(text).Text());

    [Theory]
    [InlineData("")]
    [InlineData("0-1")]
    [InlineData("0-1-2-3")]
    [InlineData("0-1-")]
    [InlineData("-1-1-1")]
    [InlineData("4294967296-1-1")]
    [InlineData("0-1-18446744073709551616")]
    [InlineData("0-1-1,")]
    [InlineData("0-1-1'")]
    public void Malformed_positions_are_refused(string text) => Assert.Null(DomainSequences.Parse(text, ','));

    [Theory]
    [InlineData("0-1-100", "0-1-100", true)]
    [InlineData("0-1-100", "0-1-101", false)]
    [InlineData("0-2-101", "0-1-100", true)]
    [InlineData("0-1-100", "1-1-1", false)]
    [InlineData("0-1-100,1-1-5", "1-2-4", true)]
    [InlineData("0-1-100,1-1-5", "0-1-100,1-1-6", false)]
    public void A_position_covers_lower_numbers_of_the_same_domains(string server, string need, bool covers) =>
        Assert.Equal(covers, Sequences(server).Covers(Sequences(need)));

    [Fact]
    public void Positions_are_joined_by_domain() =>
        Assert.Equal("0-1-7,1-1-5,2-1-1", ((DomainSequences)Sequences("0-1-7,1-1-4").Join(Sequences("0-1-6,1-1-5,2-1-1"))).Text());

    [Fact]
    public void The_number_of_domains_is_limited()
    {
        var most = string.Join(',', Enumerable.Range(0, DomainSequences.MostDomains).Select(static domain => $"{domain}-1-1"));
        Assert.NotNull(DomainSequences.Parse(most, ','));
        Assert.Null(DomainSequences.Parse(most + ",99-1-1", ','));
        Assert.Same(LogPosition.Unknown, Sequences(most).Join(Sequences("99-1-1")));
    }

    private static DomainSequences Sequences(string text) => DomainSequences.Parse(text, ',') ?? throw new FormatException(text);
}
