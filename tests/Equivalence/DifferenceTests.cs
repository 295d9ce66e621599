using System.Data.Common;
using Slipstream.Equivalence.Comparing;
using Slipstream.Equivalence.Running;

namespace Slipstream.Equivalence.Tests;

public class DifferenceTests
{
    private const string Deprecated = "notice: Warning 1287 '|| as a synonym for OR' is deprecated and will be removed in a future release.";

    private static readonly Pair Off = Pair.All(isPostgreSql: false)[0];

    [Fact]
    public void A_syntax_error_is_compared_without_what_it_quotes()
    {
        Assert.Equal(Refusal("'back\\\\slash' at line 1"), Refusal("_utf8mb4 X'6261636B5C736C617368' at line 1"));
        Assert.NotEqual(Canonical.Message("Table 'near 'a' is missing"), Canonical.Message("Table 'near 'b' is missing"));

        static string Refusal(string quoted) =>
            Canonical.Message(
                "You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server version for the right syntax to use near "
                    + $"'{quoted}");
    }

    [Fact]
    public void The_object_id_of_a_type_in_an_error_is_not_compared()
    {
        Assert.Equal(Canonical.Message("Column 'a' is of type oid 107507, but"), Canonical.Message("Column 'a' is of type oid 107657, but"));
        Assert.NotEqual(Canonical.Message("Column 'a' is of type oid 107507, but"), Canonical.Message("Column 'b' is of type oid 107507, but"));
        Assert.NotEqual(Canonical.Message("void 1"), Canonical.Message("void 2"));
    }

    [Fact]
    public void Two_traces_that_say_the_same_have_none() => Assert.Null(Between(Of((0, "row 1"), (1, "Open")), Of((0, "row 1"), (1, "Open"))));

    [Fact]
    public void A_value_that_differs_is_found_at_its_step()
    {
        var difference = Between(Of((0, "Open"), (1, "row Int32:1"), (2, "Open")), Of((0, "Open"), (1, "row Int64:1"), (2, "Open")));

        Assert.Equal(new Difference(1, "row Int32:1", "row Int64:1"), difference);
    }

    [Fact]
    public void What_only_one_side_was_told_is_found()
    {
        Assert.Equal(new Difference(1, "notice: a", "(nothing)"), Between(Of((0, "Open"), (1, "notice: a"), (2, "Open")), Of((0, "Open"), (2, "Open"))));
        Assert.Equal(new Difference(1, "(nothing)", "notice: a"), Between(Of((0, "Open")), Of((0, "Open"), (1, "notice: a"))));
    }

    [Fact]
    public void Tables_that_differ_at_the_end_are_found() =>
        Assert.Equal(Trace.AtEnd, Between(Of((0, "Open"), (Trace.AtEnd, "table t: 1")), Of((0, "Open"), (Trace.AtEnd, "table t: 2")))!.Step);

    [Fact]
    public void What_is_wrong_by_itself_is_found_though_both_sides_show_it()
    {
        var wrong = Of((0, "Open"));
        wrong.Violation(3, "the next lease begins with a = 1");

        Assert.Equal(3, Between(wrong, wrong)!.Step);
    }

    [Fact]
    public void What_is_allowed_is_none()
    {
        Assert.Null(Between(Of((0, "Open"), (1, "notice: there is already a transaction in progress")), Of((0, "Open"))));
        Assert.Null(Between(Of((1, Deprecated)), Of()));
        Assert.Null(Between(Of((0, "Open"), (1, "notice: Warning 6414 Combining the storage engines InnoDB and MyISAM is deprecated, …")), Of((0, "Open"))));
        Assert.All(Allowed.Reasons, static reason => Assert.True(reason.Length > 40));
    }

    [Fact]
    public void A_warning_of_a_deprecated_text_is_a_difference_where_both_sides_prepare_alike()
    {
        var ways = Pair.All(isPostgreSql: false).Single(static pair => pair.Name == "async");

        Assert.NotNull(Difference.Between(Of((1, Deprecated)), Of(), ways));
    }

    // MySqlConnector says so by itself, without a number; the server says it to us.
    [Fact]
    public void A_peer_that_looks_a_procedure_up_says_the_same_as_the_server()
    {
        var missing = new Refusal("Procedure or function '`p_out`' cannot be found in database 'eq_1_b'.");

        Assert.Equal("refused 1305 42000", Canonical.ErrorOfAny(Driver.MySqlConnector, missing));
        Assert.Equal("refused by the driver", Canonical.ErrorOfAny(Driver.MySql, missing));
        Assert.Equal("refused by the driver", Canonical.ErrorOfAny(Driver.MySqlConnector, new Refusal("It is open already.")));
    }

    private sealed class Refusal(string message) : DbException(message);

    private static Difference? Between(Trace first, Trace second) => Difference.Between(first, second, Off);

    private static Trace Of(params (int Step, string Text)[] observations)
    {
        var trace = new Trace();
        foreach (var (step, text) in observations)
            trace.Add(step, text);
        return trace;
    }
}
