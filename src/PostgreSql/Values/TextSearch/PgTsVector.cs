using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace Slipstream.PostgreSql;

/// <summary>
/// A document for text search: PostgreSQL's type tsvector, a sorted list of distinct lexemes with the positions at which they occur. It cannot be changed.
/// </summary>
[SuppressMessage("Naming", "CA1710:Identifiers should have correct suffix", Justification = "The name of applications written for Npgsql.")]
public sealed class PgTsVector : IEnumerable<PgTsVector.Lexeme>, IEquatable<PgTsVector>
{
    /// <summary>A document without lexemes.</summary>
    public static readonly PgTsVector Empty = new([]);

    private readonly Lexeme[] _lexemes;

    // The lexemes are sorted and distinct.
    private PgTsVector(Lexeme[] lexemes) => _lexemes = lexemes;

    /// <summary>Gets the number of lexemes.</summary>
    public int Count => _lexemes.Length;

    /// <summary>Gets a lexeme.</summary>
    /// <param name="index">The index, from 0.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such lexeme.</exception>
    public Lexeme this[int index] => (uint)index < (uint)_lexemes.Length ? _lexemes[index] : throw new ArgumentOutOfRangeException(nameof(index));

    /// <summary>
    /// Reads a document in PostgreSQL's text format, such as <c>'cat':3 'fat':2,4A</c>. It does not analyse language: use <c>to_tsvector</c> in SQL for that.
    /// </summary>
    /// <param name="value">The text.</param>
    /// <returns>The document.</returns>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    /// <exception cref="FormatException">The text has another format.</exception>
    public static PgTsVector Parse(string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        return TsVectorText.TryParse(value, out var vector)
            ? vector
            : throw new FormatException($"The text of {value.Length} characters is not a tsvector, such as 'cat':3 'fat':2,4A.");
    }

