namespace Slipstream.Fuzzing.Targets;

/// <summary>An array with the message near its end and poison before and after it, for code that reads arrays instead of spans.</summary>
internal sealed class PoisonedBuffer
{
    private const int Margin = 32;

    public byte[] Array { get; } = new byte[65536 + 2 * Margin];

    public int Start { get; private set; }

    public int End => Array.Length - Margin;

    /// <summary>Copies the message into the array.</summary>
    public void Set(ReadOnlySpan<byte> input, byte poison)
    {
        Start = End - input.Length;
        input.CopyTo(Array.AsSpan(Start));
        Array.AsSpan(Start - Margin, Margin).Fill(poison);
        Array.AsSpan(End).Fill(poison);
    }
}
