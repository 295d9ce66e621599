using System.Data.Common;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql;

/// <summary>One command of a <see cref="PgBatch"/>.</summary>
public sealed class PgBatchCommand : ProviderBatchCommand, IOutputs
{
    /// <summary>Writes the command. It is a field, not a property, because it is a mutable struct.</summary>
    internal StatementEncoder Encoder;

    private bool? _appendErrorBarrier;

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
    /// Gets or sets whether an error barrier follows the command. Outside a transaction, a barrier commits the commands before it. If the server rejects a
    /// command, it skips the commands up to the next barrier and executes those after it. Default: null, the setting of the batch
    /// (<see cref="PgBatch.EnableErrorBarriers"/>).
    /// </summary>
    public bool? AppendErrorBarrier
    {
        get => _appendErrorBarrier;
        set => _appendErrorBarrier = value;
    }

    /// <summary>
    /// Gets the number of rows that the command changed or returned in the last execution of its batch; 0 if it did neither. If the text has several
    /// statements, it is their sum.
    /// </summary>
    public ulong Rows { get; private set; }

    /// <summary>
    /// Gets what kind of statement the last execution of the batch executed; <see cref="StatementType.Unknown"/> if it did not execute the command. If the
    /// text has several statements, it is the kind of the last one.
    /// </summary>
    public StatementType StatementType { get; private set; }

    /// <summary>
    /// Gets the object id of the row that an INSERT inserted into a table WITH OIDS; 0 from servers since version 12, which have no such tables.
    /// </summary>
    public uint OID { get; private set; }

    /// <summary>
    /// Gets the error of this command in the last execution of its batch; null if it succeeded or was not executed. (Not in Npgsql.)
    /// </summary>
    public PgException? Error { get; internal set; }

    /// <inheritdoc/>
    internal override Exception? Refusal => Error;

    /// <inheritdoc/>
    protected override DbParameterCollection DbParameterCollection => Parameters;

    /// <summary>Creates a parameter. It is not added to the command.</summary>
    /// <returns>The parameter.</returns>
    public override PgParameter CreateParameter() => new();

    void IOutputs.Take(PgRow row) => OutputParameters.Take(Parameters, row);

    /// <summary>Returns the text of the command.</summary>
    /// <returns><see cref="ProviderBatchCommand.CommandText"/>.</returns>
    public override string ToString() => CommandText;

    /// <summary>Removes the outcome of an earlier execution.</summary>
    internal void Reset()
    {
        SetRecordsAffected(-1);
        (Rows, StatementType, OID, Error) = (0, StatementType.Unknown, 0, null);
    }

    /// <summary>Adds the outcome of one of its statements.</summary>
    internal void Add(in StatementOutcome outcome)
    {
        var kind = (CommandKind)outcome.Kind;
        Rows += (ulong)outcome.Rows;
        StatementType = StatementTypes.Of(kind);
        OID = (uint)outcome.Id;
        if (CommandComplete.CountsChanges(kind))
            SetRecordsAffected(Math.Max(RecordsAffected, 0) + outcome.Rows);
    }
}

/// <summary>The commands of a <see cref="PgBatch"/>, in the order of their execution.</summary>
public sealed class PgBatchCommandCollection : ProviderBatchCommandCollection<PgBatchCommand>, IList<PgBatchCommand>
{
    internal PgBatchCommandCollection()
    {
    }

    IEnumerator<PgBatchCommand> IEnumerable<PgBatchCommand>.GetEnumerator() => EnumerateOwn();
}
