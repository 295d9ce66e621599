using System.Text;

namespace Slipstream.PostgreSql;

/// <summary>A lexeme of a query, which may be limited to weights, and may match as a prefix: <c>'cat':*AB</c>.</summary>
public sealed class PgTsQueryLexeme : PgTsQuery
{
    /// <summary>Creates a lexeme that matches positions of any weight.</summary>
    /// <param name="text">The text, in its normalized form.</param>
    public PgTsQueryLexeme(string text) : this(text, Weight.None, false)
    {
    }

    /// <summary>Creates a lexeme.</summary>
    /// <param name="text">The text, in its normalized form.</param>
    /// <param name="weights">The weights of positions that match. None: all.</param>
    /// <exception cref="ArgumentOutOfRangeException">The weights have an unknown bit.</exception>
    public PgTsQueryLexeme(string text, Weight weights) : this(text, weights, false)
    {
    }

    /// <summary>Creates a lexeme.</summary>
    /// <param name="text">The text, in its normalized form.</param>
    /// <param name="weights">The weights of positions that match. None: all.</param>
    /// <param name="isPrefixSearch">True to match lexemes that begin with the text.</param>
    /// <exception cref="ArgumentOutOfRangeException">The weights have an unknown bit.</exception>
    public PgTsQueryLexeme(string text, Weight weights, bool isPrefixSearch) : base(NodeKind.Lexeme) =>
        (Text, Weights, IsPrefixSearch) = (text, weights, isPrefixSearch);

    /// <summary>Gets or sets the text.</summary>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    public string Text
    {
        get;
        set => field = value ?? throw new ArgumentNullException(nameof(value));
    }

    /// <summary>Gets or sets the weights of positions that match. None: all.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The weights have an unknown bit.</exception>
    public Weight Weights
    {
        get;
        set
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)value, (uint)(Weight.A | Weight.B | Weight.C | Weight.D), nameof(value));
            field = value;
        }
    }

    /// <summary>Gets or sets whether lexemes match that begin with the text.</summary>
    public bool IsPrefixSearch { get; set; }

    /// <inheritdoc/>
    public override bool Equals(PgTsQuery? other) =>
        other is PgTsQueryLexeme lexeme && Text == lexeme.Text && Weights == lexeme.Weights && IsPrefixSearch == lexeme.IsPrefixSearch;

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Text, Weights, IsPrefixSearch);

    private protected override void WriteCore(StringBuilder text, int priority)
    {
        LexemeText.Append(text, Text);
        if (IsPrefixSearch || Weights != Weight.None)
            text.Append(':');
        text.Append(IsPrefixSearch ? "*" : "").Append(Weights.HasFlag(Weight.A) ? "A" : "").Append(Weights.HasFlag(Weight.B) ? "B" : "")
            .Append(Weights.HasFlag(Weight.C) ? "C" : "").Append(Weights.HasFlag(Weight.D) ? "D" : "");
    }

    /// <summary>Weights of positions.</summary>
    [Flags]
    public enum Weight
    {
        /// <summary>No limit: positions of all weights match.</summary>
        None = 0,
        /// <summary>The weight D, the default of positions.</summary>
        D = 1,
        /// <summary>The weight C.</summary>
        C = 2,
        /// <summary>The weight B.</summary>
        B = 4,
        /// <summary>The weight A, the highest.</summary>
        A = 8,
    }
}
