using System.Runtime.CompilerServices;

namespace Slipstream.Core.Bytes;

/// <summary>Does something with a value of any type.</summary>
internal interface IValueTaker
{
    /// <summary>Takes it.</summary>
    /// <typeparam name="T">Its type, which is known when this is compiled.</typeparam>
    /// <param name="value">Never null.</param>
    void Take<T>(T value);
}

/// <summary>What is in a nullable value, without a box: for parameters whose type is known when they are compiled.</summary>
internal static class NullableValues
{
    /// <summary>Hands on what is in <paramref name="value"/>. False when it is null, or not one of the nullable types that parameters usually have.</summary>
    /// <typeparam name="T">A constant to the compiler of each value type: of all these comparisons one line is left, or none.</typeparam>
    /// <typeparam name="TTaker">Who gets it.</typeparam>
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
