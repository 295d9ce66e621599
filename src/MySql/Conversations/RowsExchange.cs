using Slipstream.Core.Conversations;

namespace Slipstream.MySql.Conversations;

/// <summary>The exchange of one command, and what becomes of the rows of its results.</summary>
internal abstract class RowsExchange : ResultExchange
{
    /// <summary>Gets what becomes of the rows from now on.</summary>
    protected RowUse Use { get; private set; }

    /// <summary>Gets or sets whether the caller wants only the columns of the results, and no row. Set for the command that has just begun.</summary>
    public bool HidesRows
    {
        get => Use == RowUse.DescribedOnly;
        set
        {
            if (value && Use.ShowsRows())
                Use = RowUse.DescribedOnly;
        }
    }

    /// <summary>Starts the use of the rows of a new command.</summary>
    /// <remarks>An earlier command of the same batch may have set the scalar already.</remarks>
    protected void BeginRows(RowUse use, ScalarTarget? scalar)
    {
        Use = scalar is { HasValue: false } ? use : use.WithoutScalar();
        Scalar = scalar;
        ScalarFailure = null;
    }

    /// <summary>Drops the rest of the rows.</summary>
    protected void SkipRows() => Use = RowUse.Skipped;

    /// <summary>Decodes the scalar.</summary>
    protected void TakeScalar(Row row)
    {
        Use = RowUse.Skipped;
        Scalar!.Take(row);
    }

    /// <summary>Notes that no further row can have the scalar's value.</summary>
    protected void EndScalar() => Use = Use.WithoutScalar();
}
