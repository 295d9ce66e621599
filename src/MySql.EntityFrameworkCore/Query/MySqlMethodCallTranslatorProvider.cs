using Microsoft.EntityFrameworkCore.Query;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Translators;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>The translators of methods.</summary>
internal sealed class MySqlMethodCallTranslatorProvider : RelationalMethodCallTranslatorProvider
{
    public MySqlMethodCallTranslatorProvider(RelationalMethodCallTranslatorProviderDependencies dependencies)
        : base(dependencies)
    {
        var factory = (MySqlSqlExpressionFactory)dependencies.SqlExpressionFactory;
        AddTranslators(
        [
            new StringMethods(factory),
            new MathMethods(factory),
            new DateMethods(factory),
            new DurationMethods(new Durations(factory)),
            new DateDifferences(factory),
            new ConvertMethods(factory),
            new ServerFunctions(factory, dependencies.RelationalTypeMappingSource),
            new VectorFunctions(factory, dependencies.RelationalTypeMappingSource),
            new OtherMethods(factory, dependencies.RelationalTypeMappingSource),
        ]);
    }
}
