using System.Globalization;
using System.Text;
using Slipstream.Core.Conversations;

namespace Slipstream.MySql.Conversations;

/// <summary>How the rows of a bulk copy travel.</summary>
internal enum BulkWire
{
    Auto,
    LoadData,
    BulkExecute,
    MultiRow,
}

/// <summary>What becomes of a row whose key exists.</summary>
internal enum BulkConflict
{
    None,
    Replace,
    Ignore,
    Update,
}

/// <summary>What is to be copied and how.</summary>
internal sealed record BulkOptions(string Table)
{
    public BulkWire Wire { get; init; }

    public BulkConflict Conflict { get; init; }

    public IReadOnlyList<BulkMapping> Mappings { get; init; } = [];

    /// <summary>Values of a row of the source; −1 when it writes those that are wanted.</summary>
    public int SourceFields { get; init; } = -1;

    /// <summary>The most rows of a statement; 0 for the best number.</summary>
    public int BatchSize { get; init; }

    /// <summary>The user allows LOAD DATA LOCAL.</summary>
    public bool AllowsLocalInfile { get; init; }
}

/// <summary>How a value stands in a LOAD DATA line.</summary>
internal enum LoadForm : byte
{
    Text,

    /// <summary>Hexadecimal digits: bytes that are no text would not survive the line's character set.</summary>
    Hexadecimal,

    /// <summary>A number for a BIT column, which would take digits for bytes.</summary>
    Bits,
}

/// <summary>A column of the destination, as SHOW COLUMNS tells.</summary>
internal static class ShownColumns
{
    public static BulkColumn Column(string name, string extra) => new(
        name,
        Says(extra, "VIRTUAL") || Says(extra, "STORED") || Says(extra, "PERSISTENT"),
        Says(extra, "auto_increment"));

    public static LoadForm Form(string type)
    {
        if (type.StartsWith("bit", StringComparison.OrdinalIgnoreCase))
            return LoadForm.Bits;
        foreach (var word in (ReadOnlySpan<string>)["binary", "blob", "vector", "geom", "point", "linestring", "polygon"])
        {
            // An enum may hold the word; its type begins with its own.
            if (Says(type, word) && !type.StartsWith("enum", StringComparison.OrdinalIgnoreCase) && !type.StartsWith("set", StringComparison.OrdinalIgnoreCase))
                return LoadForm.Hexadecimal;
        }

        return LoadForm.Text;
    }

    private static bool Says(string text, string word) => text.Contains(word, StringComparison.OrdinalIgnoreCase);
}

/// <summary>Which value of the source goes into which column, and the statements that say so.</summary>
internal sealed class BulkPlan
{
    private readonly BulkOptions _options;
    private readonly string?[] _expressions;

    private BulkPlan(BulkOptions options, int[] ordinals, string[] columns, LoadForm[] forms, string?[] expressions)
    {
        _options = options;
        SourceOrdinals = ordinals;
        Columns = columns;
        Forms = forms;
        _expressions = expressions;
    }

    /// <summary>Which values of the source are sent, from left to right.</summary>
    public int[] SourceOrdinals { get; }

    /// <summary>The columns' names, or variables with their mark.</summary>
    public string[] Columns { get; }

    public LoadForm[] Forms { get; }

    public bool HasExpressions => Array.Exists(_expressions, static expression => expression is not null);

    /// <summary>Finds who goes where.</summary>
    /// <param name="options">With the mappings, if there are any.</param>
    /// <param name="table">The destination's columns.</param>
    /// <param name="forms">How the values of each travel in LOAD DATA.</param>
    /// <exception cref="InvalidOperationException">The mappings, or the number of values, do not fit the table.</exception>
    public static BulkPlan Create(BulkOptions options, List<BulkColumn> table, List<LoadForm> forms)
    {
        if (options.Mappings.Count > 0)
            return Mapped(options, table, forms);
        var (ordinals, columns) = BulkColumns.ByPosition(options.Table, table, options.SourceFields);
        return new(options, ordinals, Array.ConvertAll(columns, column => table[column].Name), Array.ConvertAll(columns, column => forms[column]), new string?[columns.Length]);
    }

