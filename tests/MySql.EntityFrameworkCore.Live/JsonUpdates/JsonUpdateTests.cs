using System.Globalization;
using System.Linq.Expressions;
using System.Reflection;
using System.Text.Json;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query;
using Slipstream.Lab;

namespace Slipstream.MySql.EntityFrameworkCore.Live.JsonUpdates;

/// <summary>ExecuteUpdate writes the same JSON as SaveChanges, for each type of property and each kind of value.</summary>
public sealed class JsonUpdateTests
{
    private static readonly PropertyInfo[] Properties = typeof(Values).GetProperties();

    public static TheoryData<ServerKind> Kinds => Servers.Kinds;

    private static CancellationToken Stop => TestContext.Current.CancellationToken;

    [Theory, MemberData(nameof(Kinds))]
    public Task A_constant_is_stored_as_SaveChanges_stores_it(ServerKind kind) =>
        CompareAsync(kind, 0, static (property, _) => Expression.Constant(property.GetValue(Values.Of(0)), property.PropertyType));

    [Theory, MemberData(nameof(Kinds))]
    public Task A_parameter_is_stored_as_SaveChanges_stores_it(ServerKind kind)
    {
        var values = new Holder(Values.Of(0));
        return CompareAsync(
            kind, 0, (property, _) => Expression.Property(Expression.Property(Expression.Constant(values), nameof(Holder.Values)), property));
    }

    [Theory, MemberData(nameof(Kinds))]
    public Task A_column_is_stored_as_SaveChanges_stores_it(ServerKind kind) =>
        CompareAsync(kind, 1, static (property, row) => Expression.Property(Expression.Property(row, nameof(Row.Columns)), property));

    [Theory, MemberData(nameof(Kinds))]
    public Task A_property_of_another_document_is_stored_as_SaveChanges_stores_it(ServerKind kind) =>
        CompareAsync(kind, 2, static (property, row) => Expression.Property(Expression.Property(row, nameof(Row.Source)), property));

    [Theory, MemberData(nameof(Kinds))]
    public Task An_expression_is_stored_as_SaveChanges_stores_it(ServerKind kind) =>
        CompareAsync(kind, 1, static (property, row) => Expression.Condition(
            Expression.GreaterThan(Expression.Property(row, nameof(Row.Id)), Expression.Constant(0)),
            Expression.Property(Expression.Property(row, nameof(Row.Columns)), property),
            Expression.Property(Expression.Property(row, nameof(Row.Others)), property)));

    [Theory, MemberData(nameof(Kinds))]
    public Task A_null_is_stored_as_SaveChanges_stores_it(ServerKind kind) =>
        CompareAsync(kind, 4, static (property, _) => Expression.Constant(null, property.PropertyType), onlyNullable: true);

    [Theory, MemberData(nameof(Kinds))]
    public Task A_column_that_is_NULL_is_stored_as_SaveChanges_stores_it(ServerKind kind) =>
        CompareAsync(
            kind, 4, static (property, row) => Expression.Property(Expression.Property(row, nameof(Row.Others)), property), onlyNullable: true);

