using System.Globalization;

namespace Slipstream.PostgreSql;

/// <summary>Two operands at a distance from each other: <c>'fat' &lt;-&gt; 'rat'</c>, <c>'fat' &lt;2&gt; 'rat'</c>.</summary>
public sealed class PgTsQueryFollowedBy : PgTsQueryBinOp
{
    // Source: src/include/tsearch/ts_type.h, MAXENTRYPOS - 1.
    internal const int MaxDistance = 16384;

    /// <summary>Creates the node.</summary>
    /// <param name="left">The left operand.</param>
    /// <param name="distance">The number of positions from the left operand to the right; 1 if they are neighbours. The server allows up to 16384.</param>
    /// <param name="right">The right operand.</param>
    /// <exception cref="ArgumentOutOfRangeException">The distance is negative.</exception>
    public PgTsQueryFollowedBy(PgTsQuery left, short distance, PgTsQuery right) : base(NodeKind.Phrase, left, right)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(distance);
        Distance = distance;
    }

    /// <summary>Gets or sets the number of positions from the left operand to the right.</summary>
    public short Distance { get; set; }

    private protected override string Operator => Distance == 1 ? "<->" : string.Create(CultureInfo.InvariantCulture, $"<{Distance}>");

    /// <inheritdoc/>
    public override bool Equals(PgTsQuery? other) => other is PgTsQueryFollowedBy same && Distance == same.Distance && HasEqualOperands(same);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Distance, HashOperands());
}
