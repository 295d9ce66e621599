using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Conversations;

/// <summary>The methods of sending the rows of a bulk copy.</summary>
internal enum BulkMethod
{
    Auto,
    LoadData,
    BulkExecute,
    MultiRow,
}

/// <summary>What happens to a row whose key already exists.</summary>
internal enum BulkConflict
{
    None,
    Replace,
    Ignore,
    Update,
}

/// <summary>The destination and the options of a bulk copy.</summary>
internal sealed record BulkOptions(string Table)
{
    public BulkMethod Method { get; init; }

    public BulkConflict Conflict { get; init; }

    public IReadOnlyList<BulkMapping> Mappings { get; init; } = [];

    /// <summary>Gets the number of values in a row of the source; −1 if the source writes only the requested values.</summary>
    public int SourceFields { get; init; } = -1;

    /// <summary>Gets the maximum number of rows in a statement; 0 for the best number.</summary>
    public int BatchSize { get; init; }

    /// <summary>Gets whether the user allows LOAD DATA LOCAL.</summary>
    public bool AllowsLocalInfile { get; init; }

    /// <summary>Gets whether LOAD DATA LOCAL is used whenever it is allowed, and what it changes or leaves out is no error.</summary>
    public bool TrustsLoadData { get; init; }
}

/// <summary>Creates a column of the destination from a row of SHOW COLUMNS.</summary>
internal static class ShowColumns
{
    public static BulkColumn Column(string name, string extra) => new(
        name,
        HasWord(extra, "VIRTUAL") || HasWord(extra, "STORED") || HasWord(extra, "PERSISTENT"),
        HasWord(extra, "auto_increment"));

    private static bool HasWord(string text, string word) => text.Contains(word, StringComparison.OrdinalIgnoreCase);
}

/// <summary>Assigns the values of the source to the columns, and builds the statements for them.</summary>
internal sealed class BulkPlan
{
    private readonly BulkOptions _options;
    private readonly string?[] _expressions;

    private BulkPlan(BulkOptions options, int[] ordinals, BulkTarget[] targets, string?[] expressions)
    {
        _options = options;
        SourceOrdinals = ordinals;
        Targets = targets;
        _expressions = expressions;
    }

    /// <summary>Gets the positions of the values that are sent, from left to right.</summary>
    public int[] SourceOrdinals { get; }

    /// <summary>Gets the columns and variables that receive the values.</summary>
    public BulkTarget[] Targets { get; }

    /// <summary>Gets whether the copy needs LOAD DATA, the only method with variables and expressions.</summary>
    public bool NeedsLoadData =>
        Array.Exists(_expressions, static expression => expression is not null)
            || Array.Exists(Targets, static target => target.Kind == BulkTargetKind.Variable);

    /// <summary>Assigns values to columns.</summary>
    /// <param name="options">The options of the copy, including its mappings.</param>
    /// <param name="table">The destination's columns.</param>
    /// <param name="targets">The types of the same columns.</param>
    /// <exception cref="InvalidOperationException">The mappings, or the number of values, do not match the table.</exception>
    public static BulkPlan Create(BulkOptions options, List<BulkColumn> table, List<BulkTarget> targets)
    {
        if (options.Mappings.Count > 0)
            return Mapped(options, table, targets);
        var (ordinals, columns) = BulkColumns.ByPosition(options.Table, table, options.SourceFields);
        return new(options, ordinals, Array.ConvertAll(columns, column => targets[column]), new string?[columns.Length]);
    }

    private static BulkPlan Mapped(BulkOptions options, List<BulkColumn> table, List<BulkTarget> targets)
    {
        var mappings = BulkColumns.InOrder(options.Mappings, options.SourceFields);
        foreach (var mapping in mappings)
            CheckExpression(mapping, table, targets);
        return new(
            options,
            Array.ConvertAll(mappings, static mapping => mapping.Source),
            Array.ConvertAll(
                mappings,
                mapping =>
                    IsVariable(mapping, table)
                        ? new(mapping.Column, "", BulkTargetKind.Variable)
                        : targets[BulkColumns.Find(options.Table, table, mapping.Column)]),
            Array.ConvertAll(mappings, static mapping => string.IsNullOrWhiteSpace(mapping.Expression) ? null : mapping.Expression));
    }

    // A column's name may begin with the character that marks variables. If there is an expression, the name means the variable.
    private static bool IsVariable(BulkMapping mapping, List<BulkColumn> table) => VariableName.Is(mapping.Column)
        && (!string.IsNullOrWhiteSpace(mapping.Expression) || !table.Exists(column => column.Name.Equals(mapping.Column, StringComparison.OrdinalIgnoreCase)));

