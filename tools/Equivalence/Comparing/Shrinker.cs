using System.Collections.Immutable;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Comparing;

/// <summary>
/// Reduces a program that shows a difference: removes whole leases first, then runs of steps, then parts of single steps. Each step is independent of the
/// others, so what remains is still a program.
/// </summary>
/// <param name="differs">Whether a program shows a difference.</param>
/// <param name="mostRuns">The number of runs after which the reduction stops.</param>
internal sealed class Shrinker(Func<EquivalenceProgram, Task<bool>> differs, int mostRuns = 400)
{
    private int _runs;

    public async Task<EquivalenceProgram> ShrinkAsync(EquivalenceProgram program)
    {
        var smallest = program;
        while (true)
        {
            var before = smallest;
            smallest = await WithoutLeases(smallest);
            for (var length = Math.Max(1, smallest.Steps.Length / 2); length >= 1; length /= 2)
                smallest = await WithoutRuns(smallest, length);
            smallest = await Simpler(smallest);
            if (ReferenceEquals(before, smallest) || _runs >= mostRuns)
                return smallest;
        }
    }

    private async Task<EquivalenceProgram> WithoutLeases(EquivalenceProgram program)
    {
        for (var i = program.Steps.Length - 1; i >= 0; i--)
        {
            if (i >= program.Steps.Length || program.Steps[i] is not OpenStep open)
                continue;
            // Remove the steps of this user up to the end of the lease.
            var end = i + 1;
            while (end < program.Steps.Length && !(program.Steps[end] is CloseStep close && close.User == open.User))
                end++;
            var without = program with
            {
                Steps = [.. program.Steps.Where((step, at) => at < i || at > end || step.User != open.User)],
            };
            program = await Better(program, without);
        }

        return program;
    }

    private async Task<EquivalenceProgram> WithoutRuns(EquivalenceProgram program, int length)
    {
        for (var at = program.Steps.Length - length; at >= 0; at -= length)
        {
            if (at + length > program.Steps.Length)
                continue;
            program = await Better(program, program with { Steps = program.Steps.RemoveRange(at, length) });
        }

        return program;
    }

    private async Task<EquivalenceProgram> Simpler(EquivalenceProgram program)
    {
        if (program.PoolSize > 1)
            program = await Better(
                program, program with { PoolSize = 1, Steps = [.. program.Steps.Select(static step => step.User > 0 ? step with { User = 0 } : step)] });
        for (var i = 0; i < program.Steps.Length; i++)
            foreach (var simpler in Simpler(program.Steps[i]).ToList())
                program = await Better(program, program with { Steps = program.Steps.SetItem(i, simpler) });
        return program;
    }

    private static IEnumerable<Step> Simpler(Step step)
    {
        if (step.Async)
            yield return step with { Async = false };
        switch (step)
        {
            case CommandStep command:
                if (command.Times > 1)
                {
                    yield return command with { Times = 1 };
                    yield return command with { Times = command.Times - 1 };
                }

                if (command.Prepares)
                    yield return command with { Prepares = false };
                if (command.Read != new ReadPlan())
                    yield return command with { Read = new() };
                if (command.Verb == Verb.Reader)
                    yield return command with { Verb = Verb.Scalar };
                for (var i = 0; i < command.Text.Args.Length; i++)
                    if (command.Text.Args[i] != Arg.Int(1))
                        yield return command with { Text = new(command.Text.Sql, command.Text.Args.SetItem(i, Arg.Int(1))) };
                break;
            case BatchStep batch:
                for (var i = batch.Commands.Length - 1; i >= 0 && batch.Commands.Length > 1; i--)
                    yield return batch with { Commands = batch.Commands.RemoveAt(i) };
                if (batch.Prepares)
                    yield return batch with { Prepares = false };
                if (batch.Read != new ReadPlan())
                    yield return batch with { Read = new() };
                break;
            case BulkStep bulk:
                for (var i = bulk.Rows.Length - 1; i >= 0; i--)
                    yield return bulk with { Rows = bulk.Rows.RemoveAt(i) };
                break;
        }
    }

    private async Task<EquivalenceProgram> Better(EquivalenceProgram program, EquivalenceProgram smaller) =>
        _runs++ < mostRuns && smaller.Steps.Length > 0 && await differs(smaller) ? smaller : program;
}
