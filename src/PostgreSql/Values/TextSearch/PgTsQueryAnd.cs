namespace Slipstream.PostgreSql;

/// <summary>A conjunction: both operands must match, as in <c>'fat' &amp; 'rat'</c>.</summary>
public sealed class PgTsQueryAnd : PgTsQueryBinOp
{
    /// <summary>Creates the node.</summary>
    /// <param name="left">The left operand.</param>
    /// <param name="right">The right operand.</param>
    public PgTsQueryAnd(PgTsQuery left, PgTsQuery right) : base(NodeKind.And, left, right)
    {
    }

    private protected override string Operator => "&";

    /// <inheritdoc/>
    public override bool Equals(PgTsQuery? other) => other is PgTsQueryAnd same && HasEqualOperands(same);

    /// <inheritdoc/>
    public override int GetHashCode() => HashOperands();
}
