using System.Runtime.CompilerServices;
using System.Text;

namespace Slipstream.PostgreSql;

/// <summary>A negation: <c>!'cat'</c>.</summary>
public sealed class PgTsQueryNot : PgTsQuery
{
    /// <summary>Creates the node.</summary>
    /// <param name="child">The operand.</param>
    public PgTsQueryNot(PgTsQuery child) : base(NodeKind.Not) => Child = child;

    /// <summary>Gets or sets the operand.</summary>
    public PgTsQuery Child { get; set; }

    /// <inheritdoc/>
    public override bool Equals(PgTsQuery? other)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        return other is PgTsQueryNot not && Child == not.Child;
    }

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        return HashCode.Combine(Kind, Child);
    }

    private protected override void WriteCore(StringBuilder text, int priority)
    {
        text.Append('!');
        Child.Write(text, priority, isRightOfPhrase: false);
    }
}
