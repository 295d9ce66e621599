using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Gives a list in a parameter, which becomes a table by JSON_TABLE, the type of what its elements are compared with.</summary>
internal sealed class MySqlTypeMappingPostprocessor(
    QueryTranslationPostprocessorDependencies dependencies, RelationalQueryTranslationPostprocessorDependencies relationalDependencies,
    RelationalQueryCompilationContext queryCompilationContext)
    : RelationalTypeMappingPostprocessor(dependencies, relationalDependencies, queryCompilationContext)
{
    private readonly IRelationalTypeMappingSource _mappings = relationalDependencies.TypeMappingSource;
    private readonly IModel _model = queryCompilationContext.Model;

    protected override Expression VisitExtension(Expression expression)
    {
        if (expression is JsonTableExpression { Json: SqlParameterExpression { TypeMapping: null } parameter, Columns: [{ Mapping: null }] } table
            && TryGetInferredTypeMapping(table.Alias, JsonTableExpression.ValueName, out var mapping))
        {
            if (!JsonValues.CanBeColumn(mapping))
                throw new InvalidOperationException(
                    $"A list of {mapping.ClrType.Name} cannot be one parameter, which is JSON to the server: let each value be a parameter of its own, without "
                        + "EF.Parameter and ParameterTranslationMode.Parameter.");
            var list = _mappings.FindMapping(parameter.Type, _model, mapping)
                ?? throw new InvalidOperationException($"A list of {mapping.ClrType.Name} has no type in the database.");
            return table.Update(parameter.ApplyTypeMapping(list), [new(JsonTableExpression.ValueName, mapping, null)]);
        }

        return base.VisitExtension(expression);
    }
}
