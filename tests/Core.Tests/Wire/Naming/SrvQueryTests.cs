using Slipstream.Core.Tests.Fakes;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Wires.Naming;

/// <summary>Questions for SRV records and their answers, as bytes.</summary>
public sealed class SrvQueryTests
{
    private const string Name = "_db._tcp.a.example";

    private readonly SrvQuery _query = new(Name, 0x1234);

    [Fact]
    public void The_question_has_the_form_of_RFC_1035() => Assert.Equal(
        "\u0012\u0034\u0001\0\0\u0001\0\0\0\0\0\0\u0003_db\u0004_tcp\u0001a\u0007example\0\0\u0021\0\u0001"u8.ToArray(), _query.Message);

    [Fact]
    public void The_records_of_an_answer_are_read()
    {
        var answer = FakeNameServer.Answer(_query.Message, FakeNameServer.Srv("B.a.example", 3306, 1, 2), FakeNameServer.Srv("c.a.example", 3307));
        Assert.True(_query.IsAnswer(answer));
        Assert.False(SrvQuery.MustAskByTcp(answer));
        Assert.Equal([new(1, 2, 3306, "b.a.example"), new(0, 0, 3307, "c.a.example")], _query.Read(answer));
    }

    [Fact]
    public void A_target_may_be_compressed()
    {
        // The name of the question is at 12, and its third label at 21.
        byte[] record = [0, 33, 0, 1, 0, 0, 0, 60, 0, 10, 0, 0, 0, 0, 0x0C, 0xEA, 1, (byte)'b', 0xC0, 21];
        Assert.Equal([new(0, 0, 3306, "b.a.example")], _query.Read(FakeNameServer.Answer(_query.Message, record)));
    }

    [Fact]
    public void Other_records_and_the_root_are_left_out()
    {
        byte[] address = [0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1];
        byte[] ofChaos = [.. FakeNameServer.Srv("x.a.example", 1)];
        ofChaos[3] = 3;
        Assert.Empty(_query.Read(FakeNameServer.Answer(_query.Message, address, ofChaos, FakeNameServer.Srv(".", 0))));
    }

    [Fact]
    public void An_answer_that_is_cut_off_anywhere_is_refused()
    {
        var answer = FakeNameServer.Answer(_query.Message, FakeNameServer.Srv("b.a.example", 3306));
        for (var length = 0; length < answer.Length; length++)
        {
            var part = answer[..length];
            if (_query.IsAnswer(part))
                Assert.Throws<InvalidDataException>(() => _query.Read(part));
        }
    }

    [Fact]
    public void An_answer_to_another_question_is_none()
    {
        var answer = FakeNameServer.Answer(_query.Message, FakeNameServer.Srv("b.a.example", 3306));
        foreach (var (at, value) in new[] { (0, 0x13), (1, 0x35), (2, 0x01), (2, 0x89), (5, 0), (5, 2), (13, 'x'), (answer.Length, 0) })
        {
            var other = (byte[])answer.Clone();
            if (at < other.Length)
                other[at] = (byte)value;
            Assert.Equal(at == other.Length, _query.IsAnswer(other));
        }

        Assert.False(new SrvQuery("_db._tcp.b.example", 0x1234).IsAnswer(answer));
        Assert.False(_query.IsAnswer([]));
    }

    [Theory, InlineData(3, "does not exist"), InlineData(2, "the code 2"), InlineData(5, "the code 5")]
    public void A_refusal_is_reported(byte code, string expected)
    {
        var answer = FakeNameServer.Answer(_query.Message);
        answer[3] = code;
        Assert.Contains(expected, Assert.Throws<InvalidDataException>(() => _query.Read(answer)).Message);
    }

    [Theory]
    // A pointer to itself, to another pointer that leads back, forward, and a name of too many labels by pointers.
    [InlineData(new byte[] { 0xC0, 54 })]
    [InlineData(new byte[] { 1, (byte)'b', 0xC0, 54 })]
    [InlineData(new byte[] { 0xC0, 60 })]
    [InlineData(new byte[] { 0xFF, 0xFF })]
    [InlineData(new byte[] { 0xC0 })]
    [InlineData(new byte[] { 64, (byte)'b', 0 })]
    [InlineData(new byte[] { 1, (byte)' ', 0 })]
    [InlineData(new byte[] { 2, (byte)'b', (byte)'.', 0 })]
    [InlineData(new byte[] { 1, (byte)'-', 0 })]
    [InlineData(new byte[] { 1, 0xE4, 0 })]
    [InlineData(new byte[] { 1, (byte)'b', 0, 0 })]
    public void A_target_that_is_no_name_is_refused(byte[] target)
    {
        byte[] record = [0, 33, 0, 1, 0, 0, 0, 60, 0, (byte)(6 + target.Length), 0, 0, 0, 0, 0x0C, 0xEA, .. target];
        Assert.Throws<InvalidDataException>(() => _query.Read(FakeNameServer.Answer(_query.Message, record)));
    }

    [Fact]
    public void Pointers_cannot_make_a_name_longer_than_allowed()
    {
        // Each record's target is a label of 60 letters before the target of the record before.
        List<byte[]> records = [];
        var at = _query.Message.Length;
        var before = 12;
        for (var number = 0; number < 5; number++)
        {
            byte[] target = [60, .. Enumerable.Repeat((byte)'b', 60), (byte)(0xC0 | before >> 8), (byte)before];
            records.Add([0, 33, 0, 1, 0, 0, 0, 60, 0, (byte)(6 + target.Length), 0, 0, 0, 0, 0x0C, 0xEA, .. target]);
            before = at + 2 + 16;
            at += 2 + records[^1].Length;
        }

        Assert.Throws<InvalidDataException>(() => _query.Read(FakeNameServer.Answer(_query.Message, [.. records])));
        Assert.Equal(3, _query.Read(FakeNameServer.Answer(_query.Message, [.. records[..3]])).Count);
    }

    [Fact]
    public void A_port_of_zero_and_more_than_256_records_are_refused()
    {
        Assert.Throws<InvalidDataException>(() => _query.Read(FakeNameServer.Answer(_query.Message, FakeNameServer.Srv("b.a.example", 0))));
        var many = Enumerable.Range(0, 257).Select(static number => FakeNameServer.Srv("b.a.example", 1)).ToArray();
        Assert.Throws<InvalidDataException>(() => _query.Read(FakeNameServer.Answer(_query.Message, many)));
    }

    [Fact]
    public void Random_answers_are_read_or_refused()
    {
        var random = new Random(1);
        for (var round = 0; round < 20_000; round++)
        {
            var answer = FakeNameServer.Answer(_query.Message, FakeNameServer.Srv("b.a.example", 3306), FakeNameServer.Srv("c.a.example", 3306));
            for (var change = random.Next(1, 6); change > 0; change--)
                answer[random.Next(answer.Length)] = (byte)random.Next(256);
            var part = answer[..random.Next(answer.Length + 1)];
            if (!_query.IsAnswer(part))
                continue;
            try
            {
                Assert.All(_query.Read(part), static record => Assert.InRange(record.Target.Length, 1, DnsName.Longest));
            }
            catch (InvalidDataException)
            {
                // It was refused.
            }
        }
    }

    [Theory]
    [InlineData("A.Example.", "a.example")]
    [InlineData("_db._tcp.a", "_db._tcp.a")]
    [InlineData("", null)]
    [InlineData(".", null)]
    [InlineData("a..b", null)]
    [InlineData("a b", null)]
    [InlineData("ä.example", null)]
    public void Names_are_normalized(string name, string? expected) => Assert.Equal(expected, DnsName.Normalize(name));
}
