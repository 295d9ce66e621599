using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Statements;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Sessions;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.Tests.Conversations;

public partial class CommandExchangeTests
{
    [Theory]
    [MemberData(nameof(Pieces))]
    public void A_batch_in_flights_is_one_exchange(int pieces)
    {
        byte[] one = [.. Says.ParseComplete, .. Says.BindComplete, .. Says.Columns(0, TypeOid.Int4), .. Says.TextRow("7"), .. Says.Complete("SELECT 1")];
        byte[] two = [.. Says.ParseComplete, .. Says.BindComplete, .. Says.NoData, .. Says.Complete("INSERT 0 2")];
        var talk = new Talk([.. one, .. two, .. two, .. one, .. Says.Ready()], pieces);
        var plan = new Flights(talk, ["one", "two"], ["two", "one"]);
        Assert.Equal([Step.Metadata, Step.Row, Step.Completed], [talk.Next(), talk.Next(), talk.Next()]);
        Assert.True(talk.Exchange.HasMoreResults);
        talk.Exchange.NextResult();
        Assert.Equal([Step.Metadata, Step.Row, Step.Completed], [talk.Next(), talk.Next(), talk.Next()]);
        Assert.True(talk.Exchange.IsCompleted);
        Assert.Equal((4, 1), (talk.Exchange.RecordsAffected, talk.Server.Sends));
        Assert.Equal([(0, 1), (1, 2), (2, 2), (3, 1)], plan.Ends);
        Assert.Equal(
            [(1L, true), (2L, false), (2L, false), (1L, true)],
            Enumerable.Range(0, talk.Exchange.Outcomes.Count).Select(i => (talk.Exchange.Outcomes[i].Rows, talk.Exchange.Outcomes[i].HasResultSet)));
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void An_error_in_a_flight_that_is_not_the_last_is_answered_with_a_sync(int pieces)
    {
        var talk = new Talk([.. Says.ParseComplete, .. Says.Error("22012", "no"), .. Says.Ready()], pieces, Goal.Count);
        var plan = new Flights(talk, ["one", "two"], ["three"]);
        Assert.Equal(Step.Completed, talk.Next());
        Assert.True(talk.Exchange.IsCompleted);
        Assert.Equal(("22012", 0), (talk.Exchange.Error!.SqlState, talk.Exchange.FirstRefused));
        Assert.Equal([(byte)'S', 0, 0, 0, 4], talk.Server.Heard);
        Assert.Equal([0], plan.Refusals);
        Assert.Equal((1, 0), (plan.Skips, talk.Exchange.Outcomes.Count));
    }

    [Theory]
    [MemberData(nameof(Pieces))]
    public void With_a_sync_each_an_error_ends_only_its_own_command(int pieces)
    {
        byte[] fine = [.. Says.ParseComplete, .. Says.BindComplete, .. Says.NoData, .. Says.Complete("UPDATE 3"), .. Says.Ready()];
        var talk = new Talk([.. fine, .. Says.Error("42601", "no"), .. Says.Ready(), .. fine], pieces, Goal.Count);
        var plan = new Flights(talk, ["one", "two", "three"]) { ContinuesAfterErrors = true };
        plan.Begin(Goal.Count);
        Assert.Equal(Step.Completed, talk.Next());
        Assert.Equal(("42601", 1, 6), (talk.Exchange.Error!.SqlState, talk.Exchange.FirstRefused, talk.Exchange.RecordsAffected));
        Assert.Equal([(0, 3), (2, 3)], plan.Ends);
    }

    /// <summary>A batch whose sent messages the test does not check.</summary>
    private sealed class Flights : IBatchPlan
    {
        private readonly Talk _talk;
        private readonly string[][] _flights;
        private int _flight;
        private int _command;

        public Flights(Talk talk, params string[][] flights)
        {
            (_talk, _flights) = (talk, flights);
            Begin(talk.Goal);
        }

        public List<(int Command, long Rows)> Ends { get; } = [];

        public List<int> Refusals { get; } = [];

        public bool HasMore => _flight < _flights.Length;

        public bool ContinuesAfterErrors { get; init; }

        public bool HasOpenGroup => !ContinuesAfterErrors;

        public int Skips { get; private set; }

        public bool IsWhole => false;

        public bool CanBeRepeated => false;

        public Exception? Refusal => null;

        public IOutputs? TakeOutputs(int command) => null;

        public void Begin(Goal goal)
        {
            _flight = _command = 0;
            _talk.Exchange.Prepare(this);
            WriteNext(_talk.Exchange);
            _talk.Wire.Out.Clear();
            _talk.Exchange.Begin(goal, null, 0, isSequential: false);
        }

        public void WriteNext(CommandExchange exchange)
        {
            var table = new StatementTable<PgStatement>(PgStatement.ScanPositional);
            foreach (var sql in _flights[_flight++])
            {
                var statement = table.Get(sql);
                exchange.BeginCommand(statement, _command++);
                exchange.Expect(statement.Parts[0], null, parses: true, describes: true, executes: true);
                _talk.Wire.Out.Byte(0);
                if (ContinuesAfterErrors)
                    exchange.EndOfGroup();
            }

            if (!HasMore)
                exchange.EndOfGroup();
        }

        public void WriteEnd(CommandExchange exchange) => throw new InvalidOperationException("Nothing was refused.");

        public void WriteAgain(CommandExchange exchange) => throw new InvalidOperationException("It cannot be repeated.");

        public void Completed(int command, in StatementOutcome outcome) => Ends.Add((command, outcome.Rows));

        public void SkipGroup() => Skips++;

        public void Refused(int command, ServerError error) => Refusals.Add(command);
    }
}
