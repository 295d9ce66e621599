using Slipstream.Core.Data;

namespace Slipstream.MySql;

/// <summary>The result of a bulk copy.</summary>
public sealed class MySqlBulkCopyResult
{
    internal MySqlBulkCopyResult(IReadOnlyList<MySqlError> warnings, int rowsInserted, MySqlBulkCopyMethod method)
    {
        Warnings = warnings;
        RowsInserted = rowsInserted;
        Method = method;
    }

    /// <summary>
    /// Gets the server's warnings: a few thousand at most. A row number in a message counts from the beginning of the statement that sent the row.
    /// </summary>
    public IReadOnlyList<MySqlError> Warnings { get; }

    /// <summary>Gets the number of inserted rows. A row that replaced or updated another one counts once.</summary>
    public int RowsInserted { get; }

    /// <summary>Gets how the rows were sent; never <see cref="MySqlBulkCopyMethod.Auto"/>. (Not in MySqlConnector.)</summary>
    public MySqlBulkCopyMethod Method { get; }
}

/// <summary>How a bulk copy sends its rows. (Not in MySqlConnector.)</summary>
public enum MySqlBulkCopyMethod
{
    /// <summary>The fastest method that the server and the options allow.</summary>
    Auto,

    /// <summary>
    /// A streamed LOAD DATA LOCAL. It needs <c>AllowLoadLocalInfile=true</c> and local_infile=ON on the server. The copy refuses a value that LOAD DATA would
    /// read differently from INSERT.
    /// </summary>
    LoadData,

    /// <summary>MariaDB's COM_STMT_BULK_EXECUTE.</summary>
    BulkExecute,

    /// <summary>Prepared INSERT statements of many rows. Works with every server.</summary>
    MultiRow,
}

/// <summary>What happens to a row whose key already exists in the table.</summary>
public enum MySqlBulkLoaderConflictOption
{
    /// <summary>The row is an error. LOAD DATA LOCAL, which <see cref="MySqlBulkLoader"/> uses by default, skips it with a warning instead.</summary>
    None = 0,

    /// <summary>The row replaces the existing row.</summary>
    Replace = 1,

    /// <summary>The row is skipped with a warning.</summary>
    Ignore = 2,

    /// <summary>The row's values update the existing row. Not available with LOAD DATA. (Not in MySqlConnector.)</summary>
    Update = 3,
}

/// <summary>Provides the number of rows that a bulk copy has processed so far.</summary>
public sealed class MySqlRowsCopiedEventArgs : EventArgs
{
    /// <summary>
    /// Gets or sets whether the copy ends after this event, without an error. Default: false. The rows written so far remain; if the transaction is the copy's
    /// own, it is committed.
    /// </summary>
    public bool Abort { get; set; }

    /// <summary>Gets the number of rows taken from the source so far.</summary>
    public long RowsCopied { get; internal set; }
}

/// <summary>Handles the event that occurs after every <see cref="ProviderBulkCopy{TRow, TResult}.NotifyAfter"/> rows.</summary>
/// <param name="sender">The bulk copy.</param>
/// <param name="e">The number of rows so far.</param>
public delegate void MySqlRowsCopiedEventHandler(object sender, MySqlRowsCopiedEventArgs e);
