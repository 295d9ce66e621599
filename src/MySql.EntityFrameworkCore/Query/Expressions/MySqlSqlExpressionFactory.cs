using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>Makes the nodes of SQL.</summary>
internal sealed class MySqlSqlExpressionFactory(SqlExpressionFactoryDependencies dependencies) : SqlExpressionFactory(dependencies)
{
    /// <summary>A function that returns NULL if one of its arguments is NULL.</summary>
    public SqlExpression Call(string name, Type type, RelationalTypeMapping? mapping, params SqlExpression[] arguments) =>
        Function(name, arguments, nullable: true, Enumerable.Repeat(true, arguments.Length), type, mapping);

    /// <inheritdoc cref="Call(string, Type, RelationalTypeMapping?, SqlExpression[])"/>
    public SqlExpression Call(string name, Type type, params SqlExpression[] arguments) => Call(name, type, null, arguments);

    /// <summary>The byte at an index of an array of bytes.</summary>
    public SqlExpression ByteAt(SqlExpression array, SqlExpression index)
    {
        array = ApplyDefaultTypeMapping(array);
        var position = index is SqlConstantExpression { Value: int number } ? Constant(number + 1) : Add(index, Constant(1));
        return Call("ASCII", typeof(byte), Call("SUBSTRING", typeof(byte[]), array.TypeMapping, array, position, Constant(1)));
    }

    /// <summary>A point in time from which others are counted.</summary>
    public SqlExpression Epoch => Fragment("TIMESTAMP '1970-01-01 00:00:00'", typeof(DateTime));

    /// <summary>The number of whole units between two dates: TIMESTAMPDIFF.</summary>
    public SqlExpression Difference(string unit, SqlExpression start, SqlExpression end, Type type, RelationalTypeMapping? mapping = null) =>
        Function("TIMESTAMPDIFF", [Word(unit), start, end], nullable: true, [false, start is not SqlFragmentExpression, true], type, mapping);

    /// <summary>A word in the place of an argument, such as DAY in TIMESTAMPDIFF(DAY, …).</summary>
    public SqlExpression Word(string word) => Fragment(word);
}
