using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Query;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Leaves EF.Functions to the server, also where all arguments are known before.</summary>
internal sealed class MySqlEvaluatableExpressionFilter(
    EvaluatableExpressionFilterDependencies dependencies, RelationalEvaluatableExpressionFilterDependencies relationalDependencies)
    : RelationalEvaluatableExpressionFilter(dependencies, relationalDependencies)
{
    public override bool IsEvaluatableExpression(Expression expression, IModel model) =>
        !(expression is MethodCallExpression { Object: null, Arguments: [{ Type: var first }, ..] } && first == typeof(DbFunctions))
        && base.IsEvaluatableExpression(expression, model);
}
