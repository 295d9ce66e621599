using Microsoft.EntityFrameworkCore.Query;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Factories;

/// <summary>Creates <see cref="MySqlQueryTranslationPostprocessor"/>.</summary>
internal sealed class MySqlQueryTranslationPostprocessorFactory(
    QueryTranslationPostprocessorDependencies dependencies, RelationalQueryTranslationPostprocessorDependencies relationalDependencies,
    MySqlSingletonOptions options) : IQueryTranslationPostprocessorFactory
{
    public QueryTranslationPostprocessor Create(QueryCompilationContext queryCompilationContext) =>
        new MySqlQueryTranslationPostprocessor(dependencies, relationalDependencies, (RelationalQueryCompilationContext)queryCompilationContext, options);
}
