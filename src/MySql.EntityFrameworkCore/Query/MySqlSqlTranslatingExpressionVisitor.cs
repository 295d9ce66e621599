using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Linq.Expressions;
using System.Reflection;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Translators;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Translates expressions inside queries.</summary>
internal sealed class MySqlSqlTranslatingExpressionVisitor : RelationalSqlTranslatingExpressionVisitor
{
    private static readonly MethodInfo StartsWith = ((Func<string, bool>)"".StartsWith).Method;
    private static readonly MethodInfo StartsWithChar = ((Func<char, bool>)"".StartsWith).Method;
    private static readonly MethodInfo EndsWith = ((Func<string, bool>)"".EndsWith).Method;
    private static readonly MethodInfo EndsWithChar = ((Func<char, bool>)"".EndsWith).Method;
    private static readonly MethodInfo Contains = ((Func<string, bool>)"".Contains).Method;
    private static readonly MethodInfo ContainsChar = ((Func<char, bool>)"".Contains).Method;
    private static readonly MethodInfo JoinTexts = ((Func<string, string[], string>)string.Join).Method;
    private static readonly MethodInfo PatternOf = ((Func<QueryContext, string, string, string?>)MySqlPrecompiledQuery.LikePattern).Method;

    private readonly QueryCompilationContext _context;
    private readonly MySqlOptions _options;
    private readonly Durations _durations;

    public MySqlSqlTranslatingExpressionVisitor(
        RelationalSqlTranslatingExpressionVisitorDependencies dependencies, QueryCompilationContext queryCompilationContext,
        QueryableMethodTranslatingExpressionVisitor queryableMethodTranslatingExpressionVisitor, MySqlOptions options)
        : base(dependencies, queryCompilationContext, queryableMethodTranslatingExpressionVisitor) =>
        (_context, _options, _durations) = (queryCompilationContext, options, new(Factory));

    private MySqlSqlExpressionFactory Factory => (MySqlSqlExpressionFactory)Dependencies.SqlExpressionFactory;

    protected override Expression VisitMethodCall(MethodCallExpression methodCallExpression)
    {
        if (PlaceOf(methodCallExpression.Method) is { } place && methodCallExpression.Object is { } instance
            && TryTranslateLike(instance, methodCallExpression.Arguments[0], place, out var like))
            return like;
        if (methodCallExpression.Method == JoinTexts && TryTranslateJoin(methodCallExpression, out var joined))
            return joined;
        if (VectorFunctions.HasArray(methodCallExpression))
        {
            AddTranslationErrorDetails(
                "A distance takes no array that the query creates from several values: create the array before the query, and let the query use the variable.");
            return QueryCompilationContext.NotTranslatedExpression;
        }

        if (FullText.IsSearch(methodCallExpression))
            return FullText.Translate(methodCallExpression, Factory, Visit) ?? QueryCompilationContext.NotTranslatedExpression;
        if (JsonFunctions.IsJson(methodCallExpression))
            return new JsonFunctions(Factory, Dependencies.TypeMappingSource, Visit).Translate(methodCallExpression)
                ?? QueryCompilationContext.NotTranslatedExpression;
        if (_options.StringComparisonTranslations && TryTranslateComparison(methodCallExpression, out var comparison))
            return comparison;
        if (!_options.StringComparisonTranslations && methodCallExpression.Method.DeclaringType == typeof(string)
            && methodCallExpression.Arguments is [.., { Type: var last }] && last == typeof(StringComparison))
            AddTranslationErrorDetails(
                "A StringComparison is translated only if the options have EnableStringComparisonTranslations(), because such a comparison cannot use an "
                    + "index.");
        return base.VisitMethodCall(methodCallExpression);
    }

    protected override Expression VisitBinary(BinaryExpression binaryExpression)
    {
        if (binaryExpression.NodeType == ExpressionType.ArrayIndex && binaryExpression.Left.Type == typeof(byte[]))
            return Visit(binaryExpression.Left) is SqlExpression array && Visit(binaryExpression.Right) is SqlExpression index
                ? Factory.ByteAt(array, index)
                : QueryCompilationContext.NotTranslatedExpression;
        var isArithmetic = Durations.IsArithmetic(binaryExpression);
        if (!isArithmetic && !Durations.IsDuration(binaryExpression.Left))
            return Signed(binaryExpression, base.VisitBinary(binaryExpression));
        if (Visit(binaryExpression.Left) is not SqlExpression left || Visit(binaryExpression.Right) is not SqlExpression right)
            return isArithmetic ? QueryCompilationContext.NotTranslatedExpression : base.VisitBinary(binaryExpression);
        return isArithmetic
            ? _durations.Compute(binaryExpression.NodeType, left, right) ?? QueryCompilationContext.NotTranslatedExpression
            : _durations.Compare(binaryExpression.NodeType, left, right) ?? base.VisitBinary(binaryExpression);
    }

