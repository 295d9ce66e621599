using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

/// <summary>Visits a translated query: its SQL, and what makes objects of its rows.</summary>
internal abstract class QueryRewriter : ExpressionVisitor
{
    protected override Expression VisitExtension(Expression node) =>
        node is ShapedQueryExpression shaped
            ? shaped.Update(Visit(shaped.QueryExpression), Visit(shaped.ShaperExpression))
            : base.VisitExtension(node);
}