    private static BulkPlan Mapped(BulkOptions options, List<BulkColumn> table, List<LoadForm> allForms)
    {
        var mappings = BulkColumns.InOrder(options.Mappings, options.SourceFields);
        var (names, forms) = (new string[mappings.Length], new LoadForm[mappings.Length]);
        for (var i = 0; i < mappings.Length; i++)
        {
            names[i] = mappings[i].Column;
            if (names[i].StartsWith('@'))
                continue;
            var column = BulkColumns.Find(options.Table, table, names[i]);
            names[i] = table[column].Name;
            forms[i] = allForms[column];
        }

        return new(
            options,
            Array.ConvertAll(mappings, static mapping => mapping.Source),
            names,
            forms,
            Array.ConvertAll(mappings, static mapping => string.IsNullOrWhiteSpace(mapping.Expression) ? null : mapping.Expression));
    }

    /// <summary>Up to the rows: <c>INSERT INTO t (a, b) VALUES </c>.</summary>
    public string InsertHead()
    {
        var text = new StringBuilder(_options.Conflict switch
        {
            BulkConflict.Replace => "REPLACE INTO ",
            BulkConflict.Ignore => "INSERT IGNORE INTO ",
            _ => "INSERT INTO ",
        });
        text.Append(_options.Table).Append(" (");
        AppendColumns(text, static (text, name, _, _) => Quote(text, name));
        return text.Append(") VALUES ").ToString();
    }

    /// <summary><c>(?,?)</c></summary>
    public string InsertRow() => "(" + string.Join(',', Enumerable.Repeat('?', Columns.Length)) + ")";

    /// <summary>What stands behind the rows.</summary>
    /// <param name="knowsRowAlias">The server is a MySQL since 8.0.19, where VALUES() is deprecated and warns of it; MariaDB has nothing else.</param>
    public string InsertTail(bool knowsRowAlias)
    {
        if (_options.Conflict != BulkConflict.Update)
            return "";
        var text = new StringBuilder(knowsRowAlias ? " AS slipstream_row ON DUPLICATE KEY UPDATE " : " ON DUPLICATE KEY UPDATE ");
        for (var i = 0; i < Columns.Length; i++)
        {
            if (i > 0)
                text.Append(',');
            Quote(text, Columns[i]);
            text.Append(knowsRowAlias ? "=slipstream_row." : "=VALUES(");
            Quote(text, Columns[i]);
            if (!knowsRowAlias)
                text.Append(')');
        }

        return text.ToString();
    }

    /// <summary>LOAD DATA with the values as literals of SQL: quotes double as delimiters, a backslash escapes, NULL is the word.</summary>
    /// <param name="file">The name that the server must ask for.</param>
    public string LoadData(string file)
    {
        var text = new StringBuilder("LOAD DATA LOCAL INFILE '").Append(file).Append('\'');
        text.Append(_options.Conflict switch
        {
            BulkConflict.Replace => " REPLACE",
            BulkConflict.Ignore => " IGNORE",
            _ => "",
        });
        // The delimiters as hexadecimal digits: quotes and backslashes mean other things under other sql_modes.
        text.Append(" INTO TABLE ").Append(_options.Table).Append(" CHARACTER SET utf8mb4 FIELDS TERMINATED BY ',' ENCLOSED BY X'27' ESCAPED BY X'5C' LINES TERMINATED BY X'0A' (");
        AppendColumns(text, static (text, name, form, index) =>
        {
            if (name.StartsWith('@'))
                text.Append(name);
            else if (form == LoadForm.Text)
                Quote(text, name);
            else
                text.Append("@slipstream_").Append(index.ToString(CultureInfo.InvariantCulture));
        });
        text.Append(')');
        var separator = " SET ";
        for (var i = 0; i < Columns.Length; i++)
        {
            if (_expressions[i] is { } expression)
                text.Append(separator).Append(expression);
            else if (Forms[i] == LoadForm.Text)
                continue;
            else
            {
                text.Append(separator);
                Quote(text, Columns[i]);
                text.Append(Forms[i] == LoadForm.Bits ? "=CAST(@slipstream_" : "=UNHEX(@slipstream_").Append(i).Append(Forms[i] == LoadForm.Bits ? " AS UNSIGNED)" : ")");
            }

            separator = ", ";
        }

        return text.ToString();
    }

    private void AppendColumns(StringBuilder text, Action<StringBuilder, string, LoadForm, int> append)
    {
        for (var i = 0; i < Columns.Length; i++)
        {
            if (i > 0)
                text.Append(',');
            append(text, Columns[i], Forms[i], i);
        }
    }

    private static void Quote(StringBuilder text, string name) => text.Append('`').Append(name.Replace("`", "``", StringComparison.Ordinal)).Append('`');
}
