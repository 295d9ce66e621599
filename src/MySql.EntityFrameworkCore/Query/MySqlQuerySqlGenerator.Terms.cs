using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Pomelo.EntityFrameworkCore.MySql.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <content>Terms of which MySQL has its own grammar.</content>
internal sealed partial class MySqlQuerySqlGenerator
{
    // MySQL Reference Manual, "Expressions": IN has a bit_expr at its left. A condition there needs parentheses: AND, =, LIKE and NOT bind less than IN.
    protected override void GenerateIn(InExpression inExpression, bool negated)
    {
        if (inExpression.Item is not (SqlBinaryExpression or SqlUnaryExpression or InExpression or LikeExpression or RegexpExpression))
        {
            base.GenerateIn(inExpression, negated);
            return;
        }

        Sql.Append("(");
        Visit(inExpression.Item);
        Sql.Append(negated ? ") NOT IN (" : ") IN (");
        if (inExpression.Subquery is { } subquery)
            Visit(subquery);
        for (var index = 0; index < (inExpression.Values?.Count ?? 0); index++)
        {
            if (index > 0)
                Sql.Append(", ");
            Visit(inExpression.Values![index]);
        }

        Sql.Append(")");
    }

    private static bool ComparesVectors(SqlBinaryExpression comparison) =>
        comparison.Left.TypeMapping is MySqlVectorTypeMapping || comparison.Right.TypeMapping is MySqlVectorTypeMapping;

    // Error 1210: MySQL compares no vectors. Those of MariaDB are compared by their bytes.
    private static SqlFunctionExpression Hexadecimal(SqlExpression vector) => new("HEX", [vector], true, [true], typeof(string), null);

    // A function of a schema, as a table of a schema: the schema is the database, or the options say what becomes of it.
    private SqlFunctionExpression InDatabase(SqlFunctionExpression function)
    {
        if (string.IsNullOrEmpty(function.Schema) || function.IsBuiltIn || options.Values.SchemaBehavior == MySqlSchemaBehavior.Throw)
            return function;
        var name = ((MySqlSqlGenerationHelper)Names).NameOf(function.Name, function.Schema);
        return new SqlFunctionExpression(
            null, name, function.Arguments ?? [], function.IsNullable, function.ArgumentsPropagateNullability ?? [], function.Type, function.TypeMapping);
    }
}
