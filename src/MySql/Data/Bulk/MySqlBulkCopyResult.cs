using Slipstream.Core.Data;

namespace Slipstream.MySql;

/// <summary>What a bulk copy has done.</summary>
public sealed class MySqlBulkCopyResult
{
    internal MySqlBulkCopyResult(IReadOnlyList<MySqlError> warnings, int rowsInserted, MySqlBulkCopyMethod method)
    {
        Warnings = warnings;
        RowsInserted = rowsInserted;
        Method = method;
    }

    /// <summary>
    /// What the server warned of: some thousand at most. A row number in a message counts from the beginning of the statement that the row travelled in.
    /// </summary>
    public IReadOnlyList<MySqlError> Warnings { get; }

    /// <summary>Rows that were inserted; those that replaced or updated others are counted as one each.</summary>
    public int RowsInserted { get; }

    /// <summary>How the rows travelled; never <see cref="MySqlBulkCopyMethod.Auto"/>. (Not in MySqlConnector.)</summary>
    public MySqlBulkCopyMethod Method { get; }
}

/// <summary>How the rows of a bulk copy travel. (Not in MySqlConnector.)</summary>
public enum MySqlBulkCopyMethod
{
    /// <summary>The fastest that server and options allow.</summary>
    Auto,

    /// <summary>
    /// LOAD DATA LOCAL, streamed: needs <c>AllowLoadLocalInfile=true</c> and local_infile=ON on the server. A value that it would read otherwise than INSERT
    /// takes it is refused.
    /// </summary>
    LoadData,

    /// <summary>MariaDB's COM_STMT_BULK_EXECUTE.</summary>
    BulkExecute,

    /// <summary>Prepared INSERTs of many rows: works everywhere.</summary>
    MultiRow,
}

/// <summary>What becomes of a row whose key the table has already.</summary>
public enum MySqlBulkLoaderConflictOption
{
    /// <summary>It is an error.</summary>
    None = 0,

    /// <summary>It replaces the row that is there.</summary>
    Replace = 1,

    /// <summary>It is left out, with a warning.</summary>
    Ignore = 2,

    /// <summary>Its values are written into the row that is there. Not with LOAD DATA. (Not in MySqlConnector.)</summary>
    Update = 3,
}

/// <summary>Tells how many rows have been copied.</summary>
public sealed class MySqlRowsCopiedEventArgs : EventArgs
{
    /// <summary>Set it to end the copy without an error: the rows so far stay, and are committed when the transaction is the copy's own.</summary>
    public bool Abort { get; set; }

    /// <summary>Rows that have been taken from the source.</summary>
    public long RowsCopied { get; internal set; }
}

/// <summary>Called after every <see cref="ProviderBulkCopy{TRow, TResult}.NotifyAfter"/> rows.</summary>
public delegate void MySqlRowsCopiedEventHandler(object sender, MySqlRowsCopiedEventArgs e);
