using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;

namespace Slipstream.Core.Data;

/// <summary>One command of a batch, with its text and its parameters and, after the execution, the number of rows that it changed.</summary>
public abstract class ProviderBatchCommand : DbBatchCommand
{
    private string _commandText = "";
    private CommandType _commandType = CommandType.Text;
    private int _recordsAffected = -1;

    private protected ProviderBatchCommand()
    {
    }

    /// <summary>Gets or sets the SQL statement, the name of a stored procedure, or the name of a table, depending on <see cref="CommandType"/>.</summary>
    /// <value>The text. The default is an empty string, which cannot be executed.</value>
    [AllowNull]
    public override string CommandText
    {
        get => _commandText;
        set => _commandText = value ?? "";
    }

    /// <summary>Gets or sets the meaning of <see cref="CommandText"/>.</summary>
    /// <value>The default is <see cref="CommandType.Text"/>.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is not defined.</exception>
    public override CommandType CommandType
    {
        get => _commandType;
        set
        {
            if (!Enum.IsDefined(value))
                throw new ArgumentOutOfRangeException(nameof(value), value, "CommandType must be Text, StoredProcedure or TableDirect.");
            _commandType = value;
        }
    }

    /// <summary>Gets the number of rows that this command changed in the last execution of its batch.</summary>
    /// <value>−1 for a query, and before an execution.</value>
    public override int RecordsAffected => _recordsAffected;

    /// <inheritdoc/>
    public override bool CanCreateParameter => true;

    /// <summary>The error of this command in the last execution of its batch; null if it succeeded or was not executed.</summary>
    internal abstract Exception? Refusal { get; }

    /// <summary>Sets the number of changed rows.</summary>
    internal void SetRecordsAffected(long rows) => _recordsAffected = (int)rows;
}
