using Slipstream.Core.Conversations;

namespace Slipstream.Core.Tests.Conversations;

public class BulkColumnsTests
{
    private static readonly BulkColumn[] Table = [new("id", false, true), new("a", false, false), new("twice", true, false), new("B", false, false)];

    [Theory]
    [InlineData(-1, "0,1,2", "0,1,3")]
    [InlineData(3, "0,1,2", "0,1,3")]
    [InlineData(4, "0,1,3", "0,1,3")]
    [InlineData(2, "0,1", "1,3")]
    public void Without_mappings_values_go_by_position_past_what_takes_none(int fields, string ordinals, string columns)
    {
        var (from, to) = BulkColumns.ByPosition("t", Table, fields);
        Assert.Equal(ordinals, string.Join(',', from));
        Assert.Equal(columns, string.Join(',', to));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5)]
    public void Another_number_of_values_is_an_error_that_names_the_numbers(int fields) =>
        Assert.Contains(
            $"{fields} values, but t has 3 columns", Assert.Throws<InvalidOperationException>(() => BulkColumns.ByPosition("t", Table, fields)).Message);

    [Fact]
    public void A_name_is_found_exactly_first()
    {
        BulkColumn[] both = [new("A", false, false), new("a", false, false)];
        Assert.Equal(1, BulkColumns.Find("t", both, "a"));
        Assert.Equal(3, BulkColumns.Find("t", Table, "b"));
        Assert.Throws<InvalidOperationException>(() => BulkColumns.Find("t", Table, "c"));
    }

    [Fact]
    public void Mappings_of_a_source_that_writes_by_itself_are_sorted()
    {
        BulkMapping[] mappings = [new(2, "x"), new(0, "y")];
        Assert.Equal([0, 2], BulkColumns.InOrder(mappings, -1).Select(static mapping => mapping.Source));
        Assert.Equal([2, 0], BulkColumns.InOrder(mappings, 3).Select(static mapping => mapping.Source));
        Assert.Throws<InvalidOperationException>(() => BulkColumns.InOrder(mappings, 2));
        Assert.Throws<InvalidOperationException>(() => BulkColumns.InOrder([new(-1, "x")], -1));
    }
}
