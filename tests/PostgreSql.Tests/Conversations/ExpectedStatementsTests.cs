using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.Tests.Conversations;

/// <summary>The list of statements that an exchange expects.</summary>
public class ExpectedStatementsTests
{
    private readonly ExpectedStatements _expected = new();
    private readonly PgStatement _statement = PgStatement.ScanPositional("a; b; c");

    [Fact]
    public void They_are_passed_in_order()
    {
        Write(null);
        Assert.Same(_statement.Parts[0], _expected.Current.Part);
        Assert.False(_expected.IsAtLast);
        Assert.True(_expected.MoveNext());
        Assert.True(_expected.MoveNext());
        Assert.True(_expected.IsAtLast);
        Assert.False(_expected.MoveNext());
    }

    [Fact]
    public void An_error_leads_to_the_next_sync()
    {
        Write(null, groupEnd: 1);
        Assert.True(_expected.MoveToEndOfGroup());
        Assert.Same(_statement.Parts[1], _expected.Current.Part);
        Assert.True(_expected.MoveNext());
        Assert.False(_expected.MoveToEndOfGroup());
        Assert.Same(_statement.Parts[2], _expected.Current.Part);
    }

    [Fact]
    public void What_is_removed_is_not_being_parsed()
    {
        var prepared = new PreparedPart("s1"u8.ToArray(), []);
        Write(prepared);
        Assert.Equal((true, _expected.Number), (prepared.IsBeingParsed, prepared.WrittenIn));
        Assert.True(_expected.BeginsPrepared);
        _expected.RemoveFrom(1);
        Assert.True(prepared.IsBeingParsed);
        _expected.Clear();
        Assert.False(prepared.IsBeingParsed);
        Assert.Equal((0, false), (_expected.Count, _expected.BeginsPrepared));
    }

    [Fact]
    public void A_start_gives_a_new_number_and_the_callers_purpose()
    {
        var number = _expected.Number;
        _expected.Purpose = Purpose.EndOfBatch;
        Write(null);
        Assert.Equal((number + 1, Purpose.Command), (_expected.Number, _expected.Current.Purpose));
    }

    // The first of the three is the prepared one.
    private void Write(PreparedPart? prepared, int groupEnd = -1)
    {
        _expected.Start();
        _expected.BeginCommand(_statement, 0);
        for (var i = 0; i < _statement.Parts.Length; i++)
        {
            _expected.Add(_statement.Parts[i], i == 0 ? prepared : null, parses: true, describes: true, executes: true, closes: false);
            if (i == groupEnd)
                _expected.EndGroup();
        }
    }
}
