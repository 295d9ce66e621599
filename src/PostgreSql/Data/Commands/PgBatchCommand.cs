using System.Data.Common;
using Slipstream.Core.Data;

namespace Slipstream.PostgreSql;

/// <summary>One command of a <see cref="PgBatch"/>.</summary>
public sealed class PgBatchCommand : ProviderBatchCommand
{
    /// <summary>How it is written; a field, because it remembers.</summary>
    internal StatementEncoder Encoder;

    /// <summary>A command with that text, or none yet.</summary>
    public PgBatchCommand()
    {
    }

    /// <summary>A command with that text, or none yet.</summary>
    public PgBatchCommand(string? commandText) => CommandText = commandText;

    /// <summary>The values of its parameters.</summary>
    public new PgParameterCollection Parameters => Encoder.Parameters;

    /// <summary>
    /// Why the server refused this command in the last execution of its batch; null when it did not, or the command was not reached. (Not in Npgsql.)
    /// </summary>
    public PgException? Error { get; internal set; }

    /// <inheritdoc/>
    protected override DbParameterCollection DbParameterCollection => Parameters;

    /// <inheritdoc/>
    public override DbParameter CreateParameter() => new PgParameter();
}

/// <summary>The commands of a <see cref="PgBatch"/>, in the order in which they are executed.</summary>
public sealed class PgBatchCommandCollection : ProviderBatchCommandCollection<PgBatchCommand>
{
    internal PgBatchCommandCollection()
    {
    }
}
