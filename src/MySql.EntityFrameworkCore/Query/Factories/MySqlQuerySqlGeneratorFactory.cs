using Microsoft.EntityFrameworkCore.Query;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Factories;

/// <summary>Creates <see cref="MySqlQuerySqlGenerator"/>.</summary>
internal sealed class MySqlQuerySqlGeneratorFactory(QuerySqlGeneratorDependencies dependencies, MySqlSingletonOptions options) : IQuerySqlGeneratorFactory
{
    public QuerySqlGenerator Create() => new MySqlQuerySqlGenerator(dependencies, options);
}
