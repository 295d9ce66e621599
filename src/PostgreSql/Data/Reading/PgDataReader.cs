using System.Collections.ObjectModel;
using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Conversations;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Sessions;

namespace Slipstream.PostgreSql;

/// <summary>Reads the rows of a command. After <c>Read</c>, no getter waits for the network, except with sequential access.</summary>
[SuppressMessage("Naming", "CA1710:Identifiers should have correct suffix", Justification = "ADO.NET's own naming.")]
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed class PgDataReader : ProviderDataReader
{
    internal PgDataReader(ProviderCommand command, PgSession session, CommandBehavior behavior)
        : base(command, session, behavior)
    {
    }

    // A deferred constraint or a later statement may fail after the rows have been read; the rows are then rolled back.
    /// <inheritdoc/>
    private protected override bool ThrowsErrorsOnClose => true;

    /// <summary>Occurs when the reader is closed.</summary>
    public event EventHandler? ReaderClosed;

    /// <summary>Gets whether the reader is on a row, whose values can be read.</summary>
    public bool IsOnRow => StandsOnRow;

    /// <summary>Gets the number of rows that the statements have changed so far; 0 for queries.</summary>
    public ulong Rows => (ulong)Math.Max(RecordsAffected, 0);

    /// <summary>
    /// Gets the statements that the reader reads, each with its outcome as soon as the reader has passed its result: the commands of the batch, or the
    /// statements of the command's text.
    /// </summary>
    [Obsolete("Use the BatchCommands of a PgBatch.")]
    public IReadOnlyList<PgBatchCommand> Statements => Command is PgBatchExecution batch ? batch.Commands : ((PgCommand)Command).StatementList();

    /// <inheritdoc/>
    private protected override void OnClosed() => ReaderClosed?.Invoke(this, EventArgs.Empty);

    /// <summary>Returns a binary value or a text as a stream. With sequential access, it waits asynchronously until the value begins to arrive.</summary>
    /// <param name="ordinal">The column's index, from 0.</param>
    /// <param name="cancellationToken">Cancels the command on the server.</param>
    /// <returns>The stream. If it reads from the connection, it is valid until this reader moves to the next row.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or of another type.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task<Stream> GetStreamAsync(int ordinal, CancellationToken cancellationToken = default) => GetFieldValueAsync<Stream>(ordinal, cancellationToken);

    /// <summary>Returns a text as a text reader. With sequential access, it waits asynchronously until the value begins to arrive.</summary>
    /// <param name="ordinal">The column's index, from 0.</param>
    /// <param name="cancellationToken">Cancels the command on the server.</param>
    /// <returns>The text reader. If it reads from the connection, it is valid until this reader moves to the next row.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or of another type.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task<TextReader> GetTextReaderAsync(int ordinal, CancellationToken cancellationToken = default) =>
        GetFieldValueAsync<TextReader>(ordinal, cancellationToken);

    /// <summary>Returns an interval, or a time as the span since midnight.</summary>
    /// <param name="ordinal">The column's index, from 0.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL, of another type, or an interval with months, whose length a TimeSpan cannot
    /// express.</exception>
    public TimeSpan GetTimeSpan(int ordinal) => GetFieldValue<TimeSpan>(ordinal);

    /// <inheritdoc/>
    public override char GetChar(int ordinal) => GetFieldValue<char>(ordinal);

    /// <summary>Returns timestamptz with offset zero, or timetz.</summary>
    /// <param name="ordinal">The column's index, from 0.</param>
    /// <returns>The value.</returns>
    /// <exception cref="InvalidCastException">The value is NULL or of another type.</exception>
    public DateTimeOffset GetDateTimeOffset(int ordinal) => GetFieldValue<DateTimeOffset>(ordinal);

    /// <summary>
    /// Returns a reader of a composite value or a record, which is one row of its fields, or of an array of them, which has a row for each element. It reads a
    /// copy of the value, so it stays valid.
    /// </summary>
    /// <param name="ordinal">The column's index, from 0.</param>
    /// <returns>The reader, before its first row.</returns>
    /// <exception cref="InvalidCastException">The value is NULL, or its type is neither a composite type nor a record, nor an array of these.</exception>
    /// <exception cref="InvalidOperationException">There is no current row, or the array contains NULL or has several dimensions.</exception>
    public new PgNestedDataReader GetData(int ordinal)
    {
        var row = (PgRow)Current(ordinal);
        try
        {
            var value = row.Arrived(ordinal, out var type, out var isBinary);
            return new PgNestedDataReader(new NestedRows(type, value, isBinary, row.Metadata!.Types), Depth + 1);
        }
        catch (ProtocolException malformed)
        {
            throw Failed(malformed);
        }
    }

    /// <inheritdoc/>
    protected override DbDataReader GetDbDataReader(int ordinal) => GetData(ordinal);

    /// <summary>Returns the type of a column.</summary>
    /// <param name="ordinal">The column's index, from 0.</param>
    /// <returns>The type.</returns>
    public PostgresType GetPostgresType(int ordinal) => ((PgRow)Described).TypeOf(ordinal).Postgres;

    /// <summary>Returns the object id of the column's type in pg_type.</summary>
    /// <param name="ordinal">The column's index, from 0.</param>
    /// <returns>The object id.</returns>
    public uint GetDataTypeOID(int ordinal) => (uint)Described.Describe(ordinal).ProviderType;

    /// <summary>
    /// Returns the columns of the current result set. With <see cref="CommandBehavior.KeyInfo"/>, one query on another connection of the data source adds what
    /// the server does not send with a result: names, keys, defaults, and whether a column accepts NULL or can be changed. The pool therefore needs a second
    /// session: with Maximum Pool Size=1, the call fails when Timeout has passed.
    /// </summary>
    /// <returns>The columns; an empty collection without a result set.</returns>
    /// <exception cref="InvalidOperationException">The reader is closed.</exception>
    /// <exception cref="PgException">The other connection cannot be opened.</exception>
    public new ReadOnlyCollection<PgDbColumn> GetColumnSchema() => new([.. base.GetColumnSchema().Cast<PgDbColumn>()]);

    /// <inheritdoc/>
    private protected override DbColumn CreateColumn(int ordinal, ColumnDescription column) =>
        new PgDbColumn(
            ordinal, column, ((PgRow)Described).Metadata!.Field(ordinal), GetPostgresType(ordinal), (PgConnection?)Command.ReadersConnection);

    // As Npgsql: a column without a precision or a scale has 0.
    /// <inheritdoc/>
    private protected override object NoNumber => 0;

    /// <inheritdoc/>
    private protected override void LookUp(DbColumn[] columns) => ColumnLookup.Run(Source, columns);

    /// <inheritdoc/>
    private protected override ValueTask LookUpAsync(DbColumn[] columns, CancellationToken cancellationToken) =>
        ColumnLookup.RunAsync(Source, columns, cancellationToken);

    /// <summary>The types that the result was described with.</summary>
    internal Types.TypeCatalogue Types => ((PgRow)Described).Metadata!.Types;

    private PgDataSource Source => (PgDataSource)Command.ReadersConnection!.Source;
}
