using Microsoft.EntityFrameworkCore.Query;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Translators;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>The translators of methods on groups.</summary>
internal sealed class MySqlAggregateMethodCallTranslatorProvider : RelationalAggregateMethodCallTranslatorProvider
{
    public MySqlAggregateMethodCallTranslatorProvider(RelationalAggregateMethodCallTranslatorProviderDependencies dependencies)
        : base(dependencies)
    {
        var factory = (MySqlSqlExpressionFactory)dependencies.SqlExpressionFactory;
        AddTranslators([new StringAggregates(factory), new StatisticalAggregates(factory)]);
    }
}
