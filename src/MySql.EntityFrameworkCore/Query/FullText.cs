using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Translates <c>EF.Functions.Match</c> and <c>IsMatch</c>. A translator of methods would not get the array of columns.</summary>
internal static class FullText
{
    public static bool IsSearch(MethodCallExpression call) => call.Method.DeclaringType == typeof(MySqlDbFunctionsExtensions)
        && call.Method.Name is nameof(MySqlDbFunctionsExtensions.Match) or nameof(MySqlDbFunctionsExtensions.IsMatch);

    /// <summary>Returns the translation, or null if a part has none.</summary>
    public static SqlExpression? Translate(MethodCallExpression call, MySqlSqlExpressionFactory factory, Func<Expression, Expression?> visit)
    {
        if (call.Arguments[1] is NewArrayExpression { Expressions.Count: 0 })
            throw new InvalidOperationException("EF.Functions.Match needs at least one column.");
        IReadOnlyList<Expression> sources = call.Arguments[1] is NewArrayExpression array ? array.Expressions : [call.Arguments[1]];
        var columns = new List<SqlExpression>();
        foreach (var source in sources)
            columns.Add(visit(source) is ColumnExpression column ? column : throw new InvalidOperationException(
                $"EF.Functions.Match looks into columns of a full-text index, and '{source}' is not a column."));
        if (visit(call.Arguments[2]) is not SqlExpression pattern)
            return null;
        if (visit(call.Arguments[3]) is not SqlConstantExpression { Value: MySqlMatchSearchMode mode })
            throw new InvalidOperationException("The mode of EF.Functions.Match must be written in the query, as MySqlMatchSearchMode.Boolean.");
        // The pattern is a text with operators, not a value of the column: a conversion of the column does not apply to it.
        var match = new MatchExpression(
            columns, factory.ApplyDefaultTypeMapping(pattern), mode, factory.ApplyDefaultTypeMapping(factory.Constant(0.0)).TypeMapping);
        // The server still uses the index for "> 0".
        return call.Method.Name == nameof(MySqlDbFunctionsExtensions.Match) ? match : factory.GreaterThan(match, factory.Constant(0.0));
    }
}
