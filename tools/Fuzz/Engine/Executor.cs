namespace Slipstream.Fuzzing.Engine;

/// <summary>Executes one input and checks the conditions that hold for every target.</summary>
internal sealed class Executor(IFuzzTarget target, GuardedMemory memory)
{
    private const byte FirstPoison = 0xA5;

    // The second poison finds reads beyond the message by a different outcome. Zero looks most like the end of something, and the first one like a length.
    private const byte SecondPoison = 0x00;

    public StateSet States { get; } = new();

    /// <summary>Executes the input once, or twice with different poison around it.</summary>
    /// <returns>The fault, or null if there is none.</returns>
    public Fault? Execute(ReadOnlySpan<byte> input, bool twice)
    {
        var fault = Once(input, FirstPoison);
        var isNew = States.IsNew;
        if (fault is not null || !(twice || isNew))
            return fault;
        var digest = States.Digest;
        fault = Once(input, SecondPoison);
        IsNew = isNew;
        return fault ?? (States.Digest == digest
            ? null
            : new(
                FaultKind.Overread, "overread",
                "the outcome differs with what lies behind the message: something reads past its end, or remembers the last execution"));
    }

    /// <summary>Gets whether the last input reached something new.</summary>
    public bool IsNew { get; private set; }

    private Fault? Once(ReadOnlySpan<byte> input, byte poison)
    {
        States.Begin(poison);
        var place = memory.Place(input);
        var before = GC.GetAllocatedBytesForCurrentThread();
        try
        {
            target.Execute(place, States);
        }
        catch (Exception e)
        {
            IsNew = false;
            return new(FaultKind.Exception, $"{e.GetType().FullName} {Origin(e)}", $"undocumented {e.GetType().Name}: {e.Message}\n{e.StackTrace}");
        }

        IsNew = States.IsNew;
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        return allocated <= target.MostAllocation(input.Length) ? null : TooMuch(input, poison, allocated);
    }

    // An object that is created once, such as a table or a compiled method, does not belong to the input: a second execution does not allocate it.
    private Fault? TooMuch(ReadOnlySpan<byte> input, byte poison, long first)
    {
        States.Begin(poison);
        var place = memory.Place(input);
        var before = GC.GetAllocatedBytesForCurrentThread();
        target.Execute(place, States);
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        var most = target.MostAllocation(input.Length);
        return allocated <= most
            ? null
            : new(
                FaultKind.Allocation, "allocation",
                $"{allocated:N0} bytes were allocated ({first:N0} the first time) for an input of {input.Length:N0}, for which at most {most:N0} are in order");
    }

    private static string Origin(Exception e)
    {
        foreach (var line in (e.StackTrace ?? "").Split('\n'))
        {
            if (line.Contains("Slipstream", StringComparison.Ordinal))
                return line.Split(" in ")[0].Trim();
        }

        return "";
    }
}
