using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace Slipstream.PostgreSql;

/// <summary>A range of values, such as PostgreSQL's int4range, numrange or tstzrange. A bound is inclusive, exclusive or infinite.</summary>
/// <remarks>
/// The server normalizes ranges of integers and dates: it returns <c>[1,2]</c> as <c>[1,3)</c>. This type does not, so these two are not equal here.
/// </remarks>
/// <typeparam name="T">The type of the bounds.</typeparam>
[SuppressMessage("Design", "CA1000:Do not declare static members on generic types", Justification = "The public surface of applications written for Npgsql.")]
public readonly struct PgRange<T> : IEquatable<PgRange<T>>
{
    /// <summary>The empty range, which contains no value.</summary>
    public static readonly PgRange<T> Empty = new(default, default, RangeFlags.Empty);

    private readonly RangeFlags _flags;

    /// <summary>Creates a range with inclusive bounds.</summary>
    /// <param name="lowerBound">The lower bound.</param>
    /// <param name="upperBound">The upper bound.</param>
    public PgRange(T? lowerBound, T? upperBound) : this(lowerBound, true, false, upperBound, true, false)
    {
    }

    /// <summary>Creates a range with finite bounds. If they are equal and not both inclusive, the range is empty.</summary>
    /// <param name="lowerBound">The lower bound.</param>
    /// <param name="lowerBoundIsInclusive">True if the lower bound is part of the range.</param>
    /// <param name="upperBound">The upper bound.</param>
    /// <param name="upperBoundIsInclusive">True if the upper bound is part of the range.</param>
    public PgRange(T? lowerBound, bool lowerBoundIsInclusive, T? upperBound, bool upperBoundIsInclusive)
        : this(lowerBound, lowerBoundIsInclusive, false, upperBound, upperBoundIsInclusive, false)
    {
    }

    /// <summary>
    /// Creates a range. An infinite bound is exclusive, and its value is ignored. If finite bounds are equal and not both inclusive, the range is empty. The
    /// server refuses a lower bound that is greater than the upper bound.
    /// </summary>
    /// <param name="lowerBound">The lower bound.</param>
    /// <param name="lowerBoundIsInclusive">True if the lower bound is part of the range.</param>
    /// <param name="lowerBoundInfinite">True if the range has no lower bound.</param>
    /// <param name="upperBound">The upper bound.</param>
    /// <param name="upperBoundIsInclusive">True if the upper bound is part of the range.</param>
    /// <param name="upperBoundInfinite">True if the range has no upper bound.</param>
    public PgRange(T? lowerBound, bool lowerBoundIsInclusive, bool lowerBoundInfinite, T? upperBound, bool upperBoundIsInclusive, bool upperBoundInfinite)
        : this(lowerBound, upperBound, Flags(lowerBoundIsInclusive, lowerBoundInfinite, upperBoundIsInclusive, upperBoundInfinite))
    {
        if (!lowerBoundInfinite && !upperBoundInfinite && !(lowerBoundIsInclusive && upperBoundIsInclusive) && lowerBound is not null
            && EqualityComparer<T>.Default.Equals(lowerBound, upperBound))
        {
            this = Empty;
        }
    }

    private PgRange(T? lowerBound, T? upperBound, RangeFlags flags)
    {
        LowerBound = (flags & RangeFlags.LowerInfinite) != 0 ? default : lowerBound;
        UpperBound = (flags & RangeFlags.UpperInfinite) != 0 ? default : upperBound;
        _flags = flags;
    }

    /// <summary>Gets the lower bound; the default value if it is infinite, or if the range is empty.</summary>
    public T? LowerBound { get; }

    /// <summary>Gets the upper bound; the default value if it is infinite, or if the range is empty.</summary>
    public T? UpperBound { get; }

    /// <summary>Gets whether the lower bound is part of the range.</summary>
    public bool LowerBoundIsInclusive => (_flags & RangeFlags.LowerInclusive) != 0;

    /// <summary>Gets whether the upper bound is part of the range.</summary>
    public bool UpperBoundIsInclusive => (_flags & RangeFlags.UpperInclusive) != 0;

    /// <summary>Gets whether the range has no lower bound.</summary>
    public bool LowerBoundInfinite => (_flags & RangeFlags.LowerInfinite) != 0;

    /// <summary>Gets whether the range has no upper bound.</summary>
    public bool UpperBoundInfinite => (_flags & RangeFlags.UpperInfinite) != 0;

    /// <summary>Gets whether the range contains no value.</summary>
    public bool IsEmpty => (_flags & RangeFlags.Empty) != 0;

    /// <summary>Returns whether the bounds are equal, and in the same way inclusive or infinite.</summary>
    /// <param name="x">The first range.</param>
    /// <param name="y">The second range.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(PgRange<T> x, PgRange<T> y) => x.Equals(y);

    /// <summary>Returns whether a bound differs.</summary>
    /// <param name="x">The first range.</param>
    /// <param name="y">The second range.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(PgRange<T> x, PgRange<T> y) => !x.Equals(y);

    /// <summary>Reads a range in PostgreSQL's text format, such as <c>[1,5)</c>, <c>(,2026-01-01]</c> or <c>empty</c>.</summary>
    /// <param name="value">
    /// The text. Bounds are in the invariant culture. A bound that is missing, <c>null</c>, or (without quotes) <c>-infinity</c> below or <c>infinity</c> above
    /// is infinite.
    /// </param>
    /// <returns>The range.</returns>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    /// <exception cref="FormatException">The text has another format.</exception>
    /// <exception cref="OverflowException">A bound is outside the range of its type.</exception>
    /// <exception cref="NotSupportedException">
    /// Bounds of type <typeparamref name="T"/> cannot be read: it is not a type of a built-in range, and it does not have a registered
    /// <see cref="TypeConverter"/> that converts text.
    /// </exception>
    public static PgRange<T> Parse(string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        var parts = RangeText.Split(value, nullIsInfinite: typeof(T) != typeof(string));
        return parts.IsEmpty
            ? Empty
            : new(
                parts.Lower is null ? default : RangeText.Bound<T>(parts.Lower), parts.LowerIsInclusive, parts.Lower is null,
                parts.Upper is null ? default : RangeText.Bound<T>(parts.Upper), parts.UpperIsInclusive, parts.Upper is null);
    }

    /// <summary>Returns whether the bounds are equal, and in the same way inclusive or infinite.</summary>
    /// <param name="other">The other range.</param>
    /// <returns>True if they are equal.</returns>
    public bool Equals(PgRange<T> other) =>
        _flags == other._flags
        && EqualityComparer<T>.Default.Equals(LowerBound, other.LowerBound) && EqualityComparer<T>.Default.Equals(UpperBound, other.UpperBound);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is PgRange<T> other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(_flags, LowerBound, UpperBound);

    /// <summary>Returns the range in PostgreSQL's text format and the invariant culture, such as <c>[1,5)</c> or <c>empty</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => IsEmpty
        ? "empty"
        : $"{(LowerBoundIsInclusive ? '[' : '(')}{(LowerBoundInfinite ? "" : RangeText.Quoted(LowerBound))},"
            + $"{(UpperBoundInfinite ? "" : RangeText.Quoted(UpperBound))}{(UpperBoundIsInclusive ? ']' : ')')}";

    private static RangeFlags Flags(bool lowerIsInclusive, bool lowerIsInfinite, bool upperIsInclusive, bool upperIsInfinite) =>
        (lowerIsInfinite ? RangeFlags.LowerInfinite : lowerIsInclusive ? RangeFlags.LowerInclusive : 0)
        | (upperIsInfinite ? RangeFlags.UpperInfinite : upperIsInclusive ? RangeFlags.UpperInclusive : 0);

    /// <summary>Converts ranges to and from text, for libraries that use <see cref="TypeDescriptor"/>, such as serializers and grids.</summary>
    [RequiresUnreferencedCode("TypeDescriptor finds converters by reflection.")]
    public class RangeTypeConverter : TypeConverter
    {
        /// <summary>Registers this converter for ranges of <typeparamref name="T"/>.</summary>
        public static void Register() => TypeDescriptor.AddAttributes(typeof(PgRange<T>), new TypeConverterAttribute(typeof(RangeTypeConverter)));

        /// <summary>Returns whether the type is <see cref="string"/>.</summary>
        /// <param name="context">Not used.</param>
        /// <param name="sourceType">The type.</param>
        /// <returns>True for text.</returns>
        public override bool CanConvertFrom(ITypeDescriptorContext? context, Type sourceType) => sourceType == typeof(string);

        /// <summary>Returns whether the type is <see cref="string"/>.</summary>
        /// <param name="context">Not used.</param>
        /// <param name="destinationType">The type.</param>
        /// <returns>True for text.</returns>
        public override bool CanConvertTo(ITypeDescriptorContext? context, Type? destinationType) => destinationType == typeof(string);

        /// <summary>Reads a range with <see cref="Parse"/>.</summary>
        /// <param name="context">Not used.</param>
        /// <param name="culture">Not used: the text is PostgreSQL's.</param>
        /// <param name="value">The text.</param>
        /// <returns>The range.</returns>
        /// <exception cref="FormatException">The text has another format.</exception>
        /// <exception cref="NotSupportedException">The value is not text.</exception>
        public override object? ConvertFrom(ITypeDescriptorContext? context, CultureInfo? culture, object value) =>
            value is string text ? Parse(text) : base.ConvertFrom(context, culture, value);

        /// <summary>Returns the text of a range.</summary>
        /// <param name="context">Not used.</param>
        /// <param name="culture">Not used: the text is PostgreSQL's.</param>
        /// <param name="value">The range.</param>
        /// <param name="destinationType">The type <see cref="string"/>.</param>
        /// <returns>The text; empty for null.</returns>
        /// <exception cref="NotSupportedException">The type is not <see cref="string"/>.</exception>
        public override object? ConvertTo(ITypeDescriptorContext? context, CultureInfo? culture, object? value, Type destinationType) =>
            destinationType == typeof(string) && value is PgRange<T> range ? range.ToString() : base.ConvertTo(context, culture, value, destinationType);
    }
}
