using System.Linq.Expressions;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Metadata;
using Slipstream.MySql.EntityFrameworkCore.Query.Expressions;
using Slipstream.MySql.EntityFrameworkCore.Query.Temporal;
using Slipstream.MySql.EntityFrameworkCore.Query.Translators;

namespace Slipstream.MySql.EntityFrameworkCore.Query;

/// <summary>Writes the SQL of queries, and of ExecuteUpdate and ExecuteDelete.</summary>
internal sealed partial class MySqlQuerySqlGenerator(QuerySqlGeneratorDependencies dependencies, MySqlSingletonOptions options)
    : QuerySqlGenerator(dependencies)
{
    // MySQL Reference Manual, "SELECT Statement": all rows from an offset on need a large limit.
    private const string NoLimit = "18446744073709551615";

    private ISqlGenerationHelper Names => Dependencies.SqlGenerationHelper;

    private JsonSql Json => field ??= new JsonSql(() => Sql, expression => Visit(expression), Names, options);

    // The table that ExecuteUpdate or ExecuteDelete changes, and how many selects are around what is written.
    private TableExpression? _changed;
    private int _depth;

    // The selects whose rows the reader gets.
    private readonly HashSet<SelectExpression> _outputs = new(ReferenceEqualityComparer.Instance);

    // ---------------------------------------------------------------- clauses

    protected override void GenerateRootCommand(Expression queryExpression)
    {
        AddOutputs(queryExpression);
        FindPeriods(queryExpression);
        Json.FindColumns(queryExpression);
        base.GenerateRootCommand(queryExpression);
    }

    // A FLOAT arrives with six digits as text, and whole in the binary protocol: as a DOUBLE, it is whole in both.
    protected override void GenerateProjection(SelectExpression selectExpression)
    {
        if (!_outputs.Contains(selectExpression) || !selectExpression.Projection.Any(static projection => IsFloat(projection.Expression)))
        {
            base.GenerateProjection(selectExpression);
            return;
        }

        for (var index = 0; index < selectExpression.Projection.Count; index++)
        {
            var projection = selectExpression.Projection[index];
            if (index > 0)
                Sql.Append(", ");
            if (!IsFloat(projection.Expression))
            {
                Visit(projection);
                continue;
            }

            Sql.Append("(");
            Visit(projection.Expression);
            Sql.Append(" + 0e0)");
            if (projection.Alias.Length > 0)
                Sql.Append(AliasSeparator).Append(Names.DelimitIdentifier(projection.Alias));
        }
    }

    private void AddOutputs(Expression expression)
    {
        if (expression is not SelectExpression select)
            return;
        _outputs.Add(select);
        if (select.Tables is not [SetOperationBase operation])
            return;
        AddOutputs(operation.Source1);
        AddOutputs(operation.Source2);
    }

    private static bool IsFloat(SqlExpression expression) =>
        expression is ColumnExpression { TypeMapping.StoreTypeNameBase: "float" or "float unsigned" };

    // As a semijoin, MySQL 9.7 reads JSON_TABLE once for all rows: 2 IN (SELECT value FROM JSON_TABLE(row.numbers, …)) is true of every row, or of none.
    protected override void GenerateTop(SelectExpression selectExpression)
    {
        if (options.Capabilities.JsonType && selectExpression is { IsDistinct: false, Tables: [JsonTableExpression, ..] })
            Sql.Append("/*+ NO_SEMIJOIN() */ ");
    }

    // A list is written as SELECT … UNION ALL SELECT …, which is one operand.
    protected override void GenerateSetOperationOperand(SetOperationBase setOperation, SelectExpression operand)
    {
        if (operand.Tables is not [ValuesExpression])
        {
            base.GenerateSetOperationOperand(setOperation, operand);
            return;
        }

        Sql.Append("(");
        Visit(operand);
        Sql.Append(")");
    }

    protected override void GenerateLimitOffset(SelectExpression selectExpression)
    {
        if (selectExpression is { Limit: null, Offset: null })
            return;
        if (!IsValue(selectExpression.Limit) || !IsValue(selectExpression.Offset))
            throw new InvalidOperationException(
                "The number of rows to take or skip, or the index of an element, depends on a row. LIMIT takes constants and parameters only: filter by "
                    + "a condition, or choose the element in memory.");
        Sql.AppendLine().Append("LIMIT ");
        if (selectExpression.Limit is { } limit)
            Visit(limit);
        else
            Sql.Append(NoLimit);
        if (selectExpression.Offset is { } offset)
        {
            Sql.Append(" OFFSET ");
            Visit(offset);
        }
    }

    private static bool IsValue(SqlExpression? count) => count is null or SqlConstantExpression or SqlParameterExpression;

    protected override Expression VisitCrossApply(CrossApplyExpression crossApplyExpression)
    {
        Sql.Append(IsSubquery(crossApplyExpression.Table) ? "JOIN LATERAL " : "JOIN ");
        Visit(crossApplyExpression.Table);
        Sql.Append(" ON TRUE");
        return crossApplyExpression;
    }

    protected override Expression VisitOuterApply(OuterApplyExpression outerApplyExpression)
    {
        Sql.Append(IsSubquery(outerApplyExpression.Table) ? "LEFT JOIN LATERAL " : "LEFT JOIN ");
        Visit(outerApplyExpression.Table);
        Sql.Append(" ON TRUE");
        return outerApplyExpression;
    }

    // The word LATERAL is for derived tables only. JSON_TABLE is lateral without it.
    private static bool IsSubquery(TableExpressionBase table) => table is not (JsonTableExpression or TableExpression);

    // SELECT … UNION ALL SELECT … names its columns on every server. VALUES does not.
    protected override void GenerateValues(ValuesExpression valuesExpression)
    {
        if (valuesExpression.RowValues is not { Count: > 0 } rows)
            throw new InvalidOperationException("An empty list cannot be a table of its own in SQL: check for it before the query.");
        for (var row = 0; row < rows.Count; row++)
        {
            Sql.Append(row == 0 ? "SELECT " : " UNION ALL SELECT ");
            for (var column = 0; column < rows[row].Values.Count; column++)
            {
                if (column > 0)
                    Sql.Append(", ");
                Visit(rows[row].Values[column]);
                if (row == 0)
                    Sql.Append(AliasSeparator).Append(Names.DelimitIdentifier(valuesExpression.ColumnNames[column]));
            }
        }
    }

    // ---------------------------------------------------------------- changes

    // DELETE a FROM t AS a … is the form that every server takes.
    protected override Expression VisitDelete(DeleteExpression deleteExpression)
    {
        _changed = deleteExpression.Table;
        var select = deleteExpression.SelectExpression;
        if (select is not { GroupBy: [], Having: null, Projection: [], Orderings: [], Offset: null, Limit: null, IsDistinct: false })
            throw new InvalidOperationException("ExecuteDelete was left with an operator that DELETE does not have.");
        Sql.Append("DELETE ").AppendLine(Names.DelimitIdentifier(deleteExpression.Table.Alias));
        GenerateTables(select, "FROM ");
        GeneratePredicate(select);
        return deleteExpression;
    }

    protected override Expression VisitUpdate(UpdateExpression updateExpression)
    {
        _changed = updateExpression.Table;
        var select = updateExpression.SelectExpression;
        if (select is not { GroupBy: [], Having: null, Projection: [], Orderings: [], Offset: null, Limit: null, IsDistinct: false })
            throw new InvalidOperationException("ExecuteUpdate was left with an operator that UPDATE does not have.");
        GenerateTables(select, "UPDATE ");
        var assignments = Assignments.Of(updateExpression);
        if (assignments.OldAlias is { } old)
            GenerateOldValues(updateExpression.Table, old);
        Sql.AppendLine().Append("SET ");
        for (var index = 0; index < assignments.Setters.Count; index++)
        {
            var (column, value) = assignments.Setters[index];
            if (index > 0)
                Sql.AppendLine(",").Append("    ");
            Visit(column);
            Sql.Append(" = ");
            GenerateAssigned(column, value);
        }

        GeneratePredicate(select);
        return updateExpression;
    }

    private void GenerateOldValues(TableExpression table, string alias)
    {
        Sql.AppendLine().Append("JOIN ").Append(Names.DelimitIdentifier(table.Name, table.Schema)).Append(AliasSeparator)
            .Append(Names.DelimitIdentifier(alias)).Append(" ON ");
        var key = Assignments.Key(table);
        for (var index = 0; index < key.Count; index++)
        {
            var name = Names.DelimitIdentifier(key[index]);
            Sql.Append(index == 0 ? "" : " AND ").Append(Names.DelimitIdentifier(alias)).Append(".").Append(name).Append(" = ")
                .Append(Names.DelimitIdentifier(table.Alias)).Append(".").Append(name);
        }
    }

    // A computed duration is a number of microseconds, and the column a TIME.
    private void GenerateAssigned(ColumnExpression column, SqlExpression value)
    {
        var isTime = Durations.IsComputed(value) && column.TypeMapping is MySqlTimeSpanTypeMapping;
        Sql.Append(isTime ? "SEC_TO_TIME((" : "");
        Visit(value);
        Sql.Append(isTime ? ") * 0.000001)" : "");
    }

    protected override Expression VisitSelect(SelectExpression selectExpression)
    {
        _depth++;
        base.VisitSelect(selectExpression);
        _depth--;
        return selectExpression;
    }

    // Error 1093: a subquery may not read the table that is changed, but a derived table may, if it is not merged. A limit prevents that.
    protected override Expression VisitTable(TableExpression tableExpression)
    {
        if (TemporalOperation.Of(tableExpression) is { } operation)
        {
            GenerateVersions(tableExpression, operation);
            return tableExpression;
        }

        if (_changed is null || _depth == 0 || options.Capabilities.TargetInSubquery
            || tableExpression.Name != _changed.Name || tableExpression.Schema != _changed.Schema)
            return base.VisitTable(tableExpression);
        Sql.Append("(SELECT ");
        // A star has no invisible columns.
        if (TemporalTable.Of(tableExpression.Table) is { } period)
            GenerateColumns(tableExpression.Table, period, asMoments: false);
        else
            Sql.Append("*");
        Sql.Append(" FROM ").Append(Names.DelimitIdentifier(tableExpression.Name, tableExpression.Schema))
            .Append(" LIMIT ").Append(NoLimit).Append(")").Append(AliasSeparator).Append(Names.DelimitIdentifier(tableExpression.Alias));
        return tableExpression;
    }

    private void GenerateTables(SelectExpression select, string word)
    {
        Sql.Append(word);
        for (var index = 0; index < select.Tables.Count; index++)
        {
            if (index > 0)
                Sql.AppendLine();
            Visit(select.Tables[index]);
        }
    }

    private void GeneratePredicate(SelectExpression select)
    {
        if (select.Predicate is null)
            return;
        Sql.AppendLine().Append("WHERE ");
        Visit(select.Predicate);
    }

    // ---------------------------------------------------------------- operators

    protected override Expression VisitSqlBinary(SqlBinaryExpression sqlBinaryExpression)
    {
        switch (sqlBinaryExpression.OperatorType)
        {
            case ExpressionType.Add when sqlBinaryExpression.Type == typeof(string):
                // || is OR, unless the SQL mode says otherwise.
                Sql.Append("CONCAT(");
                VisitConcatenated(sqlBinaryExpression.Left);
                Sql.Append(", ");
                VisitConcatenated(sqlBinaryExpression.Right);
                Sql.Append(")");
                return sqlBinaryExpression;
            case ExpressionType.Equal or ExpressionType.NotEqual when Json.IsDocument(sqlBinaryExpression.Left) && Json.IsDocument(sqlBinaryExpression.Right):
                Json.AppendComparison(sqlBinaryExpression);
                return sqlBinaryExpression;
            case ExpressionType.Equal or ExpressionType.NotEqual when IsBinaryGuid(sqlBinaryExpression.Left) != IsBinaryGuid(sqlBinaryExpression.Right):
                return base.VisitSqlBinary(sqlBinaryExpression.Update(AsTextOfGuid(sqlBinaryExpression.Left), AsTextOfGuid(sqlBinaryExpression.Right)));
            case ExpressionType.Equal or ExpressionType.NotEqual when options.Capabilities.JsonType && ComparesVectors(sqlBinaryExpression):
                return base.VisitSqlBinary(sqlBinaryExpression.Update(Hexadecimal(sqlBinaryExpression.Left), Hexadecimal(sqlBinaryExpression.Right)));
            case ExpressionType.And or ExpressionType.Or or ExpressionType.ExclusiveOr when IsSigned(sqlBinaryExpression.Type):
                // Bit operators return BIGINT UNSIGNED.
                Sql.Append("CAST(");
                base.VisitSqlBinary(sqlBinaryExpression);
                Sql.Append(" AS SIGNED)");
                return sqlBinaryExpression;
            default:
                return base.VisitSqlBinary(sqlBinaryExpression);
        }
    }

    protected override string GetOperator(SqlBinaryExpression binaryExpression) => binaryExpression.OperatorType switch
    {
        ExpressionType.Divide when IsInteger(binaryExpression.Type) => " DIV ",
        _ => base.GetOperator(binaryExpression),
    };

    protected override Expression VisitSqlUnary(SqlUnaryExpression sqlUnaryExpression)
    {
        switch (sqlUnaryExpression.OperatorType)
        {
            case ExpressionType.Convert:
                return VisitConvert(sqlUnaryExpression);
            case ExpressionType.Equal or ExpressionType.NotEqual when JsonSql.IsPartOfDocument(sqlUnaryExpression.Operand):
                Json.AppendNullTest(sqlUnaryExpression);
                return sqlUnaryExpression;
            case ExpressionType.OnesComplement or ExpressionType.Not when IsSigned(sqlUnaryExpression.Type):
                Sql.Append("CAST(");
                base.VisitSqlUnary(sqlUnaryExpression);
                Sql.Append(" AS SIGNED)");
                return sqlUnaryExpression;
            default:
                return base.VisitSqlUnary(sqlUnaryExpression);
        }
    }

    protected override Expression VisitCase(CaseExpression caseExpression)
    {
        RequireOneKindOfDuration([.. caseExpression.WhenClauses.Select(static clause => clause.Result), caseExpression.ElseResult]);
        return base.VisitCase(caseExpression);
    }

    protected override Expression VisitSqlFunction(SqlFunctionExpression sqlFunctionExpression)
    {
        if (sqlFunctionExpression.Name.StartsWith(VectorFunctions.Prefix, StringComparison.Ordinal) && !options.Capabilities.VectorDistance)
            throw new InvalidOperationException(
                $"{options.ServerVersion} has no function for the distance of vectors. Compute it in memory, or use MariaDB 11.7 or later.");
        if (sqlFunctionExpression.Name == "JSON_OVERLAPS" && !options.Capabilities.JsonOverlaps)
            throw new InvalidOperationException(
                $"{options.ServerVersion} has no JSON_OVERLAPS. Use EF.Functions.JsonContains, MySQL 8.0.17 or later, or MariaDB 10.9 or later.");
        if (sqlFunctionExpression is { Name: "COALESCE" or "GREATEST" or "LEAST", Arguments: { } arguments })
            RequireOneKindOfDuration(arguments);
        return base.VisitSqlFunction(InDatabase(sqlFunctionExpression));
    }

    // A column is a TIME, and a computed duration a number.
    private static void RequireOneKindOfDuration(IEnumerable<SqlExpression?> choices)
    {
        var durations = choices.OfType<SqlExpression>().Where(static choice => choice is not SqlConstantExpression { Value: null }
            && Durations.IsDuration(choice)).ToList();
        if (durations.Exists(Durations.IsComputed) && !durations.TrueForAll(Durations.IsComputed))
            throw new InvalidOperationException(
                "The query chooses between a duration in a TIME column and one that it computes, which are different types in SQL. Compute both, or choose in "
                    + "memory.");
    }

    private SqlUnaryExpression VisitConvert(SqlUnaryExpression convert)
    {
        var target = CastTypes.For(convert.TypeMapping!, options.Capabilities);
        // What the value already is, or what CAST has no word for: the server compares and computes with it as it is.
        if (target is null || (convert.Operand.TypeMapping is { } mapping && CastTypes.For(mapping, options.Capabilities) == target && target != "DOUBLE"))
        {
            Visit(convert.Operand);
            return convert;
        }

        if (target == "DOUBLE" && !options.Capabilities.CastToDouble)
        {
            Sql.Append("(");
            Visit(convert.Operand);
            Sql.Append(" + 0e0)");
            return convert;
        }

        if (target == "CHAR" && convert.Operand.Type == typeof(bool))
        {
            Sql.Append("CASE ");
            Visit(convert.Operand);
            Sql.Append(" WHEN TRUE THEN 'True' WHEN FALSE THEN 'False' END");
            return convert;
        }

        // Error 1267: the text that CAST makes has a collation, which can differ from that of a column. Unlike CAST's, the text of CONCAT takes the column's.
        if (target == "CHAR" && convert.Operand.TypeMapping is { } number && (IsNumber(number.ProviderType()) || IsMoment(number.ProviderType())))
        {
            Sql.Append("CONCAT(");
            Visit(convert.Operand);
            Sql.Append(")");
            return convert;
        }

        // A FLOAT has seven digits in C#: (decimal)8.6f is 8.6, and CAST makes 8.600000381469727 of it.
        if (target.StartsWith("DECIMAL", StringComparison.Ordinal) && convert.Operand.TypeMapping?.ProviderType() == typeof(float))
        {
            GenerateDecimalOfFloat(convert.Operand, target);
            return convert;
        }

        // CAST rounds, and C# cuts off.
        var isCut = target is "SIGNED" or "UNSIGNED"
            && CodeOf(convert.Operand.Type) is TypeCode.Decimal or TypeCode.Double or TypeCode.Single;
        Sql.Append(isCut ? "CAST(TRUNCATE(" : "CAST(");
        Visit(convert.Operand);
        Sql.Append(isCut ? ", 0) AS " : " AS ").Append(target).Append(")");
        return convert;
    }

    private void GenerateDecimalOfFloat(SqlExpression number, string target)
    {
        Sql.Append("CAST(COALESCE(ROUND(");
        Visit(number);
        Sql.Append(" + 0e0, 6 - FLOOR(LOG10(ABS(NULLIF(");
        Visit(number);
        Sql.Append(", 0))))), ");
        Visit(number);
        Sql.Append(") AS ").Append(target).Append(")");
    }

    // ---------------------------------------------------------------- JSON

    protected override Expression VisitJsonScalar(JsonScalarExpression jsonScalarExpression)
    {
        Json.AppendScalar(jsonScalarExpression);
        return jsonScalarExpression;
    }

    protected override Expression VisitTableValuedFunction(TableValuedFunctionExpression tableValuedFunctionExpression)
    {
        if (tableValuedFunctionExpression is not JsonTableExpression table)
            return base.VisitTableValuedFunction(tableValuedFunctionExpression);
        Json.AppendTable(table);
        Sql.Append(AliasSeparator).Append(Names.DelimitIdentifier(table.Alias));
        return table;
    }

    // ---------------------------------------------------------------- functions with a grammar of their own

    protected override Expression VisitExtension(Expression extensionExpression)
    {
        switch (extensionExpression)
        {
            case TrimExpression trim:
                Sql.Append("TRIM(").Append(trim.Where).Append(" ").Append(trim.TypeMapping!.GenerateSqlLiteral(trim.Character.ToString())).Append(" FROM ");
                Visit(trim.Text);
                Sql.Append(")");
                return trim;
            case JsonSetExpression set:
                Json.AppendSet(set);
                return set;
            case JsonExtractExpression extract:
                Json.AppendValue(extract.TypeMapping!, extract.Document, () => Visit(extract.Path));
                return extract;
            case BytewiseExpression bytewise:
                // utf8mb4_bin would ignore blanks at the end.
                Sql.Append("CONVERT(");
                Visit(bytewise.Text);
                Sql.Append(" USING utf8mb4) COLLATE ").Append(options.Capabilities.BytewiseCollation);
                return bytewise;
            case DateAddExpression addition:
                Sql.Append("DATE_ADD(");
                Visit(addition.Date);
                Sql.Append(", INTERVAL ");
                Visit(addition.Amount);
                Sql.Append(" ").Append(addition.Unit).Append(")");
                return addition;
            case RegexpExpression regexp:
                Sql.Append("(");
                Visit(regexp.Text);
                Sql.Append(" REGEXP ");
                GeneratePattern(regexp.Pattern);
                Sql.Append(")");
                return regexp;
            case MatchExpression match:
                GenerateMatch(match);
                return match;
            case GroupConcatExpression concat:
                Sql.Append("GROUP_CONCAT(").Append(concat.IsDistinct ? "DISTINCT " : "");
                Visit(concat.Value);
                for (var index = 0; index < concat.Orderings.Count; index++)
                {
                    Sql.Append(index == 0 ? " ORDER BY " : ", ");
                    Visit(concat.Orderings[index]);
                }

                Sql.Append(" SEPARATOR ").Append(concat.TypeMapping!.GenerateSqlLiteral(concat.Separator)).Append(")");
                return concat;
            default:
                return base.VisitExtension(extensionExpression);
        }
    }

    // Error 3685: MySQL refuses an empty pattern, which matches every text in .NET.
    private void GeneratePattern(SqlExpression pattern)
    {
        if (pattern is SqlConstantExpression { Value: string { Length: > 0 } })
        {
            Visit(pattern);
            return;
        }

        Sql.Append("IF(CHAR_LENGTH(");
        Visit(pattern);
        Sql.Append(") = 0, '(?:)', ");
        Visit(pattern);
        Sql.Append(")");
    }

    private void GenerateMatch(MatchExpression match)
    {
        Sql.Append("MATCH (");
        for (var index = 0; index < match.Columns.Count; index++)
        {
            Sql.Append(index == 0 ? "" : ", ");
            Visit(match.Columns[index]);
        }

        Sql.Append(") AGAINST (");
        Visit(match.Pattern);
        Sql.Append(match.Mode switch
        {
            MySqlMatchSearchMode.Boolean => " IN BOOLEAN MODE)",
            MySqlMatchSearchMode.NaturalLanguageWithQueryExpansion => " WITH QUERY EXPANSION)",
            _ => ")",
        });
    }

    private void VisitConcatenated(SqlExpression expression)
    {
        if (expression is SqlBinaryExpression { OperatorType: ExpressionType.Add, Type: var type } inner && type == typeof(string))
        {
            VisitConcatenated(inner.Left);
            Sql.Append(", ");
            VisitConcatenated(inner.Right);
        }
        else
        {
            Visit(expression);
        }
    }

    private static bool IsBinaryGuid(SqlExpression expression) =>
        (Nullable.GetUnderlyingType(expression.Type) ?? expression.Type) == typeof(Guid) && expression.TypeMapping?.ProviderType() == typeof(byte[]);

    private static SqlExpression AsTextOfGuid(SqlExpression guid) => IsBinaryGuid(guid) ? GuidText.Of(guid) : guid;

    private static TypeCode CodeOf(Type type) => Type.GetTypeCode(Nullable.GetUnderlyingType(type) ?? type);

    private static bool IsNumber(Type type) => CodeOf(type) is >= TypeCode.SByte and <= TypeCode.Decimal;

    private static bool IsMoment(Type type) =>
        type == typeof(DateTime) || type == typeof(DateTimeOffset) || type == typeof(DateOnly) || type == typeof(TimeOnly) || type == typeof(TimeSpan);

    private static bool IsInteger(Type type) => CodeOf(type) is >= TypeCode.SByte and <= TypeCode.UInt64;

    private static bool IsSigned(Type type) => CodeOf(type) is TypeCode.SByte or TypeCode.Int16 or TypeCode.Int32 or TypeCode.Int64;

    // MySQL Reference Manual, "Operator Precedence".
    protected override bool TryGetOperatorInfo(SqlExpression expression, out int precedence, out bool isAssociative)
    {
        (precedence, isAssociative) = expression switch
        {
            SqlBinaryExpression binary => binary.OperatorType switch
            {
                ExpressionType.ExclusiveOr => (1100, true),
                ExpressionType.Multiply => (1000, true),
                ExpressionType.Divide or ExpressionType.Modulo => (1000, false),
                ExpressionType.Add => (900, true),
                ExpressionType.Subtract => (900, false),
                ExpressionType.And => (700, true),
                ExpressionType.Or => (600, true),
                ExpressionType.Equal or ExpressionType.NotEqual or ExpressionType.LessThan or ExpressionType.LessThanOrEqual or ExpressionType.GreaterThan
                    or ExpressionType.GreaterThanOrEqual => (500, false),
                ExpressionType.AndAlso => (200, true),
                ExpressionType.OrElse => (100, true),
                _ => default,
            },
            SqlUnaryExpression unary => unary.OperatorType switch
            {
                ExpressionType.Negate or ExpressionType.OnesComplement => (1200, false),
                ExpressionType.Equal or ExpressionType.NotEqual => (500, false),
                _ => default,
            },
            CollateExpression => (1300, false),
            LikeExpression => (500, false),
            _ => default,
        };
        return precedence > 0;
    }
}
