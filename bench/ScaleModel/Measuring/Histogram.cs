using System.Numerics;

namespace Slipstream.ScaleModel.Measuring;

/// <summary>Counts times in buckets whose bounds differ by 3 %.</summary>
internal sealed class Histogram
{
    private const int BitsOfBucket = 5;
    private const int Buckets = 1 << BitsOfBucket;

    private readonly int[] _counts = new int[40 * Buckets];

    public long Count { get; private set; }

    /// <param name="time">The time in tenths of a microsecond.</param>
    public void Add(long time)
    {
        _counts[IndexOf(time)]++;
        Count++;
    }

    public void Add(Histogram other)
    {
        for (var i = 0; i < _counts.Length; i++)
            _counts[i] += other._counts[i];
        Count += other.Count;
    }

    public void Clear()
    {
        Array.Clear(_counts);
        Count = 0;
    }

    /// <summary>Returns the time in microseconds that a share of the times does not exceed.</summary>
    public double At(double share)
    {
        var left = (long)(share * Count);
        var index = 0;
        while (index < _counts.Length - 1 && (left -= _counts[index]) >= 0)
            index++;
        return UpperBound(index) / 10.0;
    }

    // Times below two bits more than a bucket's have a bucket each.
    private static int IndexOf(long time)
    {
        var value = (ulong)Math.Max(0, time);
        var shift = Math.Max(0, BitOperations.Log2(value | 1) - BitsOfBucket);
        return Math.Min((shift * Buckets) + (int)(value >> shift), (40 * Buckets) - 1);
    }

    private static double UpperBound(int index)
    {
        if (index < 2 * Buckets)
            return index + 1;
        var shift = (index / Buckets) - 1;
        return (double)((long)(index - (shift * Buckets)) + 1) * Math.Pow(2, shift);
    }
}
