using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Slipstream.Fuzzing;

/// <summary>
/// The states that were reached. Its counters show which inputs do something new. Its digest of the outcome shows whether two executions of the same input
/// differ.
/// </summary>
public sealed class StateSet
{
    private const int Size = 1 << 16;

    private readonly byte[] _seen = new byte[Size];
    private uint _previous;

    /// <summary>
    /// Gets the byte around the input in a target's own buffer. An input runs with several values: a different outcome means a read beyond the message.
    /// </summary>
    public byte Poison { get; private set; }

    /// <summary>Gets the number of different states, and of steps between states, reached so far.</summary>
    public int Count { get; private set; }

    /// <summary>Gets whether the current execution reached one for the first time.</summary>
    public bool IsNew { get; private set; }

    /// <summary>Gets a digest of the states and values of the current execution, in order.</summary>
    public ulong Digest { get; private set; }

    /// <summary>Records that a place in the code or a state of the protocol was reached. The previous state counts: A then B differs from C then B.</summary>
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

    /// <summary>Records that a place was reached with a number. The magnitude of the number is part of the state.</summary>
    public void Visit(int state, long number)
    {
        Visit(state << 8 | 64 - BitOperations.LeadingZeroCount((ulong)number));
        Note((ulong)number);
    }

    /// <summary>Records a value as part of the outcome, but not as a state.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Note(ulong value) => Digest = (BitOperations.RotateLeft(Digest, 5) ^ value) * 0x9E3779B97F4A7C15;

    /// <summary>Records bytes as part of the outcome.</summary>
    public void Note(ReadOnlySpan<byte> value)
    {
        Note((ulong)value.Length);
        var whole = MemoryMarshal.Cast<byte, ulong>(value);
        foreach (var part in whole)
            Note(part);
        foreach (var part in value[(whole.Length * sizeof(ulong))..])
            Note(part);
    }

    /// <summary>Records a text as part of the outcome.</summary>
    public void Note(ReadOnlySpan<char> value) => Note(MemoryMarshal.AsBytes(value));

    internal void Begin(byte poison)
    {
        Poison = poison;
        _previous = 0;
        Digest = 0;
        IsNew = false;
    }
}
