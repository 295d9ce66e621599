using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>Translates string.Join and string.Concat over a group to GROUP_CONCAT.</summary>
internal sealed class StringAggregates(MySqlSqlExpressionFactory factory) : IAggregateMethodCallTranslator
{
    public SqlExpression? Translate(
        MethodInfo method, EnumerableExpression source, IReadOnlyList<SqlExpression> arguments, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        if (method.DeclaringType != typeof(string) || method.Name is not (nameof(string.Join) or nameof(string.Concat))
            || source.Selector is not SqlExpression value)
            return null;
        var separator = method.Name == nameof(string.Join) ? arguments[0] as SqlConstantExpression : factory.Constant("") as SqlConstantExpression;
        // The grammar wants a literal behind SEPARATOR.
        if (separator?.Value is not string text)
            return null;
        // string.Join takes null for "", GROUP_CONCAT leaves it out; a condition leaves rows out, so nothing must be taken for them.
        value = factory.Coalesce(factory.ApplyDefaultTypeMapping(value), factory.Constant("", value.TypeMapping));
        if (source.Predicate is { } predicate)
            value = factory.Case([new(predicate, value)], null);
        return factory.Coalesce(
            new GroupConcatExpression(source.IsDistinct, value, source.Orderings, text, value.TypeMapping), factory.Constant("", value.TypeMapping));
    }
}
