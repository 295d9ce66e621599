using Slipstream.Core.Statements;

namespace Slipstream.MySql.Statements;

/// <summary>
/// The INSERTs of many rows that one INSERT of one row has become: one for each number of rows that came again. Each counts its own uses and is a statement
/// like any other, with its place among what sessions keep prepared. A number that came once costs nothing but its note.
/// </summary>
internal sealed class MergedSizes(MultiRowInsert insert)
{
    // Programs insert in batches of one size, and what is left at the end. Numbers that keep changing push each other out, and stay text.
    private const int MostSizes = 8;

    private readonly Size?[] _sizes = new Size?[MostSizes];
    private int _clock;

    /// <summary>Rows of the largest statement.</summary>
    public int MostRows => insert.FullSize;

    /// <summary>Notes a use. Null for the first one of that many rows. Threads that come at the same time may lose a use, nothing else.</summary>
    /// <param name="rows">How many.</param>
    /// <param name="statements">Where the statement has its place.</param>
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
