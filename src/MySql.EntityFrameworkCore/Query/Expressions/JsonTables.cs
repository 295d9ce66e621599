using System.Linq.Expressions;
using System.Text.RegularExpressions;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Query.SqlExpressions;
using Slipstream.MySql.EntityFrameworkCore.Metadata;

namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>Finds the JSON_TABLEs of a query, and the columns of tables with which it compares their columns.</summary>
internal sealed partial class JsonTables : ExpressionVisitor
{
    private readonly HashSet<string> _aliases = [];
    private readonly Dictionary<(string Alias, string Column), string> _collations = [];

    /// <summary>Returns whether an alias is one of a JSON_TABLE.</summary>
    public bool Has(string alias) => _aliases.Contains(alias);

    /// <summary>
    /// Returns the collation of the column with which a column of JSON_TABLE is compared. Without it, the server would refuse to compare two columns of
    /// different collations (error 1267).
    /// </summary>
    public string? CollationOf(string alias, string column) => _collations.GetValueOrDefault((alias, column));

    protected override Expression VisitExtension(Expression node)
    {
        switch (node)
        {
            case JsonTableExpression table:
                _aliases.Add(table.Alias);
                break;
            case SqlBinaryExpression binary:
                Compare(binary.Left, binary.Right);
                break;
            case InExpression { Subquery.Projection: [var projection] } contained:
                Compare(contained.Item, projection.Expression);
                break;
            case LikeExpression like:
                Compare(like.Match, like.Pattern);
                break;
        }

        return base.VisitExtension(node);
    }

    private void Compare(SqlExpression left, SqlExpression right)
    {
        AddCollation(left, right);
        AddCollation(right, left);
    }

    // JSON is utf8mb4. The server converts between it and another character set by itself. Collations of MariaDB that name none fit.
    private void AddCollation(SqlExpression value, SqlExpression other)
    {
        if (value is ColumnExpression { Column: null } text && other is ColumnExpression { Column: IColumn { PropertyMappings: [var mapping, ..] } }
            && mapping.Property[MySqlAnnotationNames.ColumnCollation] is string collation && OfUtf8().IsMatch(collation))
            _collations.TryAdd((text.TableAlias, text.Name), collation);
    }

    [GeneratedRegex("^(utf8mb4|uca1400)_[a-z0-9_]+$", RegexOptions.IgnoreCase)]
    private static partial Regex OfUtf8();
}
