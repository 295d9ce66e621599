using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>The position of a text in another one.</summary>
internal static class Position
{
    /// <summary>Returns a call of LOCATE, which compares by the collation that a column has, on whichever side it is.</summary>
    /// <param name="factory">Makes the expressions.</param>
    /// <param name="sought">The text to find.</param>
    /// <param name="text">The text to search.</param>
    /// <param name="start">Where to begin, from 1; null for the beginning.</param>
    public static SqlExpression Of(MySqlSqlExpressionFactory factory, SqlExpression sought, SqlExpression text, SqlExpression? start = null)
    {
        // MySQL 9.7 compares by the collation of the text to search, also if that is a literal and the other one a column. An empty piece of the column gives
        // the literal its collation.
        if (text is SqlConstantExpression or SqlParameterExpression && sought is not (SqlConstantExpression or SqlParameterExpression))
            text = factory.Call("CONCAT", typeof(string), text.TypeMapping, text, factory.Call("LEFT", typeof(string), sought, factory.Constant(0)));
        return start is null ? factory.Call("LOCATE", typeof(int), sought, text) : factory.Call("LOCATE", typeof(int), sought, text, start);
    }
}
