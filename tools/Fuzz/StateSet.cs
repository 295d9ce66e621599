using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Slipstream.Fuzzing;

/// <summary>
/// What was reached: the counters by which inputs that do something new are told from those that do not, and a digest of the outcome by which
/// two executions of the same input are compared.
/// </summary>
public sealed class StateSet
{
    private const int Size = 1 << 16;

    private readonly byte[] _seen = new byte[Size];
    private uint _previous;

    /// <summary>What lies around the input in a target's own buffer. An input is executed with several: if the outcome differs, something read past the message.</summary>
    public byte Poison { get; private set; }

    /// <summary>How many different states, and steps from one to another, were reached so far.</summary>
    public int Count { get; private set; }

    /// <summary>Whether the current execution reached one for the first time.</summary>
    public bool IsNew { get; private set; }

    /// <summary>What the current execution visited and noted, in order.</summary>
    public ulong Digest { get; private set; }

    /// <summary>A place in the code or a state of the protocol was reached. What came just before counts: A then B is another thing than C then B.</summary>
    public void Visit(int state)
    {
        var number = (uint)state * 0x9E3779B1u;
        var place = (number ^ _previous) >> 16;
        _previous = BitOperations.RotateLeft(number, 7);
        Note(number);
        ref var seen = ref _seen[place];
        if (seen != 0)
            return;
        seen = 1;
        Count++;
        IsNew = true;
    }

    /// <summary>A place was reached with a number, of which the magnitude makes the state.</summary>
    public void Visit(int state, long number)
    {
        Visit(state << 8 | 64 - BitOperations.LeadingZeroCount((ulong)number));
        Note((ulong)number);
    }

    /// <summary>Part of the outcome that makes no state of its own: a value that was read.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Note(ulong value) => Digest = (BitOperations.RotateLeft(Digest, 5) ^ value) * 0x9E3779B97F4A7C15;

    /// <summary>The same for bytes.</summary>
    public void Note(ReadOnlySpan<byte> value)
    {
        Note((ulong)value.Length);
        var whole = MemoryMarshal.Cast<byte, ulong>(value);
        foreach (var part in whole)
            Note(part);
        foreach (var part in value[(whole.Length * sizeof(ulong))..])
            Note(part);
    }

    /// <summary>The same for text.</summary>
    public void Note(ReadOnlySpan<char> value) => Note(MemoryMarshal.AsBytes(value));

    internal void Begin(byte poison)
    {
        Poison = poison;
        _previous = 0;
        Digest = 0;
        IsNew = false;
    }
}
