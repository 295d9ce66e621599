using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>Translates the length of texts.</summary>
internal sealed class StringMembers(MySqlSqlExpressionFactory factory) : IMemberTranslator
{
    public SqlExpression? Translate(SqlExpression? instance, MemberInfo member, Type returnType, IDiagnosticsLogger<DbLoggerCategory.Query> logger) =>
        // The type of the value itself is that of a query, where SqlQuery<string>() made it.
        instance is not null && member.DeclaringType == typeof(string) && member.Name == nameof(string.Length)
            ? factory.Call("CHAR_LENGTH", returnType, instance)
            : null;
}