    // The driver stores the hexadecimal digits of such a column in a variable of its own. An assignment to the column itself would be lost.
    private static void CheckExpression(BulkMapping mapping, List<BulkColumn> table, List<BulkTarget> targets)
    {
        if (mapping.Expression is not { } expression || IsVariable(mapping, table))
            return;
        var column = table.FindIndex(column => column.Name.Equals(mapping.Column, StringComparison.OrdinalIgnoreCase));
        if (column >= 0 && targets[column].NeedsDigits && Names(expression, mapping.Column))
        {
            throw new InvalidOperationException(
                $"The expression '{expression}' names the column of its own mapping, whose bytes travel as hexadecimal digits: map the value to a variable "
                + "and use the variable in the column's expression, as in new(1, \"@b\", \"b = UNHEX(@b)\").");
        }
    }

    private static bool Names(string expression, string name)
    {
        for (var at = expression.IndexOf(name, StringComparison.OrdinalIgnoreCase); at >= 0; at = expression.IndexOf(
            name, at + 1, StringComparison.OrdinalIgnoreCase))
        {
            if ((at == 0 || !IsInName(expression[at - 1])) && (at + name.Length == expression.Length || !IsInName(expression[at + name.Length])))
                return true;
        }

        return false;

        static bool IsInName(char character) => char.IsLetterOrDigit(character) || character is '_' or '$' or '@';
    }

    /// <summary>Returns the statement up to the rows: <c>INSERT INTO t (a, b) VALUES </c>.</summary>
    public string InsertHead()
    {
        var text = new StringBuilder(_options.Conflict switch
        {
            BulkConflict.Replace => "REPLACE INTO ",
            BulkConflict.Ignore => "INSERT IGNORE INTO ",
            _ => "INSERT INTO ",
        });
        text.Append(_options.Table).Append(" (");
        AppendTargets(text, static (text, target, _) => Quote(text, target.Name));
        return text.Append(") VALUES ").ToString();
    }

    /// <summary>Returns a row of parameters: <c>(?,?)</c>.</summary>
    public string InsertRow() => "(" + string.Join(',', Enumerable.Repeat('?', Targets.Length)) + ")";

    /// <summary>Returns the text after the rows.</summary>
    /// <param name="knowsRowAlias">True for MySQL 8.0.19 and later, where VALUES() is deprecated and warns. MariaDB has only VALUES().</param>
    public string InsertTail(bool knowsRowAlias)
    {
        if (_options.Conflict != BulkConflict.Update)
            return "";
        var text = new StringBuilder(knowsRowAlias ? " AS slipstream_row ON DUPLICATE KEY UPDATE " : " ON DUPLICATE KEY UPDATE ");
        for (var i = 0; i < Targets.Length; i++)
        {
            if (i > 0)
                text.Append(',');
            Quote(text, Targets[i].Name);
            text.Append(knowsRowAlias ? "=slipstream_row." : "=VALUES(");
            Quote(text, Targets[i].Name);
            if (!knowsRowAlias)
                text.Append(')');
        }

        return text.ToString();
    }

    /// <summary>
    /// Returns a LOAD DATA statement whose values are SQL literals: doubled quotes as delimiters, a backslash as escape character, NULL as a word.
    /// </summary>
    /// <param name="file">The file name that the server must request.</param>
    public string LoadData(string file)
    {
        var text = new StringBuilder("LOAD DATA LOCAL INFILE '").Append(file).Append('\'');
        text.Append(_options.Conflict switch
        {
            BulkConflict.Replace => " REPLACE",
            BulkConflict.Ignore => " IGNORE",
            _ => "",
        });
        // The delimiters are hexadecimal, because the meaning of quotes and backslashes depends on sql_mode.
        text.Append(" INTO TABLE ")
            .Append(_options.Table)
            .Append(" CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' ENCLOSED BY X'27' ESCAPED BY X'5C' LINES TERMINATED BY X'0A' (");
        AppendTargets(text, static (text, target, index) =>
        {
            if (target.Kind == BulkTargetKind.Variable)
                text.Append(target.Name);
            else if (target.NeedsDigits)
                text.Append(Digits).Append(index);
            else
                Quote(text, target.Name);
        });
        text.Append(')');
        var separator = " SET ";
        for (var i = 0; i < Targets.Length; i++)
        {
            if (Targets[i].NeedsDigits)
            {
                Quote(text.Append(separator), Targets[i].Name);
                text.Append("=UNHEX(").Append(Digits).Append(i).Append(')');
                separator = ", ";
            }

            if (_expressions[i] is not { } expression)
                continue;
            text.Append(separator).Append(expression);
            separator = ", ";
        }

        return text.ToString();
    }

    private const string Digits = "@slipstream_";

    private void AppendTargets(StringBuilder text, Action<StringBuilder, BulkTarget, int> append)
    {
        for (var i = 0; i < Targets.Length; i++)
        {
            if (i > 0)
                text.Append(',');
            append(text, Targets[i], i);
        }
    }

    private static void Quote(StringBuilder text, string name) => text.Append('`').Append(name.Replace("`", "``", StringComparison.Ordinal)).Append('`');
}
