using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Tests;

public class IntegerRowsTests
{
    [Fact]
    public void Counts_up_over_rows_and_columns()
    {
        using var rows = new IntegerRows(2);
        var found = new List<object>();
        var values = new object[3];
        while (rows.Read())
        {
            Assert.Equal(3, rows.GetValues(values));
            found.AddRange(values);
        }

        Assert.Equal([0, 1, 2, 3, 4, 5], found);
    }
}
