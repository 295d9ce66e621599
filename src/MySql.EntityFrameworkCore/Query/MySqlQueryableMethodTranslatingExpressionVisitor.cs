using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Temporal;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

#pragma warning disable EF1001 // the constructors of a select of known parts have no public counterpart

/// <summary>Translates LINQ's methods on queries.</summary>
internal sealed class MySqlQueryableMethodTranslatingExpressionVisitor : RelationalQueryableMethodTranslatingExpressionVisitor
{
    private readonly MySqlSqlExpressionFactory _factory;
    private readonly IRelationalTypeMappingSource _mappings;
    private readonly SqlAliasManager _aliases;
    private readonly MySqlSingletonOptions _options;
    private readonly JsonUpdates _jsonUpdates;

    public MySqlQueryableMethodTranslatingExpressionVisitor(
        QueryableMethodTranslatingExpressionVisitorDependencies dependencies,
        RelationalQueryableMethodTranslatingExpressionVisitorDependencies relationalDependencies, RelationalQueryCompilationContext queryCompilationContext,
        MySqlSingletonOptions options)
        : base(dependencies, relationalDependencies, queryCompilationContext)
    {
        _factory = (MySqlSqlExpressionFactory)relationalDependencies.SqlExpressionFactory;
        _mappings = relationalDependencies.TypeMappingSource;
        _aliases = queryCompilationContext.SqlAliasManager;
        _options = options;
        _jsonUpdates = new JsonUpdates(_factory, _mappings, queryCompilationContext, options);
    }

    private MySqlQueryableMethodTranslatingExpressionVisitor(MySqlQueryableMethodTranslatingExpressionVisitor parent)
        : base(parent) =>
        (_factory, _mappings, _aliases, _options, _jsonUpdates) = (parent._factory, parent._mappings, parent._aliases, parent._options, parent._jsonUpdates);

    private RelationalTypeMapping Number => _mappings.FindMapping(typeof(int))!;

    protected override QueryableMethodTranslatingExpressionVisitor CreateSubqueryVisitor() => new MySqlQueryableMethodTranslatingExpressionVisitor(this);

    // ---------------------------------------------------------------- the past

    protected override Expression VisitExtension(Expression extensionExpression)
    {
        if (extensionExpression is not TemporalQueryRootExpression root)
            return base.VisitExtension(extensionExpression);
        var select = TemporalTables.Mark(CreateSelect(root.EntityType), root.EntityType, root.Operation, _aliases);
        return new ShapedQueryExpression(
            select,
            new RelationalStructuralTypeShaperExpression(
                root.EntityType, new ProjectionBindingExpression(select, new ProjectionMember(), typeof(ValueBuffer)), false));
    }

    // ---------------------------------------------------------------- changes

    protected override bool IsValidSelectExpressionForExecuteDelete(SelectExpression selectExpression) => CanChange(selectExpression);

    protected override bool IsValidSelectExpressionForExecuteUpdate(
        SelectExpression selectExpression, TableExpressionBase targetTable, [NotNullWhen(true)] out TableExpression? tableExpression)
    {
        tableExpression = CanChange(selectExpression) ? (targetTable as JoinExpressionBase)?.Table as TableExpression ?? targetTable as TableExpression : null;
        return tableExpression is not null;
    }

    // UPDATE and DELETE take joins of every kind.
    private static bool CanChange(SelectExpression select) =>
        select is { Tables.Count: > 0, Orderings: [], Offset: null, Limit: null, GroupBy: [], Having: null, IsDistinct: false };

    // EF Core would change the present rows whose keys such a query returns.
    protected override DeleteExpression? TranslateExecuteDelete(ShapedQueryExpression source)
    {
        var shaper = source.ShaperExpression;
        while (shaper is IncludeExpression include)
            shaper = include.EntityExpression;
        if (shaper is StructuralTypeShaperExpression { ValueBufferExpression: ProjectionBindingExpression row, StructuralType: IEntityType type }
            && source.QueryExpression is SelectExpression select
            && select.GetProjection(row) is StructuralTypeProjectionExpression projection
            && type.FindPrimaryKey()?.Properties is [var key, ..]
            && projection.BindProperty(key) is ColumnExpression column
            && select.Tables.FirstOrDefault(table => table.UnwrapJoin().Alias == column.TableAlias) is { } target
            && TemporalTables.ReadsPast(target))
            throw TemporalTables.PastIsFixed();
        return base.TranslateExecuteDelete(source);
    }

