using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;

namespace Slipstream.Core.Data;

/// <summary>One command of a batch: its text, its parameters, and after the execution how many rows it changed.</summary>
public abstract class ProviderBatchCommand : DbBatchCommand
{
    private string _commandText = "";
    private CommandType _commandType = CommandType.Text;
    private int _recordsAffected = -1;

    private protected ProviderBatchCommand()
    {
    }

    /// <inheritdoc/>
    [AllowNull]
    public override string CommandText
    {
        get => _commandText;
        set => _commandText = value ?? "";
    }

    /// <inheritdoc/>
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

    /// <summary>Rows that this command changed in the last execution of its batch; −1 for a query, and when it has not been executed.</summary>
    public override int RecordsAffected => _recordsAffected;

    /// <inheritdoc/>
    public override bool CanCreateParameter => true;

    /// <summary>Tells how many rows it changed.</summary>
    internal void SetRecordsAffected(long rows) => _recordsAffected = (int)rows;
}
