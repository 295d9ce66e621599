using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

/// <summary>Refuses queries that need LATERAL on a server that does not have it.</summary>
internal sealed class ApplyIsRefused(ServerVersion version) : QueryRewriter
{
    protected override Expression VisitExtension(Expression node)
    {
        if (node is CrossApplyExpression { Table: not (JsonTableExpression or TableExpression) }
            or OuterApplyExpression { Table: not (JsonTableExpression or TableExpression) })
            throw new InvalidOperationException(
                $"The query joins each row with a subquery of its own (LATERAL), which {version} does not have. Load the collection with AsSplitQuery(), or "
                    + "join by a key instead.");
        return base.VisitExtension(node);
    }
}
