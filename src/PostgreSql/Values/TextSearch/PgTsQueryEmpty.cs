using System.Text;

namespace Slipstream.PostgreSql;

/// <summary>A query without nodes, which matches no document.</summary>
public sealed class PgTsQueryEmpty : PgTsQuery
{
    /// <summary>Creates the node.</summary>
    public PgTsQueryEmpty() : base(NodeKind.Empty)
    {
    }

    /// <inheritdoc/>
    public override bool Equals(PgTsQuery? other) => other is PgTsQueryEmpty;

    /// <inheritdoc/>
    public override int GetHashCode() => base.GetHashCode();

    private protected override void WriteCore(StringBuilder text, int priority)
    {
    }
}
