using System.Numerics;
using System.Text;

namespace Slipstream.MySql.Statements;

/// <summary>
/// Turns an INSERT of one row into the same INSERT of many rows. It keeps the text before the row, the row in parentheses, and the text after it. Statements
/// have few sizes, a full one and powers of two: any number of rows takes a few executions of statements that are prepared once.
/// </summary>
internal sealed class MultiRowInsert
{
    /// <summary>The largest number of rows in one statement. More rows bring no gain.</summary>
    public const int MaxRows = 1000;

    /// <summary>A prepared statement has at most 65,535 parameters: COM_STMT_PREPARE_OK has 2 bytes for their number.</summary>
    public const int MaxParameters = ushort.MaxValue;

    private readonly string _head;
    private readonly string _row;
    private readonly string _tail;
    private readonly string?[] _bySize = new string?[33];

    /// <param name="head">The text before the row: <c>INSERT INTO t (a, b) VALUES </c>.</param>
    /// <param name="row">The row: <c>(?, ?)</c>.</param>
    /// <param name="tail">The text after the last row; usually empty.</param>
    /// <param name="parameters">The number of parameters in the row.</param>
    public MultiRowInsert(string head, string row, string tail, int parameters)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(parameters, 1);
        _head = head;
        _row = row;
        _tail = tail;
        Parameters = parameters;
        FullSize = Math.Clamp(MaxParameters / parameters, 1, MaxRows);
    }

    /// <summary>Gets the number of parameters in one row.</summary>
    public int Parameters { get; }

    /// <summary>Gets the number of rows of the largest statement.</summary>
    public int FullSize { get; }

    /// <summary>
    /// Returns <paramref name="sql"/> as an INSERT of many rows. Returns null unless the text is a plain INSERT of one row of parameters, literals, NULL and
    /// DEFAULT. Returns null in doubtful cases too: comments, IGNORE, ON DUPLICATE KEY, RETURNING, function calls.
    /// </summary>
    public static MultiRowInsert? From(string sql, ScannedSql scanned)
    {
        if (scanned.Kind != StatementKind.Insert || scanned.HasSeveralStatements || scanned.Parameters.Length is 0 or > MaxParameters)
            return null;
        var begin = InsertText.FindRow(sql, out var end);
        if (begin < 0)
            return null;
        var row = new StringBuilder(end - begin);
        var from = begin;
        foreach (var place in scanned.Parameters)
        {
            var after = place.At + place.Length;
            if (place.IsInComment || place.At < from || after > end || !InsertText.IsBorder(sql[place.At - 1]) || !InsertText.IsBorder(sql[after]))
                return null;
            row.Append(sql, from, place.At - from).Append('?');
            from = after;
        }

        return new(sql[..begin], row.Append(sql, from, end - from).ToString(), "", scanned.Parameters.Length);
    }

    /// <summary>Returns how many of <paramref name="left"/> rows the next statement takes: the full size, or else the largest power of two.</summary>
    public int NextSize(int left) => left >= FullSize ? FullSize : 1 << BitOperations.Log2((uint)left);

    /// <summary>Returns the statement for <paramref name="rows"/> rows, one of the sizes of <see cref="NextSize"/>. It is the same string each time.</summary>
    public string Text(int rows)
    {
        ref var text = ref _bySize[rows == FullSize ? 32 : BitOperations.Log2((uint)rows)];
        return text ??= Build(rows);
    }

    /// <summary>Builds the statement for any number of rows.</summary>
    public string Build(int rows)
    {
        var builder = new StringBuilder(_head.Length + rows * (_row.Length + 1) + _tail.Length).Append(_head);
        for (var i = 0; i < rows; i++)
        {
            if (i > 0)
                builder.Append(',');
            builder.Append(_row);
        }

        return builder.Append(_tail).ToString();
    }
}