    // EF Core 10 ends so where an object in a document is to be set to one in columns, or to a choice of objects.
    protected override bool TryTranslateSetters(
        ShapedQueryExpression source, IReadOnlyList<ExecuteUpdateSetter> setters, [NotNullWhen(true)] out IReadOnlyList<ColumnValueSetter>? columnSetters,
        [NotNullWhen(true)] out TableExpressionBase? targetTable)
    {
        try
        {
            var isTranslated = base.TryTranslateSetters(source, setters, out columnSetters, out targetTable);
            if (isTranslated && TemporalTables.ReadsPast(targetTable!))
                throw TemporalTables.PastIsFixed();
            return isTranslated;
        }
        catch (UnreachableException error)
        {
            throw new InvalidOperationException(
                "ExecuteUpdate sets an object in a document to a value that is not a document. Set it to a constant, a parameter or another object in a "
                    + "document, set its properties one by one, or call SaveChanges.",
                error);
        }
    }

#pragma warning disable EF9002 // the only hook for the form of a value in a document
    protected override bool TrySerializeScalarToJson(JsonScalarExpression target, SqlExpression value, [NotNullWhen(true)] out SqlExpression? jsonValue)
    {
        jsonValue = target.TypeMapping?.ElementTypeMapping is null
            ? _jsonUpdates.Serialize(target, value, expression => TranslateExpression(expression, applyDefaultTypeMapping: false))
            : null;
        return jsonValue is not null || base.TrySerializeScalarToJson(target, value, out jsonValue);
    }
#pragma warning restore EF9002

    protected override SqlExpression? GenerateJsonPartialUpdateSetter(Expression target, SqlExpression value, ref SqlExpression? existingSetterValue)
    {
        var (column, path, isScalar) = target switch
        {
            JsonScalarExpression { TypeMapping.ElementTypeMapping: var element } scalar =>
                ((ColumnExpression)scalar.Json, scalar.Path, element is null && value.TypeMapping is not JsonTypeMapping),
            JsonQueryExpression query => (query.JsonColumn, query.Path, false),
            _ => throw new InvalidOperationException($"A part of a document cannot be set by {target.GetType().Name}."),
        };
        var set = new JsonSetExpression(existingSetterValue ?? column, path, value, isScalar, column.TypeMapping);
        if (existingSetterValue is null)
            return set;
        existingSetterValue = set;
        return null;
    }

    // ---------------------------------------------------------------- collections

    protected override ShapedQueryExpression? TranslatePrimitiveCollection(SqlExpression sqlExpression, IProperty? property, string tableAlias)
    {
        if (sqlExpression.TypeMapping is MySqlVectorTypeMapping)
        {
            AddTranslationErrorDetails("The elements of a vector cannot be read by SQL: load the vector and look into it in memory.");
            return null;
        }

        var mapping = (RelationalTypeMapping?)sqlExpression.TypeMapping?.ElementTypeMapping;
        if (mapping is not null && !JsonValues.CanBeColumn(mapping))
        {
            AddTranslationErrorDetails($"A collection of {mapping.ClrType.Name} in JSON cannot be read by SQL.");
            return null;
        }

        var elementType = ElementType(sqlExpression.Type);
        var plainType = Nullable.GetUnderlyingType(elementType) ?? elementType;
        var isNullable = property?.GetElementType()?.IsNullable ?? (!elementType.IsValueType || plainType != elementType);
        var table = new JsonTableExpression(tableAlias, sqlExpression, [], [new(JsonTableExpression.ValueName, mapping, null)]);
        var select = new SelectExpression(
            [table], new ColumnExpression(JsonTableExpression.ValueName, tableAlias, plainType, mapping, isNullable),
            [(new ColumnExpression(JsonTableExpression.OrdinalityName, tableAlias, typeof(int), Number, nullable: false), Number.Comparer)], _aliases);
        Order(select, table);
        var boxed = elementType.IsValueType && plainType == elementType ? NullableOf(elementType) : elementType;
        Expression shaper = new ProjectionBindingExpression(select, new ProjectionMember(), boxed);
        return new(select, boxed == elementType ? shaper : Expression.Convert(shaper, elementType));
    }

    protected override ShapedQueryExpression? TransformJsonQueryToTable(JsonQueryExpression jsonQueryExpression)
    {
        var type = jsonQueryExpression.StructuralType;
        var columns = new List<JsonTableColumn>();
        foreach (var property in Properties(type))
        {
            if (property.GetJsonPropertyName() is not { } name)
                continue;
            var mapping = property.GetRelationalTypeMapping();
            // A collection of values is a document inside the document.
            columns.Add(new(name, mapping.ElementTypeMapping is null ? mapping : null, name));
            if (mapping.ElementTypeMapping is not null || JsonValues.CanBeColumn(mapping))
                continue;
            AddTranslationErrorDetails($"The property '{type.DisplayName()}.{property.Name}' of type {mapping.ClrType.Name} in JSON cannot be read by SQL.");
            return null;
        }

        if (type is IEntityType entityType)
            columns.AddRange(
                from navigation in entityType.GetDerivedTypesInclusive().SelectMany(static one => one.GetNavigations()).Distinct()
                where navigation.ForeignKey.IsOwnership && navigation.TargetEntityType.IsMappedToJson()
                    && navigation.ForeignKey.PrincipalToDependent == navigation
                let name = navigation.TargetEntityType.GetJsonPropertyName()
                where name is not null
                select new JsonTableColumn(name, null, name));
        columns.AddRange(
            from complex in type.GetComplexProperties()
            let name = complex.ComplexType.GetJsonPropertyName()
            where name is not null
            select new JsonTableColumn(name, null, name));
        var lastName = jsonQueryExpression.Path.LastOrDefault(static segment => segment.PropertyName is not null).PropertyName;
        var table = new JsonTableExpression(
            _aliases.GenerateTableAlias(lastName ?? jsonQueryExpression.JsonColumn.Name), jsonQueryExpression.JsonColumn, jsonQueryExpression.Path, columns);
        var select = CreateSelect(jsonQueryExpression, table, JsonTableExpression.OrdinalityName, typeof(int), Number);
        Order(select, table);
        return new(
            select,
            new RelationalStructuralTypeShaperExpression(type, new ProjectionBindingExpression(select, new ProjectionMember(), typeof(ValueBuffer)), false));
    }

