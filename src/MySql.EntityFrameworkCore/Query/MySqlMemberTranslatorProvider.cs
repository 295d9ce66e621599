using Microsoft.EntityFrameworkCore.Query;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Translators;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>The translators of properties.</summary>
internal sealed class MySqlMemberTranslatorProvider : RelationalMemberTranslatorProvider
{
    public MySqlMemberTranslatorProvider(RelationalMemberTranslatorProviderDependencies dependencies)
        : base(dependencies)
    {
        var factory = (MySqlSqlExpressionFactory)dependencies.SqlExpressionFactory;
        AddTranslators([new StringMembers(factory), new DateMembers(factory), new DurationMembers(factory)]);
    }
}
