using System.Runtime.CompilerServices;

namespace Slipstream.Core.Bytes;

/// <summary>Receives a value of any type.</summary>
internal interface IValueTaker
{
    /// <summary>Processes the value.</summary>
    /// <typeparam name="T">The value's type, known at compile time.</typeparam>
    /// <param name="value">The value; never null.</param>
    void Take<T>(T value);
}

/// <summary>Unwraps nullable values without boxing, for parameters whose type is known at compile time.</summary>
internal static class NullableValues
{
    /// <summary>
    /// Passes the content of <paramref name="value"/> to <paramref name="taker"/>. Returns false if it is null, or if <typeparamref name="T"/> is not one of
    /// the nullable types that parameters commonly have.
    /// </summary>
    /// <typeparam name="T">For each value type, the compiler treats it as a constant and keeps one of these comparisons, or none.</typeparam>
    /// <typeparam name="TTaker">The type of the receiver.</typeparam>
    public static bool TryOpen<T, TTaker>(T value, ref TTaker taker)
        where TTaker : struct, IValueTaker =>
        (typeof(T) == typeof(int?) && Open<T, int, TTaker>(value, ref taker))
        || (typeof(T) == typeof(long?) && Open<T, long, TTaker>(value, ref taker))
        || (typeof(T) == typeof(bool?) && Open<T, bool, TTaker>(value, ref taker))
        || (typeof(T) == typeof(decimal?) && Open<T, decimal, TTaker>(value, ref taker))
        || (typeof(T) == typeof(DateTime?) && Open<T, DateTime, TTaker>(value, ref taker))
        || (typeof(T) == typeof(double?) && Open<T, double, TTaker>(value, ref taker))
        || (typeof(T) == typeof(float?) && Open<T, float, TTaker>(value, ref taker))
        || (typeof(T) == typeof(short?) && Open<T, short, TTaker>(value, ref taker))
        || (typeof(T) == typeof(byte?) && Open<T, byte, TTaker>(value, ref taker))
        || (typeof(T) == typeof(uint?) && Open<T, uint, TTaker>(value, ref taker))
        || (typeof(T) == typeof(ulong?) && Open<T, ulong, TTaker>(value, ref taker))
        || (typeof(T) == typeof(ushort?) && Open<T, ushort, TTaker>(value, ref taker))
        || (typeof(T) == typeof(sbyte?) && Open<T, sbyte, TTaker>(value, ref taker))
        || (typeof(T) == typeof(Guid?) && Open<T, Guid, TTaker>(value, ref taker))
        || (typeof(T) == typeof(DateOnly?) && Open<T, DateOnly, TTaker>(value, ref taker))
        || (typeof(T) == typeof(TimeOnly?) && Open<T, TimeOnly, TTaker>(value, ref taker))
        || (typeof(T) == typeof(TimeSpan?) && Open<T, TimeSpan, TTaker>(value, ref taker))
        || (typeof(T) == typeof(DateTimeOffset?) && Open<T, DateTimeOffset, TTaker>(value, ref taker));

    private static bool Open<T, TValue, TTaker>(T value, ref TTaker taker)
        where TValue : struct
        where TTaker : struct, IValueTaker
    {
        if (Unsafe.As<T, TValue?>(ref value) is not { } held)
            return false;
        taker.Take(held);
        return true;
    }
}