    // x.List[i] and x.List.ElementAt(i): a path into the document. Path expressions of JSON know no index from a list in a parameter.
    protected override ShapedQueryExpression? TranslateElementAtOrDefault(ShapedQueryExpression source, Expression index, bool returnDefault)
    {
        if (!returnDefault && source.QueryExpression is SelectExpression select && ArrayOf(select) is { Json.TypeMapping: not null } table
            && TranslateExpression(index) is { } position)
        {
            var shaper = source.ShaperExpression is UnaryExpression { NodeType: ExpressionType.Convert } convert ? convert.Operand : source.ShaperExpression;
            if (shaper is ProjectionBindingExpression binding && select.GetProjection(binding) is ColumnExpression { TypeMapping: not null } column)
            {
                var (json, path) = table.Json is JsonScalarExpression inner ? (inner.Json, inner.Path) : (table.Json, []);
                var element = new JsonScalarExpression(json, [.. path, new PathSegment(position)], column.Type, column.TypeMapping, column.IsNullable);
                return source.UpdateQueryExpression(new SelectExpression(element, _aliases));
            }
        }

        // new[] { 1, 2 }[row.Number]: OFFSET does not take a column. The elements of such a list have numbers.
        if (source.QueryExpression is SelectExpression
            {
                Tables: [ValuesExpression], Predicate: null, GroupBy: [], Having: null, IsDistinct: false, Limit: null, Offset: null,
                Orderings: [{ Expression: ColumnExpression { Name: "_ord" } number, IsAscending: true }],
            } list
            && TranslateExpression(index) is { } place and not (SqlConstantExpression or SqlParameterExpression))
        {
            list.ClearOrdering();
            list.ApplyPredicate(_factory.Equal(number, place));
            list.ApplyLimit(_factory.Constant(1, Number));
            return source;
        }

        return base.TranslateElementAtOrDefault(source, index, returnDefault);
    }

    // x.List.Count: the length of the array instead of the number of its rows.
    protected override ShapedQueryExpression? TranslateCount(ShapedQueryExpression source, LambdaExpression? predicate) =>
        predicate is null && source.QueryExpression is SelectExpression select && ArrayOf(select) is { Path.Count: 0, Columns: [{ Property: null }] } table
            ? source.UpdateQueryExpression(new SelectExpression(_factory.Call("JSON_LENGTH", typeof(int), Number, table.Json), _aliases))
            : base.TranslateCount(source, predicate);

    protected override bool IsNaturallyOrdered(SelectExpression selectExpression) =>
        selectExpression is
        {
            Tables: [JsonTableExpression table, ..],
            Orderings: [{ Expression: ColumnExpression { Name: JsonTableExpression.OrdinalityName } column, IsAscending: true }],
        }
        && column.TableAlias == table.Alias;

    private static JsonTableExpression? ArrayOf(SelectExpression select) => select is
    {
        Tables: [JsonTableExpression table], Predicate: null, GroupBy: [], Having: null, IsDistinct: false, Limit: null, Offset: null,
        Orderings: [{ Expression: ColumnExpression { Name: JsonTableExpression.OrdinalityName }, IsAscending: true }],
    }
        ? table
        : null;

    private void Order(SelectExpression select, JsonTableExpression table) => select.AppendOrdering(new OrderingExpression(
        new ColumnExpression(JsonTableExpression.OrdinalityName, table.Alias, typeof(int), Number, nullable: false), ascending: true));

    private static IEnumerable<IProperty> Properties(ITypeBase type) => type is IEntityType entityType
        ? entityType.GetDerivedTypesInclusive().SelectMany(static one => one.GetDeclaredProperties()).Concat(entityType.GetProperties()).Distinct()
        : type.GetProperties();

    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "EF Core makes the same type for the value.")]
    private static Type NullableOf(Type type) => typeof(Nullable<>).MakeGenericType(type);

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "EF Core keeps the interfaces of the types of properties.")]
    private static Type ElementType(Type collection) =>
        (collection.IsInterface && collection.IsGenericType && collection.GetGenericTypeDefinition() == typeof(IEnumerable<>)
            ? collection
            : collection.GetInterfaces().First(static one => one.IsGenericType && one.GetGenericTypeDefinition() == typeof(IEnumerable<>)))
        .GetGenericArguments()[0];
}
