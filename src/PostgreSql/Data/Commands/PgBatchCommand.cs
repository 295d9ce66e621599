using System.Data.Common;
using Slipstream.Core.Data;

namespace Slipstream.PostgreSql;

/// <summary>One command of a <see cref="PgBatch"/>.</summary>
public sealed class PgBatchCommand : ProviderBatchCommand
{
    /// <summary>Writes the command. It is a field, not a property, because it is a mutable struct.</summary>
    internal StatementEncoder Encoder;

    /// <summary>Creates a command without a text.</summary>
    public PgBatchCommand()
    {
    }

    /// <summary>Creates a command with a text.</summary>
    /// <param name="commandText">One or more SQL statements.</param>
    public PgBatchCommand(string? commandText) => CommandText = commandText;

    /// <summary>Gets the parameters.</summary>
    public new PgParameterCollection Parameters => Encoder.Parameters;

    /// <summary>
    /// Gets the error of this command in the last execution of its batch; null if it succeeded or was not executed. (Not in Npgsql.)
    /// </summary>
    public PgException? Error { get; internal set; }

    /// <inheritdoc/>
    protected override DbParameterCollection DbParameterCollection => Parameters;

    /// <inheritdoc/>
    public override DbParameter CreateParameter() => new PgParameter();
}

/// <summary>The commands of a <see cref="PgBatch"/>, in the order of their execution.</summary>
public sealed class PgBatchCommandCollection : ProviderBatchCommandCollection<PgBatchCommand>
{
    internal PgBatchCommandCollection()
    {
    }
}
