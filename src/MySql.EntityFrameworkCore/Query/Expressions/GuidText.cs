using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>The text of a Guid that is stored as binary(16): its digits in hexadecimal, with a hyphen inserted at four places.</summary>
internal static class GuidText
{
    private static readonly int[] Places = [9, 14, 19, 24];
    private static readonly SqlConstantExpression Hyphen = new("-", MySqlStringTypeMapping.Default);

    public static SqlExpression Of(SqlExpression guid) => Call(
        "LOWER", Places.Aggregate(Call("HEX", guid), static (text, place) => Call("INSERT", text, Number(place), Number(0), Hyphen)));

    private static SqlConstantExpression Number(int value) => new(value, IntTypeMapping.Default);

    private static SqlFunctionExpression Call(string name, params SqlExpression[] arguments) => new(
        name, arguments, nullable: true, arguments.Select(static argument => argument is not SqlConstantExpression), typeof(string),
        MySqlStringTypeMapping.Default);
}