    /// <summary>Returns an enumerator of the lexemes.</summary>
    /// <returns>The enumerator.</returns>
    public IEnumerator<Lexeme> GetEnumerator() => ((IEnumerable<Lexeme>)_lexemes).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Returns whether all lexemes are equal.</summary>
    /// <param name="other">The other document.</param>
    /// <returns>True if they are equal.</returns>
    public bool Equals(PgTsVector? other) => other is not null && _lexemes.AsSpan().SequenceEqual(other._lexemes);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as PgTsVector);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = new HashCode();
        foreach (var lexeme in _lexemes)
            hash.Add(lexeme);
        return hash.ToHashCode();
    }

    /// <summary>Returns the document in PostgreSQL's text format, such as <c>'cat':3 'fat':2,4A</c>.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => string.Join(' ', _lexemes);

    /// <summary>Sorts lexemes and merges those with the same text.</summary>
    internal static PgTsVector Of(List<Lexeme> lexemes)
    {
        var sorted = new SortedList<string, Lexeme>(lexemes.Count, StringComparer.Ordinal);
        lexemes.Sort(static (x, y) => string.CompareOrdinal(x.Text, y.Text));
        foreach (var lexeme in lexemes)
            sorted[lexeme.Text] = sorted.TryGetValue(lexeme.Text, out var same) ? same.With(lexeme) : lexeme;
        return new([.. sorted.Values]);
    }

    /// <summary>A word of a document in its normalized form, with the positions at which it occurs.</summary>
    public struct Lexeme : IEquatable<Lexeme>
    {
        // The server's limits. Source: src/include/tsearch/ts_type.h, MAXNUMPOS and MAXENTRYPOS.
        internal const int MaxPositions = 256;
        internal const int MaxPosition = 16383;

        // Sorted by position, which occur once each; null if there are none.
        private readonly WordEntryPos[]? _positions;
        private string? _text;

        /// <summary>Creates a lexeme without positions.</summary>
        /// <param name="text">The text, in its normalized form.</param>
        public Lexeme(string text) : this(text, null)
        {
        }

        /// <summary>Creates a lexeme with positions.</summary>
        /// <param name="text">The text, in its normalized form.</param>
        /// <param name="wordEntryPositions">
        /// The positions, which are copied and sorted. Of the same position with several weights, the highest weight counts. As on the server, positions after
        /// the first 256 are dropped.
        /// </param>
        public Lexeme(string text, List<WordEntryPos>? wordEntryPositions)
        {
            _text = text;
            _positions = wordEntryPositions is { Count: > 0 } ? Distinct(wordEntryPositions) : null;
        }

        /// <summary>Gets or sets the text.</summary>
        public string Text
        {
            readonly get => _text ?? "";
            set => _text = value;
        }

        /// <summary>Gets the number of positions.</summary>
        public readonly int Count => _positions?.Length ?? 0;

        /// <summary>Gets a position.</summary>
        /// <param name="index">The index, from 0.</param>
        /// <exception cref="ArgumentOutOfRangeException">There is no such position.</exception>
        public readonly WordEntryPos this[int index] =>
            (uint)index < (uint)Count ? _positions![index] : throw new ArgumentOutOfRangeException(nameof(index));

        /// <summary>Returns whether text and positions are equal.</summary>
        /// <param name="left">The first lexeme.</param>
        /// <param name="right">The second lexeme.</param>
        /// <returns>True if they are equal.</returns>
        public static bool operator ==(Lexeme left, Lexeme right) => left.Equals(right);

        /// <summary>Returns whether text or positions differ.</summary>
        /// <param name="left">The first lexeme.</param>
        /// <param name="right">The second lexeme.</param>
        /// <returns>True if they differ.</returns>
        public static bool operator !=(Lexeme left, Lexeme right) => !left.Equals(right);

        /// <summary>Returns whether text and positions are equal.</summary>
        /// <param name="o">The other lexeme.</param>
        /// <returns>True if they are equal.</returns>
        public readonly bool Equals(Lexeme o) => Text == o.Text && _positions.AsSpan().SequenceEqual(o._positions);

        /// <inheritdoc/>
        public override readonly bool Equals(object? obj) => obj is Lexeme other && Equals(other);

        /// <inheritdoc/>
        public override readonly int GetHashCode() => HashCode.Combine(Text, Count, Count > 0 ? _positions![0] : default);

        /// <summary>Returns the lexeme in PostgreSQL's text format, such as <c>'fat':2,4A</c>.</summary>
        /// <returns>The text.</returns>
        public override readonly string ToString()
        {
            var text = new StringBuilder();
            LexemeText.Append(text, Text);
            for (var at = 0; at < Count; at++)
                text.Append(at == 0 ? ':' : ',').Append(_positions![at]);
            return text.ToString();
        }

        internal readonly Lexeme With(Lexeme other) => new(Text, [.. _positions ?? [], .. other._positions ?? []]);

        private static WordEntryPos[] Distinct(List<WordEntryPos> positions)
        {
            var sorted = positions.ToArray();
            Array.Sort(sorted, static (x, y) => x.Pos != y.Pos ? x.Pos.CompareTo(y.Pos) : y.Weight.CompareTo(x.Weight));
            var count = 1;
            for (var at = 1; at < sorted.Length && count < MaxPositions; at++)
            {
                if (sorted[at].Pos != sorted[count - 1].Pos)
                    sorted[count++] = sorted[at];
            }

            return sorted[..count];
        }

        /// <summary>The weight of a position. A search can be limited to weights, and the rank of a result depends on them.</summary>
        public enum Weight
        {
            /// <summary>The default weight.</summary>
            D = 0,
            /// <summary>The weight C.</summary>
            C = 1,
            /// <summary>The weight B.</summary>
            B = 2,
            /// <summary>The highest weight.</summary>
            A = 3,
        }

        /// <summary>A position in the document, with its weight.</summary>
        public readonly struct WordEntryPos : IEquatable<WordEntryPos>
        {
            private readonly ushort _value;

            /// <summary>Creates a position.</summary>
            /// <param name="pos">The position, from 1. As on the server, a greater position than 16383 becomes 16383.</param>
            /// <param name="weight">The weight.</param>
            /// <exception cref="ArgumentOutOfRangeException">The position is less than 1, or the weight is not a member of the enumeration.</exception>
            public WordEntryPos(int pos, Weight weight = Weight.D)
            {
                ArgumentOutOfRangeException.ThrowIfLessThan(pos, 1);
                ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)weight, (uint)Weight.A, nameof(weight));
                _value = (ushort)((int)weight << 14 | Math.Min(pos, MaxPosition));
            }

            internal WordEntryPos(ushort value) => _value = value;

            /// <summary>Gets the weight.</summary>
            public Weight Weight => (Weight)(_value >> 14);

            /// <summary>Gets the position, from 1 to 16383.</summary>
            public int Pos => _value & MaxPosition;

            // The server's form: two bits of weight, 14 bits of position.
            internal ushort Value => _value;

            /// <summary>Returns whether position and weight are equal.</summary>
            /// <param name="left">The first position.</param>
            /// <param name="right">The second position.</param>
            /// <returns>True if they are equal.</returns>
            public static bool operator ==(WordEntryPos left, WordEntryPos right) => left.Equals(right);

            /// <summary>Returns whether position or weight differ.</summary>
            /// <param name="left">The first position.</param>
            /// <param name="right">The second position.</param>
            /// <returns>True if they differ.</returns>
            public static bool operator !=(WordEntryPos left, WordEntryPos right) => !left.Equals(right);

            /// <summary>Returns whether position and weight are equal.</summary>
            /// <param name="o">The other position.</param>
            /// <returns>True if they are equal.</returns>
            public bool Equals(WordEntryPos o) => _value == o._value;

            /// <inheritdoc/>
            public override bool Equals(object? obj) => obj is WordEntryPos other && Equals(other);

            /// <inheritdoc/>
            public override int GetHashCode() => _value.GetHashCode();

            /// <summary>Returns the position and, unless it is D, the weight: <c>2</c> or <c>4A</c>.</summary>
            /// <returns>The text.</returns>
            public override string ToString() => Pos.ToString(CultureInfo.InvariantCulture) + (Weight == Weight.D ? "" : Weight.ToString());
        }
    }
}
