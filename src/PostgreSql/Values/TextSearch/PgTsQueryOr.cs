namespace Slipstream.PostgreSql;

/// <summary>A disjunction: at least one operand must match, as in <c>'fat' | 'rat'</c>.</summary>
public sealed class PgTsQueryOr : PgTsQueryBinOp
{
    /// <summary>Creates the node.</summary>
    /// <param name="left">The left operand.</param>
    /// <param name="right">The right operand.</param>
    public PgTsQueryOr(PgTsQuery left, PgTsQuery right) : base(NodeKind.Or, left, right)
    {
    }

    private protected override string Operator => "|";

    /// <inheritdoc/>
    public override bool Equals(PgTsQuery? other) => other is PgTsQueryOr same && HasEqualOperands(same);

    /// <inheritdoc/>
    public override int GetHashCode() => HashOperands();
}
