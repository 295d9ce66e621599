using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Rewriting;

/// <summary>The columns of a derived table while it is built.</summary>
/// <param name="alias">The alias of the table.</param>
/// <param name="projections">The columns that it has.</param>
/// <param name="taken">Names that other columns do not get: around the table, they have another meaning.</param>
internal sealed class ProjectionList(string alias, IEnumerable<ProjectionExpression> projections, IReadOnlyCollection<string>? taken = null)
{
    public List<ProjectionExpression> Projections { get; } = [.. projections];

    /// <summary>Adds a column, unless it is there, and returns it as the select around the table sees it.</summary>
    public ColumnExpression Add(SqlExpression expression, string name)
    {
        var projection = Projections.FirstOrDefault(one => one.Expression.Equals(expression));
        if (projection is null)
        {
            var free = name;
            for (var number = 0; IsTaken(free); number++)
                free = name + number;
            projection = new(expression, free);
            Projections.Add(projection);
        }

        return Column(projection);
    }

    public ColumnExpression Column(ProjectionExpression projection) => new(
        projection.Alias, alias, projection.Type, projection.Expression.TypeMapping,
        Equalities.Shown(projection.Expression)
            is not (ColumnExpression { IsNullable: false } or RowNumberExpression or SqlConstantExpression { Value: not null }));

    private bool IsTaken(string name) =>
        Projections.Any(one => string.Equals(one.Alias, name, StringComparison.OrdinalIgnoreCase))
        || taken?.Contains(name, StringComparer.OrdinalIgnoreCase) == true;
}
