using Slipstream.Core.Conversations;

namespace Slipstream.MySql.Conversations;

/// <summary>What becomes of the rows of a command's results.</summary>
internal enum RowUse : byte
{
    /// <summary>The exchange drops the rows. Neither the result nor a row is an outcome.</summary>
    Skipped,

    /// <summary>Each result and each row is an outcome.</summary>
    Shown,

    /// <summary>As <see cref="Shown"/>, but the caller reads the large values of a row from the wire, one after the other.</summary>
    Streamed,

    /// <summary>Each result is an outcome, its rows are not.</summary>
    DescribedOnly,

    /// <summary>The first column of the first row is decoded inside the exchange. If the first result has no rows, there is no value.</summary>
    Scalar,
}

/// <summary>Questions about a <see cref="RowUse"/>.</summary>
internal static class RowUses
{
    /// <summary>Returns the use of the rows that serves the caller's goal.</summary>
    /// <param name="goal">What the caller wants from the results.</param>
    /// <param name="streams">True for sequential access. It has no meaning for the other goals.</param>
    public static RowUse For(Goal goal, bool streams) => goal switch
    {
        Goal.Rows => streams ? RowUse.Streamed : RowUse.Shown,
        Goal.Scalar => RowUse.Scalar,
        _ => RowUse.Skipped,
    };

    /// <summary>Returns true if each row is an outcome.</summary>
    public static bool ShowsRows(this RowUse use) => use is RowUse.Shown or RowUse.Streamed;

    /// <summary>Returns true if each result is an outcome: its columns, and its end.</summary>
    public static bool ShowsResults(this RowUse use) => use is RowUse.Shown or RowUse.Streamed or RowUse.DescribedOnly;

    /// <summary>Returns the use of the rows after the scalar's value has come, or cannot come any more.</summary>
    public static RowUse WithoutScalar(this RowUse use) => use == RowUse.Scalar ? RowUse.Skipped : use;
}
