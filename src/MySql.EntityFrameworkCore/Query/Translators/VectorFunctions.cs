using System.Linq.Expressions;
using System.Reflection;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Diagnostics;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;
using ExpressionExtensions = Microsoft.EntityFrameworkCore.Query.ExpressionExtensions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Translators;

/// <summary>Translates the distances of vectors.</summary>
internal sealed class VectorFunctions(MySqlSqlExpressionFactory factory, IRelationalTypeMappingSource mappings) : IMethodCallTranslator
{
    /// <summary>How the names of the functions begin.</summary>
    public const string Prefix = "VEC_DISTANCE_";

    /// <summary>Returns whether the vector of a distance is an array whose elements are not all constants, which EF Core does not make a parameter.</summary>
    public static bool HasArray(MethodCallExpression call) => IsDistance(call.Method) && call.Arguments.Skip(1).Any(static argument =>
    {
        while (argument is UnaryExpression { NodeType: ExpressionType.Convert } conversion)
            argument = conversion.Operand;
        return argument is NewArrayExpression;
    });

    private static bool IsDistance(MethodInfo method) => method.DeclaringType == typeof(MySqlDbFunctionsExtensions)
        && method.Name is nameof(MySqlDbFunctionsExtensions.VectorDistanceCosine) or nameof(MySqlDbFunctionsExtensions.VectorDistanceEuclidean);

    public SqlExpression? Translate(
        SqlExpression? instance, MethodInfo method, IReadOnlyList<SqlExpression> arguments, IDiagnosticsLogger<DbLoggerCategory.Query> logger)
    {
        if (method.DeclaringType != typeof(MySqlDbFunctionsExtensions) || arguments is not [_, var left, var right])
            return null;
        var name = method.Name switch
        {
            nameof(MySqlDbFunctionsExtensions.VectorDistanceCosine) => "COSINE",
            nameof(MySqlDbFunctionsExtensions.VectorDistanceEuclidean) => "EUCLIDEAN",
            _ => null,
        };
        if (name is null)
            return null;
        // Without a type, an array of numbers would be JSON.
        var mapping = ExpressionExtensions.InferTypeMapping(left, right) ?? mappings.FindMapping(left.Type, "vector");
        if (left.TypeMapping is { Size: { } size } one && right.TypeMapping is { Size: { } otherSize } other && size != otherSize)
            throw new InvalidOperationException(
                $"The distance of a {one.StoreType} and a {other.StoreType} is unknown: both vectors must have the same number of elements.");
        mapping = (mapping as MySqlVectorTypeMapping)?.ForOperand() ?? mapping;
        return factory.Call(Prefix + name, typeof(double), factory.ApplyTypeMapping(left, mapping), factory.ApplyTypeMapping(right, mapping));
    }
}
