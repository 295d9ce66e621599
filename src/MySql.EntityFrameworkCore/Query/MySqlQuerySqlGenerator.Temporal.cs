using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Temporal;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

internal sealed partial class MySqlQuerySqlGenerator
{
    // The temporal tables that are read as they are, by their aliases.
    private readonly Dictionary<string, TemporalTable> _periods = [];

    // A column of a period is read as the moment in UTC.
    protected override Expression VisitColumn(ColumnExpression columnExpression)
    {
        if (Json.IsTextOfGeometry(columnExpression))
            Json.AppendGeometry(() => base.VisitColumn(columnExpression));
        else if (PeriodColumn(columnExpression) is { } column)
            Sql.Append(TemporalTable.Moment(column));
        else
            base.VisitColumn(columnExpression);
        return columnExpression;
    }

    protected override Expression VisitProjection(ProjectionExpression projectionExpression)
    {
        base.VisitProjection(projectionExpression);
        // A column of the same name has no alias, but the moment is an expression, and a geometry out of JSON, too.
        if (projectionExpression.Expression is ColumnExpression column && column.Name == projectionExpression.Alias
            && (PeriodColumn(column) is not null || Json.IsTextOfGeometry(column)))
            Sql.Append(AliasSeparator).Append(Names.DelimitIdentifier(projectionExpression.Alias));
        return projectionExpression;
    }

    private string? PeriodColumn(ColumnExpression column) =>
        _periods.Count > 0 && _periods.TryGetValue(column.TableAlias, out var period) && period.Has(column.Name)
            ? $"{Names.DelimitIdentifier(column.TableAlias)}.{Names.DelimitIdentifier(column.Name)}"
            : null;

    // A derived table, which the server merges into the query. Its columns are named: a star has no invisible ones.
    private void GenerateVersions(TableExpression table, TemporalOperation operation)
    {
        if (!options.Capabilities.SystemVersioning)
            throw new InvalidOperationException(
                $"The query reads the past of the table '{table.Name}', and {options.ServerVersion} does not have system-versioned tables. Use MariaDB 10.3 or "
                    + "later, and give UseMySql its ServerVersion if it cannot be asked.");
        if (_changed?.Alias == table.Alias)
            throw TemporalTables.PastIsFixed();
        var period = TemporalTable.Of(table.Table)!;
        Sql.Append("(SELECT ");
        GenerateColumns(table.Table, period, asMoments: true);
        Sql.Append(" FROM ").Append(Names.DelimitIdentifier(table.Name, table.Schema)).Append(" FOR SYSTEM_TIME ALL");
        if (operation.Condition(Names.DelimitIdentifier(period.StartColumn), Names.DelimitIdentifier(period.EndColumn)) is { } condition)
            Sql.Append(" WHERE ").Append(condition);
        Sql.Append(")").Append(AliasSeparator).Append(Names.DelimitIdentifier(table.Alias));
    }

    private void GenerateColumns(ITableBase table, TemporalTable period, bool asMoments)
    {
        var isFirst = true;
        foreach (var column in table.Columns)
        {
            var name = Names.DelimitIdentifier(column.Name);
            Sql.Append(isFirst ? "" : ", ");
            isFirst = false;
            if (asMoments && period.Has(column.Name))
                Sql.Append(TemporalTable.Moment(name)).Append(AliasSeparator);
            Sql.Append(name);
        }
    }

    private void FindPeriods(Expression query) => new PeriodFinder(_periods).Visit(query);

    private sealed class PeriodFinder(Dictionary<string, TemporalTable> periods) : ExpressionVisitor
    {
        protected override Expression VisitExtension(Expression node)
        {
            if (node is TableExpression table && TemporalOperation.Of(table) is null && TemporalTable.Of(table.Table) is { } period)
                periods[table.Alias] = period;
            return base.VisitExtension(node);
        }
    }
}
