using Slipstream.Equivalence.Comparing;
using Slipstream.Equivalence.Generating;
using Slipstream.Equivalence.Language;
using Slipstream.Equivalence.Running;

namespace Slipstream.Equivalence.Tests;

public class ShrinkerTests
{
    [Fact]
    public async Task What_does_not_matter_is_left_out()
    {
        var generator = Generator.For(new("eq_1", [], IsMariaDb: false, ForPeers: false), isPostgreSql: false);
        var shrunk = 0;
        for (var seed = 1; seed <= 60; seed++)
        {
            var program = generator.Create(seed);
            if (!Differs(program))
                continue;
            shrunk++;
            var smallest = await new Shrinker(candidate => Task.FromResult(Differs(candidate)), 5000).ShrinkAsync(program);
            Assert.True(smallest.Steps.Length <= 3, string.Join(", ", smallest.Steps.Select(static step => step.Kind)));
            Assert.True(Differs(smallest));
            Assert.All(smallest.Steps, static step => Assert.False(step.Async));
        }

        Assert.True(shrunk > 5);
    }

    [Fact]
    public async Task A_command_that_is_repeated_is_repeated_as_often_as_it_must_be()
    {
        var program = new EquivalenceProgram(
            1, 1, [new OpenStep(0), new CommandStep(0, "query", Text.Of("SELECT 1"), Verb.Reader) { Times = 4, Prepares = true }, new CloseStep(0)]);

        var smallest =
            await new Shrinker(candidate => Task.FromResult(candidate.Steps.OfType<CommandStep>().Any(static step => step.Times >= 3))).ShrinkAsync(program);

        var left = Assert.IsType<CommandStep>(Assert.Single(smallest.Steps));
        Assert.Equal(3, left.Times);
        Assert.False(left.Prepares);
    }

    [Fact]
    public async Task Commands_of_a_batch_are_left_out_one_by_one()
    {
        var program = new EquivalenceProgram(1, 3, [new OpenStep(2), new BatchStep(2, "batch", [Text.Of("a"), Text.Of("b"), Text.Of("c")], Verb.NonQuery)]);

        var smallest = await new Shrinker(
            candidate => Task.FromResult(candidate.Steps.OfType<BatchStep>().Any(static batch => batch.Commands.Any(static text => text.Sql == "b"))))
                .ShrinkAsync(program);

        Assert.Equal("b", Assert.Single(Assert.IsType<BatchStep>(Assert.Single(smallest.Steps)).Commands).Sql);
        Assert.Equal(1, smallest.PoolSize);
    }

    // A query somewhere behind a setting of the same user.
    private static bool Differs(EquivalenceProgram program)
    {
        for (var i = 0; i < program.Steps.Length; i++)
            if (program.Steps[i].Kind == "set" && program.Steps.Skip(i).Any(step => step.Kind == "query" && step.User == program.Steps[i].User))
                return true;
        return false;
    }
}
