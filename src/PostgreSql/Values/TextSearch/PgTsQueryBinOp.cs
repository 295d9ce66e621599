using System.Runtime.CompilerServices;
using System.Text;

namespace Slipstream.PostgreSql;

/// <summary>A node with two operands.</summary>
public abstract class PgTsQueryBinOp : PgTsQuery
{
    /// <summary>Creates the node.</summary>
    /// <param name="kind">The kind of the node.</param>
    /// <param name="left">The left operand.</param>
    /// <param name="right">The right operand.</param>
    protected PgTsQueryBinOp(NodeKind kind, PgTsQuery left, PgTsQuery right) : base(kind) => (Left, Right) = (left, right);

    /// <summary>Gets or sets the left operand.</summary>
    public PgTsQuery Left { get; set; }

    /// <summary>Gets or sets the right operand.</summary>
    public PgTsQuery Right { get; set; }

    private protected abstract string Operator { get; }

    private protected bool HasEqualOperands(PgTsQueryBinOp other)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        return Left == other.Left && Right == other.Right;
    }

    private protected int HashOperands()
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        return HashCode.Combine(Kind, Left, Right);
    }

    private protected override void WriteCore(StringBuilder text, int priority)
    {
        Left.Write(text, priority, isRightOfPhrase: false);
        text.Append(' ').Append(Operator).Append(' ');
        Right.Write(text, priority, isRightOfPhrase: Kind == NodeKind.Phrase);
    }
}
