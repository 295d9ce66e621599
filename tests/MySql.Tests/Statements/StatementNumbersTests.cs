using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Tests.Statements;

public class StatementNumbersTests
{
    [Fact]
    public void The_next_number_follows_the_last_answer()
    {
        var numbers = new StatementNumbers();
        Assert.Null(numbers.Next(0));
        numbers.Confirm(7, 0);
        Assert.Equal(8u, numbers.Next(0));
        numbers.Confirm(12, 0);
        Assert.Equal(13u, numbers.Next(0));
    }

    [Fact]
    public void Nothing_is_foretold_behind_something_that_is_not_understood()
    {
        var numbers = new StatementNumbers();
        numbers.Confirm(7, unproven: 3);
        Assert.Null(numbers.Next(4));
        Assert.Equal(8u, numbers.Next(3));
        numbers.Invalidate();
        Assert.Null(numbers.Next(3));
        numbers.Confirm(9, unproven: 4);
        Assert.Equal(10u, numbers.Next(4));
    }

    [Fact]
    public void Who_numbers_otherwise_is_not_foretold_for_ever()
    {
        var numbers = new StatementNumbers();
        for (var i = 0; i < 3; i++)
        {
            numbers.Confirm(1, 0);
            Assert.NotNull(numbers.Next(0));
            numbers.Missed();
        }

        numbers.Confirm(1, 0);
        Assert.Null(numbers.Next(0));
    }

    [Fact]
    public void The_numbers_of_a_session_that_counts_to_the_end_are_not_foretold()
    {
        var numbers = new StatementNumbers();
        numbers.Confirm(uint.MaxValue, 0);
        Assert.Null(numbers.Next(0));
    }
}
