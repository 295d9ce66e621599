using System.Runtime.CompilerServices;

namespace Slipstream.Core.Bytes;

/// <summary>Receives a value of any type.</summary>
internal interface IValueVisitor
{
    /// <summary>Processes the value.</summary>
    /// <typeparam name="T">The value's type, known at compile time.</typeparam>
    /// <param name="value">The value; never null.</param>
    void Visit<T>(T value);
}

/// <summary>Unwraps nullable values without boxing, for parameters whose type is known at compile time.</summary>
internal static class NullableValues
{
    /// <summary>
    /// Passes the content of <paramref name="value"/> to <paramref name="visitor"/>. Returns false if it is null, or if <typeparamref name="T"/> is not one of
    /// the nullable types that parameters commonly have.
    /// </summary>
    /// <typeparam name="T">For each value type, the compiler treats it as a constant and keeps one of these comparisons, or none.</typeparam>
    /// <typeparam name="TVisitor">The type of the visitor.</typeparam>
    public static bool TryOpen<T, TVisitor>(T value, ref TVisitor visitor)
        where TVisitor : struct, IValueVisitor =>
        (typeof(T) == typeof(int?) && Open<T, int, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(long?) && Open<T, long, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(bool?) && Open<T, bool, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(decimal?) && Open<T, decimal, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(DateTime?) && Open<T, DateTime, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(double?) && Open<T, double, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(float?) && Open<T, float, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(short?) && Open<T, short, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(byte?) && Open<T, byte, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(uint?) && Open<T, uint, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(ulong?) && Open<T, ulong, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(ushort?) && Open<T, ushort, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(sbyte?) && Open<T, sbyte, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(Guid?) && Open<T, Guid, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(DateOnly?) && Open<T, DateOnly, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(TimeOnly?) && Open<T, TimeOnly, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(TimeSpan?) && Open<T, TimeSpan, TVisitor>(value, ref visitor))
        || (typeof(T) == typeof(DateTimeOffset?) && Open<T, DateTimeOffset, TVisitor>(value, ref visitor));

    private static bool Open<T, TValue, TVisitor>(T value, ref TVisitor visitor)
        where TValue : struct
        where TVisitor : struct, IValueVisitor
    {
        if (Unsafe.As<T, TValue?>(ref value) is not { } held)
            return false;
        visitor.Visit(held);
        return true;
    }
}
