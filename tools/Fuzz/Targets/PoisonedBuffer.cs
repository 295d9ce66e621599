namespace Slipstream.Fuzzing.Targets;

/// <summary>An array that holds the message near its end, with poison in front of it and behind: for what reads arrays, not spans.</summary>
internal sealed class PoisonedBuffer
{
    private const int Margin = 32;

    public byte[] Array { get; } = new byte[65536 + 2 * Margin];

    public int Start { get; private set; }

    public int End => Array.Length - Margin;

    /// <summary>Takes the message in.</summary>
    public void Set(ReadOnlySpan<byte> input, byte poison)
    {
        Start = End - input.Length;
        input.CopyTo(Array.AsSpan(Start));
        Array.AsSpan(Start - Margin, Margin).Fill(poison);
        Array.AsSpan(End).Fill(poison);
    }
}
