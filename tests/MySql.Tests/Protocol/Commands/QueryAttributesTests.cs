using Slipstream.Core.Bytes;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;

namespace Slipstream.MySql.Tests.Protocol.Commands;

public class QueryAttributesTests
{
    private static ByteWriter Announced() => new() { Dialect = Query.WithAttributes };

    [Fact]
    public void A_text_without_attributes_pays_two_bytes()
    {
        var writer = Announced();
        Query.Write(writer, "DO 1"u8);
        Assert.Equal("0700000003" + "0001" + "444F2031", Convert.ToHexString(writer.Written));
        writer = new ByteWriter();
        Query.Write(writer, "DO 1"u8);
        Assert.Equal("0500000003" + "444F2031", Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void Attributes_stand_before_the_text()
    {
        using var command = new MySqlCommand();
        command.Attributes.SetAttribute("a", (short)7);
        command.Attributes.SetAttribute("b", null);
        var writer = Announced();
        var at = command.Attributes.BeginQuery(writer, new());
        writer.Bytes("DO 1"u8);
        writer.End(at);
        // Count, sets, bitmap with the second bit, types follow; SMALLINT "a"; NULL "b"; 7; the text.
        Assert.Equal("1300000003" + "0201" + "02" + "01" + "0200" + "0161" + "0600" + "0162" + "0700" + "444F2031", Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void An_execution_says_how_many_parameters_it_has_and_gives_each_an_empty_name()
    {
        var writer = Announced();
        StatementExecute.Write(writer, 5);
        Assert.Equal("0A00000017" + "05000000" + "00" + "01000000", Convert.ToHexString(writer.Written));

        writer = Announced();
        var at = StatementExecute.Begin(writer, 5);
        StatementExecute.BeginParameters(writer, 1, typesFollow: true);
        StatementExecute.WriteType(writer, 2);
        Assert.Equal(3, StatementExecute.TypeLength(writer));
        writer.UInt16(7);
        writer.End(at);
        Assert.Equal("1200000017" + "05000000" + "08" + "01000000" + "01" + "00" + "01" + "0200" + "00" + "0700", Convert.ToHexString(writer.Written));
    }

    [Fact]
    public void A_collection_keeps_one_value_for_a_name_and_wants_names()
    {
        using var command = new MySqlCommand();
        command.Attributes.SetAttribute("a", 1);
        command.Attributes.SetAttribute("a", 2);
        Assert.Equal(2, Assert.Single(command.Attributes).Value);
        Assert.Throws<ArgumentException>(() => command.Attributes.Add(new MySqlAttribute()));
        Assert.Throws<ArgumentException>(() => command.Attributes.SetAttribute("", 1));
        Assert.True(command.Attributes.Remove(command.Attributes[0]));
        Assert.Empty(command.Attributes);
    }
}
