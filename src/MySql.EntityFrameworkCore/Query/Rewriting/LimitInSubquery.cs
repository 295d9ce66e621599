using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

/// <summary>Wraps the subquery of IN that has a LIMIT, which servers refuse with error 1235, into a derived table.</summary>
internal sealed class LimitInSubquery(SqlAliasManager aliases) : QueryRewriter
{
    protected override Expression VisitExtension(Expression node)
    {
        node = base.VisitExtension(node);
        if (node is not InExpression { Subquery: { Limit: not null } or { Offset: not null } } inExpression)
            return node;
        var subquery = inExpression.Subquery!;
        return inExpression.Update(inExpression.Item, DerivedTables.Wrap(subquery, aliases));
    }
}