    // Error 1690: a negative result of an unsigned operand is out of range. C# computes with signed numbers there, in conversions that EF Core leaves out.
    private Expression Signed(BinaryExpression source, Expression translation)
    {
        var type = Nullable.GetUnderlyingType(source.Type) ?? source.Type;
        if (source.NodeType is not (ExpressionType.Add or ExpressionType.Subtract or ExpressionType.Multiply or ExpressionType.Divide)
            || (type != typeof(int) && type != typeof(long)) || translation is not SqlBinaryExpression sum || !(IsUnsigned(sum.Left) || IsUnsigned(sum.Right)))
            return translation;
        var mapping = Dependencies.TypeMappingSource.FindMapping(type);
        return new SqlBinaryExpression(sum.OperatorType, Operand(sum.Left), Operand(sum.Right), type, mapping);

        SqlExpression Operand(SqlExpression operand) => operand switch
        {
            SqlConstantExpression { Value: IConvertible value } => Factory.Constant(Convert.ChangeType(value, type, CultureInfo.InvariantCulture), mapping),
            _ when IsUnsigned(operand) => Factory.Convert(operand, type, mapping),
            _ => operand,
        };
    }

    private static bool IsUnsigned(SqlExpression expression) => expression is not SqlConstantExpression
        && (Nullable.GetUnderlyingType(expression.Type) ?? expression.Type) is var type
        && (type == typeof(byte) || type == typeof(ushort) || type == typeof(uint)) && expression.TypeMapping?.Converter is null;

    protected override Expression VisitUnary(UnaryExpression unaryExpression)
    {
        var isNegated = unaryExpression.NodeType == ExpressionType.Negate && Durations.IsDuration(unaryExpression);
        if (!isNegated && !(unaryExpression.NodeType == ExpressionType.ArrayLength && unaryExpression.Operand.Type == typeof(byte[])))
            return base.VisitUnary(unaryExpression);
        return Visit(unaryExpression.Operand) is not SqlExpression operand ? QueryCompilationContext.NotTranslatedExpression
            : isNegated ? _durations.Negate(operand) ?? QueryCompilationContext.NotTranslatedExpression
            : Factory.Call("LENGTH", typeof(int), Factory.ApplyDefaultTypeMapping(operand));
    }

    public override SqlExpression? GenerateGreatest(IReadOnlyList<SqlExpression> expressions, Type resultType) =>
        Extreme("GREATEST", expressions, resultType);

    // The lesser of two limits, of Take(a).Take(b), would be a function, which LIMIT does not take: EF Core then makes a subquery.
    public override SqlExpression? GenerateLeast(IReadOnlyList<SqlExpression> expressions, Type resultType) =>
        expressions.All(static value => value is SqlConstantExpression or SqlParameterExpression) ? null : Extreme("LEAST", expressions, resultType);

    private SqlExpression Extreme(string name, IReadOnlyList<SqlExpression> expressions, Type resultType)
    {
        var mapping = ExpressionExtensions.InferTypeMapping([.. expressions]);
        // As Math.Max and EF.Functions.Greatest are defined: NULL if one is NULL.
        return Factory.Function(name, expressions, nullable: true, Enumerable.Repeat(true, expressions.Count), resultType, mapping);
    }

    private static LikePlace? PlaceOf(MethodInfo method) =>
        method == StartsWith || method == StartsWithChar ? LikePlace.Start
        : method == EndsWith || method == EndsWithChar ? LikePlace.End
        : method == Contains || method == ContainsChar ? LikePlace.Anywhere
        : null;

    // string.Join takes null for "", and CONCAT_WS leaves it out.
    private bool TryTranslateJoin(MethodCallExpression call, [NotNullWhen(true)] out SqlExpression? translation)
    {
        translation = null;
        if (call.Arguments[1] is not NewArrayExpression { NodeType: ExpressionType.NewArrayInit, Expressions: var texts }
            || Visit(call.Arguments[0]) is not SqlExpression separator)
            return false;
        var arguments = new SqlExpression[texts.Count + 1];
        arguments[0] = Factory.Coalesce(Factory.ApplyDefaultTypeMapping(separator), Factory.Constant("", separator.TypeMapping));
        for (var index = 0; index < texts.Count; index++)
        {
            if (Visit(texts[index]) is not SqlExpression text)
                return false;
            text = Factory.ApplyDefaultTypeMapping(text);
            arguments[index + 1] = text is SqlConstantExpression { Value: string } ? text : Factory.Coalesce(text, Factory.Constant("", text.TypeMapping));
        }

        var mapping = ExpressionExtensions.InferTypeMapping(arguments);
        translation = Factory.Function("CONCAT_WS", arguments, nullable: false, Enumerable.Repeat(false, arguments.Length), typeof(string), mapping);
        return true;
    }

