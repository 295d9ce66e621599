using Slipstream.Fuzzing.Engine;

namespace Slipstream.Fuzzing.Tests;

/// <summary>The checks fail when they should: each with a target that is wrong on purpose.</summary>
public sealed class EngineTests
{
    [Fact]
    public void An_undocumented_exception_is_found_made_small_and_written_to_a_file()
    {
        var target = new Wrong((input, _) =>
        {
            if (input.Contains((byte)'x'))
                throw new InvalidCastException("on purpose");
        });
        var found = new List<Finding>();
        var results = new FuzzRun(new(TimeSpan.FromSeconds(30), 200_000, 1)) { Found = found.Add }.Run([target], CancellationToken.None);
        var finding = Assert.Single(results[0].Findings);
        Assert.Same(finding, Assert.Single(found));
        Assert.Equal(FaultKind.Exception, finding.Fault.Kind);
        Assert.Contains("on purpose", finding.Fault.Text);
        Assert.Equal("x"u8, finding.Input);
        Assert.Equal("x"u8, File.ReadAllBytes(Path.Combine(FindingStore.Root, finding.Path)));
        Assert.Equal($"./fuzz --target wrong --replay {finding.Path}", finding.Reproduction);
    }

    [Fact]
    public void Too_much_memory_is_found()
    {
        var fault = Execute((input, states) => states.Note((ulong)new byte[input.Length * 100 + 70_000].Length));
        Assert.Equal(FaultKind.Allocation, fault?.Kind);
    }

    [Fact]
    public void Memory_that_only_the_first_execution_allocates_is_no_finding()
    {
        byte[]? once = null;
        Assert.Null(Execute((_, states) => states.Note((ulong)(once ??= new byte[1_000_000]).Length)));
    }

    [Fact]
    public void A_read_past_the_message_in_a_targets_own_buffer_is_found()
    {
        var fault = Execute((input, states) =>
        {
            var buffer = new byte[input.Length + 1];
            buffer.AsSpan().Fill(states.Poison);
            input.CopyTo(buffer);
            states.Note(buffer[^1]);
        });
        Assert.Equal(FaultKind.Overread, fault?.Kind);
    }

    [Fact]
    public void An_execution_that_does_not_end_is_found_with_its_input()
    {
        using var hung = new ManualResetEventSlim();
        var found = new List<Finding>();
        var target = new Wrong((input, _) =>
        {
            if (input.Length == 3)
                hung.Wait();
        });
        new FuzzRun(new(TimeSpan.FromSeconds(60), 100, 1) { LongestExecution = TimeSpan.FromSeconds(3) })
        {
            Hung = finding =>
            {
                found.Add(finding);
                hung.Set();
            },
        }.Run([target], CancellationToken.None);
        var finding = Assert.Single(found);
        Assert.Equal(FaultKind.Hang, finding.Fault.Kind);
        Assert.Equal("abc"u8, finding.Input);
    }

    [Fact]
    public void The_same_seed_does_the_same_again()
    {
        Assert.Equal(Digest(7), Digest(7));
        Assert.NotEqual(Digest(7), Digest(8));

        static ulong Digest(ulong seed)
        {
            var all = new StateSet();
            var target = new Wrong((input, states) =>
            {
                states.Visit(1, input.Length);
                all.Note(input);
            });
            new FuzzRun(new(TimeSpan.MaxValue, 10_000, seed)).Run([target], CancellationToken.None);
            return all.Digest;
        }
    }

    [Fact]
    public void What_a_process_that_died_was_working_on_can_be_read_from_its_file()
    {
        var folder = Directory.CreateTempSubdirectory();
        try
        {
            using var memory = new GuardedMemory(folder.FullName, "wrong");
            memory.Place("first"u8);
            memory.Place("abc"u8);
            if (!OperatingSystem.IsLinux())
                return;
            var (target, input) = GuardedMemory.Read(Directory.GetFiles(folder.FullName).Single());
            Assert.Equal("wrong", target);
            Assert.Equal("abc"u8, input);
        }
        finally
        {
            folder.Delete(recursive: true);
        }
    }

    private static Fault? Execute(Action<byte[], StateSet> execute)
    {
        using var memory = new GuardedMemory(FindingStore.Running, "wrong");
        return new Executor(new Wrong(execute), memory).Execute("abc"u8, twice: true);
    }

    private sealed class Wrong(Action<byte[], StateSet> execute) : IFuzzTarget
    {
        public string Name => "wrong";

        public FuzzLevel Level => FuzzLevel.Bytes;

        public IFrameMap? Frames => null;

        public IReadOnlyList<byte[]> Seeds() => ["abc"u8.ToArray()];

        public void Execute(ReadOnlySpan<byte> input, StateSet states) => execute(input.ToArray(), states);
    }
}