    private static async Task CompareAsync(
        ServerKind kind, int number, Func<PropertyInfo, ParameterExpression, Expression> source, bool onlyNullable = false) =>
        await Servers.WithDatabaseAsync(kind, static options => new JsonUpdateContext(options), async create =>
        {
            await using var context = create();
            var others = Values.Of(3);
            foreach (var property in Properties.Where(IsNullable))
                property.SetValue(others, null);
            var first = new Row
            {
                Id = 1, Columns = Values.Of(1), Others = others, Source = Values.Of(2),
                Document = new() { Nested = Values.Of(3), Items = [Values.Of(3), Values.Of(3)] },
            };
            context.Add(first);
            await context.SaveChangesAsync(Stop);
            // The value that SaveChanges stores is the one that was read.
            context.ChangeTracker.Clear();
            first = await context.Rows.AsNoTracking().SingleAsync(Stop);
            var expected = number switch { 1 => first.Columns, 2 => first.Source, 4 => first.Others, _ => Values.Of(number) };
            context.Add(new Row { Id = 2, Document = new() { Nested = expected } });
            await context.SaveChangesAsync(Stop);
            context.ChangeTracker.Clear();
            var wanted = (await Documents(context, 2))[0];
            var differences = new List<string>();
            foreach (var property in Properties.Where(property => !onlyNullable || IsNullable(property)))
            {
                await using var transaction = await context.Database.BeginTransactionAsync(Stop);
                try
                {
                    await context.Rows.Where(static r => r.Id == 1).ExecuteUpdateAsync(builder => Set(builder, property, source), Stop);
                    var after = await context.Rows.AsNoTracking().SingleAsync(static r => r.Id == 1, Stop);
                    foreach (var (place, values) in new[] { ("nested", after.Document.Nested), ("element", after.Document.Items[1]) })
                        if (!Same(property.GetValue(expected), property.GetValue(values)))
                            differences.Add($"{property.Name} {place}: {property.GetValue(expected)} came back as {property.GetValue(values)}");
                    foreach (var document in await Documents(context, 1))
                        if (Leaf(document, property) is var leaf && Leaf(wanted, property) is var right && !leaf.Equals(right))
                            differences.Add($"{property.Name}: {document.GetProperty(property.Name)} instead of {wanted.GetProperty(property.Name)}");
                }
                catch (Exception error) when (error is not OperationCanceledException)
                {
                    differences.Add($"{property.Name}: {(error.InnerException ?? error).Message}");
                }
            }

            Assert.True(differences.Count == 0, string.Join('\n', differences));
        });

    private static void Set(UpdateSettersBuilder<Row> builder, PropertyInfo property, Func<PropertyInfo, ParameterExpression, Expression> source) =>
        typeof(JsonUpdateTests).GetMethod(nameof(SetAll), BindingFlags.NonPublic | BindingFlags.Static)!.MakeGenericMethod(property.PropertyType)
            .Invoke(null, [builder, property, source]);

    private static void SetAll<T>(UpdateSettersBuilder<Row> builder, PropertyInfo property, Func<PropertyInfo, ParameterExpression, Expression> source)
    {
        var row = Expression.Parameter(typeof(Row), "r");
        var value = Expression.Lambda<Func<Row, T>>(source(property, row), row);
        Expression<Func<Row, Values>> nested = static r => r.Document.Nested;
        Expression<Func<Row, Values>> element = static r => r.Document.Items[1];
        foreach (var place in new[] { nested, element })
            builder.SetProperty(
                Expression.Lambda<Func<Row, T>>(Expression.Property(place.Body, property), place.Parameters), value);
    }

    // The values as they are in the document: the nested one, and those of the list.
    private static async Task<List<JsonElement>> Documents(JsonUpdateContext context, int id)
    {
        var text = await context.Database.SqlQuery<string>($"SELECT CONCAT(Document) AS `Value` FROM `Rows` WHERE Id = {id}").SingleAsync(Stop);
        var document = JsonDocument.Parse(text).RootElement;
        return [document.GetProperty(nameof(Document.Nested)), .. document.GetProperty(nameof(Document.Items)).EnumerateArray().Skip(1)];
    }

    // A number has many forms: 5, 5.0 and 5e0. Whether it is a string is another matter.
    private static (JsonValueKind Kind, object Value) Leaf(JsonElement values, PropertyInfo property)
    {
        var value = values.GetProperty(property.Name);
        var type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
        var text = value.ValueKind == JsonValueKind.String ? value.GetString()! : value.GetRawText();
        if (value.ValueKind is not (JsonValueKind.Number or JsonValueKind.String))
            return (value.ValueKind, text);
        return type == typeof(decimal) ? (value.ValueKind, decimal.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture))
            : type == typeof(double) ? (value.ValueKind, double.Parse(text, CultureInfo.InvariantCulture))
            : type == typeof(float) ? (value.ValueKind, float.Parse(text, CultureInfo.InvariantCulture))
            : (value.ValueKind, text);
    }

    private static bool Same(object? left, object? right) => left is byte[] bytes ? right is byte[] other && bytes.AsSpan().SequenceEqual(other)
        : Equals(left, right);

    private static bool IsNullable(PropertyInfo property) => property.Name.StartsWith("Maybe", StringComparison.Ordinal);

    private sealed record Holder(Values Values);
}