    // string.Equals, StartsWith, EndsWith and Contains with a StringComparison that the query says.
    private bool TryTranslateComparison(MethodCallExpression call, [NotNullWhen(true)] out SqlExpression? translation)
    {
        translation = null;
        if (call.Method.DeclaringType != typeof(string) || call.Arguments is not [.., ConstantExpression { Value: StringComparison comparison }])
            return false;
        var (left, right) = call.Object is { } instance ? (instance, call.Arguments[0]) : (call.Arguments[0], call.Arguments[1]);
        if (call.Arguments.Count != (call.Object is null ? 3 : 2) || Visit(left) is not SqlExpression text || Visit(right) is not SqlExpression sought)
            return false;
        var mapping = ExpressionExtensions.InferTypeMapping(text, sought);
        (text, sought) = (Comparable(Factory.ApplyTypeMapping(text, mapping), comparison), Comparable(Factory.ApplyTypeMapping(sought, mapping), comparison));
        translation = call.Method.Name switch
        {
            nameof(string.Equals) => Factory.Equal(text, sought),
            nameof(string.StartsWith) => Compare(text, sought, LikePlace.Start),
            nameof(string.EndsWith) => Compare(text, sought, LikePlace.End),
            nameof(string.Contains) => Compare(text, sought, LikePlace.Anywhere),
            _ => null,
        };
        return translation is not null;
    }

    private BytewiseExpression Comparable(SqlExpression text, StringComparison comparison)
    {
        if (comparison is StringComparison.OrdinalIgnoreCase or StringComparison.CurrentCultureIgnoreCase or StringComparison.InvariantCultureIgnoreCase)
            text = Factory.Call("LOWER", typeof(string), text.TypeMapping, text);
        return new BytewiseExpression(text);
    }

    // A LIKE with a constant or a parameter at its right can use an index for StartsWith. LEFT(…) or LOCATE(…) could not.
    private bool TryTranslateLike(Expression instance, Expression pattern, LikePlace place, [NotNullWhen(true)] out SqlExpression? translation)
    {
        translation = null;
        if (Visit(instance) is not SqlExpression text || Visit(pattern) is not SqlExpression sought)
            return false;
        var mapping = ExpressionExtensions.InferTypeMapping(text, sought);
        text = Factory.ApplyTypeMapping(text, mapping);
        switch (sought)
        {
            case SqlConstantExpression { Value: null }:
                translation = Factory.Constant(false);
                return true;
            case SqlConstantExpression { Value: string or char } constant:
                translation = Like(text, Factory.Constant(LikePatterns.Pattern(constant.Value.ToString()!, place), mapping), constant.Value.ToString()!);
                return true;
            case SqlParameterExpression parameter:
                var lambda = Expression.Lambda<Func<QueryContext, string?>>(
                    Expression.Call(
                        PatternOf, QueryCompilationContext.QueryContextParameter, Expression.Constant(parameter.Name), Expression.Constant(place.ToString())),
                    QueryCompilationContext.QueryContextParameter);
                var rewritten = _context.RegisterRuntimeParameter($"{parameter.Name}_{place.ToString().ToLowerInvariant()}", lambda);
                translation = Factory.Like(
                    text, new SqlParameterExpression(rewritten.Name!, rewritten.Type, mapping), Factory.Constant(LikePatterns.EscapeText));
                return true;
            default:
                translation = Compare(text, Factory.ApplyTypeMapping(sought, mapping), place);
                return true;
        }
    }

    private SqlExpression Like(SqlExpression text, SqlExpression pattern, string sought) =>
        sought.AsSpan().ContainsAny('%', '_', LikePatterns.Escape)
            ? Factory.Like(text, pattern, Factory.Constant(LikePatterns.EscapeText))
            : Factory.Like(text, pattern);

    // Another column at the right: its % and _ are letters.
    private SqlExpression Compare(SqlExpression text, SqlExpression sought, LikePlace place)
    {
        if (place == LikePlace.Anywhere)
            return Factory.GreaterThan(Position.Of(Factory, sought, text), Factory.Constant(0));
        var length = Factory.Call("CHAR_LENGTH", typeof(int), sought);
        var isEqual = Factory.Equal(Factory.Call(place == LikePlace.Start ? "LEFT" : "RIGHT", typeof(string), text.TypeMapping, text, length), sought);
        // EF Core lets NULL be equal to NULL, but nothing starts with it.
        return Factory.AndAlso(Factory.IsNotNull(text), Factory.AndAlso(Factory.IsNotNull(sought), isEqual));
    }
}
