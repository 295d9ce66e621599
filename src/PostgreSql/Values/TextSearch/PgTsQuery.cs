using System.Runtime.CompilerServices;
using System.Text;

namespace Slipstream.PostgreSql;

/// <summary>
/// A query for text search: PostgreSQL's type tsquery, a tree of operators and lexemes. This class is the base class of its nodes.
/// </summary>
public abstract class PgTsQuery : IEquatable<PgTsQuery>
{
    /// <summary>Creates a node.</summary>
    /// <param name="kind">The kind of the node.</param>
    protected PgTsQuery(NodeKind kind) => Kind = kind;

    /// <summary>Gets the kind of the node.</summary>
    public NodeKind Kind { get; }

    // How strongly the operator binds. Source: src/backend/utils/adt/tsquery.c, tsearch_op_priority.
    private int Priority => Kind switch
    {
        NodeKind.Or => 1,
        NodeKind.And => 2,
        NodeKind.Phrase => 3,
        NodeKind.Not => 4,
        _ => 5,
    };

    /// <summary>Returns whether the trees are equal. The order of operands counts.</summary>
    /// <param name="left">The first query.</param>
    /// <param name="right">The second query.</param>
    /// <returns>True if they are equal.</returns>
    public static bool operator ==(PgTsQuery? left, PgTsQuery? right) => left is null ? right is null : left.Equals(right);

    /// <summary>Returns whether the trees differ.</summary>
    /// <param name="left">The first query.</param>
    /// <param name="right">The second query.</param>
    /// <returns>True if they differ.</returns>
    public static bool operator !=(PgTsQuery? left, PgTsQuery? right) => !(left == right);

    /// <summary>
    /// Reads a query in PostgreSQL's text format, such as <c>'fat' &amp; ( 'rat' | !'cat':*AB )</c>. It does not analyse language: use <c>to_tsquery</c> in SQL
    /// for that.
    /// </summary>
    /// <param name="value">The text. Empty text is a query without nodes.</param>
    /// <returns>The query.</returns>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    /// <exception cref="FormatException">The text has another format.</exception>
    public static PgTsQuery Parse(string value)
    {
        ArgumentNullException.ThrowIfNull(value);
        return TsQueryText.TryParse(value, out var query)
            ? query
            : throw new FormatException($"The text of {value.Length} characters is not a tsquery, such as 'fat' & ( 'rat' | !'cat':*AB ).");
    }

    /// <summary>Appends the query in PostgreSQL's text format.</summary>
    /// <param name="stringBuilder">The text to append to.</param>
    /// <exception cref="ArgumentNullException">The text is null.</exception>
    /// <exception cref="InsufficientExecutionStackException">The tree is too deep.</exception>
    public void Write(StringBuilder stringBuilder)
    {
        ArgumentNullException.ThrowIfNull(stringBuilder);
        Write(stringBuilder, parentPriority: 0, isRightOfPhrase: false);
    }

    /// <summary>Returns the query in PostgreSQL's text format, such as <c>'fat' &amp; ( 'rat' | !'cat':*AB )</c>.</summary>
    /// <returns>The text. Like the server's, it shows <c>a | (b | c)</c> and <c>(a | b) | c</c> alike, although the trees differ.</returns>
    /// <exception cref="InsufficientExecutionStackException">The tree is too deep.</exception>
    public override string ToString()
    {
        var text = new StringBuilder();
        Write(text);
        return text.ToString();
    }

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Kind);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as PgTsQuery);

    /// <summary>Returns whether the trees are equal. The order of operands counts.</summary>
    /// <param name="other">The other query.</param>
    /// <returns>True if they are equal.</returns>
    /// <exception cref="InsufficientExecutionStackException">The tree is too deep.</exception>
    public abstract bool Equals(PgTsQuery? other);

    // Source: src/backend/utils/adt/tsquery.c, infix. A phrase as the right operand of a phrase needs brackets, because the operator is not associative.
    internal void Write(StringBuilder text, int parentPriority, bool isRightOfPhrase)
    {
        RuntimeHelpers.EnsureSufficientExecutionStack();
        var needsBrackets = Priority < parentPriority || Kind == NodeKind.Phrase && isRightOfPhrase;
        text.Append(needsBrackets ? "( " : "");
        WriteCore(text, Priority);
        text.Append(needsBrackets ? " )" : "");
    }

    private protected abstract void WriteCore(StringBuilder text, int priority);

    /// <summary>The kind of a node.</summary>
    public enum NodeKind
    {
        /// <summary>A query without nodes: <see cref="PgTsQueryEmpty"/>.</summary>
        Empty = -1,
        /// <summary>A lexeme: <see cref="PgTsQueryLexeme"/>.</summary>
        Lexeme = 0,
        /// <summary>A negation: <see cref="PgTsQueryNot"/>.</summary>
        Not = 1,
        /// <summary>A conjunction: <see cref="PgTsQueryAnd"/>.</summary>
        And = 2,
        /// <summary>A disjunction: <see cref="PgTsQueryOr"/>.</summary>
        Or = 3,
        /// <summary>Operands at a distance from each other: <see cref="PgTsQueryFollowedBy"/>.</summary>
        Phrase = 4,
    }
}
