using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Says which of the provider's own nodes can be NULL.</summary>
internal sealed class MySqlSqlNullabilityProcessor(
    RelationalParameterBasedSqlProcessorDependencies dependencies, RelationalParameterBasedSqlProcessorParameters parameters)
    : SqlNullabilityProcessor(dependencies, parameters)
{
    protected override SqlExpression VisitCustomSqlExpression(SqlExpression sqlExpression, bool allowOptimizedExpansion, out bool nullable)
    {
        switch (sqlExpression)
        {
            case TrimExpression trim:
                return trim.Update(Visit(trim.Text, out nullable));
            case JsonSetExpression set:
                var (document, value) = (Visit(set.Document, out var isDocumentNullable), Visit(set.Value, out _));
                nullable = isDocumentNullable;
                return set.Update(document, value);
            case JsonExtractExpression extract:
                // At a path that the document does not have.
                nullable = true;
                return extract.Update(Visit(extract.Document, out _), Visit(extract.Path, out _));
            case BytewiseExpression bytewise:
                return bytewise.Update(Visit(bytewise.Text, out nullable));
            case DateAddExpression addition:
                var (date, amount) = (Visit(addition.Date, out var isDateNullable), Visit(addition.Amount, out var isAmountNullable));
                nullable = isDateNullable || isAmountNullable;
                return addition.Update(date, amount);
            case RegexpExpression regexp:
                var (text, pattern) = (Visit(regexp.Text, out var isTextNullable), Visit(regexp.Pattern, out var isPatternNullable));
                nullable = isTextNullable || isPatternNullable;
                return regexp.Update(text, pattern);
            case MatchExpression match:
                // A column that is NULL is not relevant: 0.
                return match.Update([.. match.Columns.Select(column => Visit(column, out _))], Visit(match.Pattern, out nullable));
            case GroupConcatExpression concat:
                // Of no rows.
                nullable = true;
                return concat.Update(
                    Visit(concat.Value, out _), concat.Orderings.Select(ordering => ordering.Update(Visit(ordering.Expression, out _))).ToList());
            default:
                return base.VisitCustomSqlExpression(sqlExpression, allowOptimizedExpansion, out nullable);
        }
    }
}
