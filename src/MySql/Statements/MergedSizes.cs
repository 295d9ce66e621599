using Slipstream.Core.Statements;

namespace Slipstream.MySql.Statements;

/// <summary>
/// The INSERTs of many rows derived from one INSERT of one row: one for each number of rows that occurred at least twice. Each counts its own uses and is an
/// ordinary statement that sessions may keep prepared. A number of rows that occurred once is only recorded.
/// </summary>
internal sealed class MergedSizes(MultiRowInsert insert)
{
    // Programs insert batches of one size and a remainder. If the sizes keep changing, they replace each other and are sent as text.
    private const int MaxSizes = 8;

    private readonly Size?[] _sizes = new Size?[MaxSizes];
    private int _clock;

    /// <summary>Gets the number of rows of the largest statement.</summary>
    public int MaxRows => insert.FullSize;

    /// <summary>Counts a use. Returns null for the first use of a number of rows. A use may be lost if several threads call at the same time.</summary>
    /// <param name="rows">The number of rows.</param>
    /// <param name="statements">The table that contains the statement.</param>
    public MySqlStatement? Use(int rows, StatementTable<MySqlStatement> statements)
    {
        var now = Interlocked.Increment(ref _clock);
        var oldest = 0;
        for (var i = 0; i < _sizes.Length; i++)
        {
            var size = _sizes[i];
            if (size is not null && size.Rows == rows)
            {
                size.LastUse = now;
                return size.Statement ??= Create(rows, statements);
            }

            if (size is null || (_sizes[oldest] is { } other && size.LastUse - other.LastUse < 0))
                oldest = i;
            if (size is null)
                break;
        }

        _sizes[oldest] = new(rows) { LastUse = now };
        return null;
    }

    private MySqlStatement Create(int rows, StatementTable<MySqlStatement> statements)
    {
        var statement = statements.Get(insert.Build(rows));
        statement.CountUse();
        return statement;
    }

    private sealed class Size(int rows)
    {
        public int Rows => rows;

        public int LastUse { get; set; }

        public MySqlStatement? Statement { get; set; }
    }
}
