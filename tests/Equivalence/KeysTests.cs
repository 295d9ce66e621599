using Slipstream.Equivalence.Comparing;
using Slipstream.Equivalence.Running;

namespace Slipstream.Equivalence.Tests;

public class KeysTests
{
    private readonly Keys _keys = new();

    [Fact]
    public void Keys_that_differ_by_a_gap_are_the_same_as_long_as_they_point_to_the_same_rows()
    {
        Assert.True(_keys.AreSame("scalar Int64:700000004", "scalar Int64:700000009"));
        Assert.True(_keys.AreSame("row Int32:700000004 | String:a", "row Int32:700000009 | String:a"));
        Assert.True(_keys.AreSame("row Int32:700000005 | String:b", "row Int32:700000010 | String:b"));
    }

    [Fact]
    public void A_key_that_is_another_rows_differs()
    {
        Assert.True(_keys.AreSame("key Int64:700000004", "key Int64:700000004"));
        Assert.False(_keys.AreSame("row Int32:700000004 | String:a", "row Int32:700000005 | String:a"));
        Assert.False(_keys.AreSame("row Int32:700000006 | String:a", "row Int32:700000004 | String:a"));
    }

    [Fact]
    public void A_key_of_another_table_differs() => Assert.False(_keys.AreSame("key Int64:700000004", "key Int64:800000004"));

    [Fact]
    public void A_key_that_refers_to_two_rows_on_one_side_differs()
    {
        Assert.True(_keys.AreSame("row 700000004 | 700000004", "row 700000007 | 700000007"));
        Assert.False(_keys.AreSame("row 700000005 | 700000005", "row 700000008 | 700000009"));
    }

    [Fact]
    public void Other_numbers_and_words_are_compared_as_they_are()
    {
        Assert.False(_keys.AreSame("scalar Int64:0", "scalar Int64:700000009"));
        Assert.False(_keys.AreSame("scalar Int64:7", "scalar Int64:8"));
        Assert.False(_keys.AreSame("row Int32:700000004 | String:a", "row Int64:700000004 | String:a"));
        Assert.True(_keys.AreSame("row Double:0.700000001 | 7000000001", "row Double:0.700000001 | 7000000001"));
        Assert.False(_keys.AreSame("row Double:0.700000001", "row Double:0.700000002"));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(60)]
    [InlineData(76)]
    [InlineData(200)]
    public void Keys_in_a_long_error_are_compared_by_what_they_point_to_wherever_it_is_cut(int before)
    {
        var words = new string('x', before);
        Assert.True(_keys.AreSame(Refusal(800000009, "abc"), Refusal(800000008, "abc")));
        Assert.True(_keys.AreSame("row Int64:800000009", "row Int64:800000008"));
        Assert.False(_keys.AreSame(Refusal(800000009, "abc"), Refusal(800000010, "abc")));
        Assert.False(_keys.AreSame(Refusal(800000009, "abc"), Refusal(800000008, "abd")));

        string Refusal(int key, string value) => Canonical.Message($"{words} DETAIL: Failing row contains ({key}, null, {value}, {new string('y', 100)}).");
    }
}
