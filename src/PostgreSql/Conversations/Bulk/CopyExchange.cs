using System.Globalization;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.State;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// Copies rows into a table with COPY … FROM STDIN (FORMAT binary). The server converts nothing in this format: each value must have its column's type, so the
/// exchange first requests the columns' types. Source: PostgreSQL 18, 54.2.6 "COPY Operations".
/// </summary>
internal sealed class CopyExchange(
    ISessionHost session, ServerState state, Operation operation, string table, IReadOnlyList<BulkMapping> mappings) : BulkExchange
{
    private readonly List<BulkColumn> _table = [];
    private readonly List<ColumnType> _types = [];
    private readonly CopyRows _rows = new();
    private readonly TypeCatalogue _catalogue = state.Types;
    private uint[] _oids = [];
    private string[] _names = [];
    private int _row;
    private bool _isReady;
    private bool _isCopying;
    private bool _isDone;
    private bool _isComplete;

    // The object id of the type (for a domain, of its base type), its name, and the kind of type (pg_type.typtype and typcategory).
    private readonly record struct ColumnType(uint Oid, string Name, char Kind, char Category);

    public override bool IsFull => Wire.Out.Length >= CopyRows.MessageLength;

    public override void Encode(Wire wire)
    {
        Parse.Write(wire.Out, [], Encoding.UTF8.GetBytes(ColumnsOf(table)), []);                    // C: Parse, Bind, Execute, Sync
        Bind.End(wire.Out, Bind.Begin(wire.Out, [], 0), Bind.Text);
        Execute.Write(wire.Out);
        Sync.Write(wire.Out);
    }

    /// <summary>Writes the next value of the row.</summary>
    /// <exception cref="InvalidCastException">The value cannot be converted to the column's type.</exception>
    public void Write<T>(T value)
    {
        if (value is null or DBNull)
        {
            WriteNull();
            return;
        }

        var oid = NextColumn();
        var writer = Wire.Out;
        // The most common widening of numbers, without boxing.
        if (typeof(T) == typeof(int) && oid == TypeOid.Int8)
            Values.Write(writer, (long)(int)(object)value, oid);
        else
            Values.Write(writer, value, oid, _catalogue);
    }

    public void WriteNull()
    {
        NextColumn();
        Bind.Null(Wire.Out);
    }

    protected override void CompleteRow()
    {
        _rows.EndRow();
        _row = Wire.Out.Length;
    }

    protected override void DropRow()
    {
        _rows.DropRow();
        if (_isCopying)
            Wire.Out.Truncate(_row);
    }

    protected override IEnumerable<Step> Run()
    {
        // S: ParseComplete, BindComplete, DataRow…, CommandComplete, ReadyForQuery
        while (!TryTakeColumns())
            yield return Step.Receive;
        if (Error is not null || !Plan())
            yield break;

        _isReady = false;
        Query.Write(Wire.Out, Encoding.UTF8.GetBytes(CopyText()));                                  // C: Query
        session.RefuseLeftovers();
        yield return Step.Send;
        while (!TryTakeInvitation())                                                                // S: CopyInResponse
            yield return Step.Receive;
        // An error may follow CopyInResponse immediately; the end of a copy that has not begun may not.
        TryTakeEnd();
        if (Error is not null)
        {
            while (!TryTakeEnd())
                yield return Step.Receive;
            yield break;
        }

        BeginMessage();
        CopyData.Signature(Wire.Out);
        _row = Wire.Out.Length;
        _isCopying = true;
        while (true)
        {
            // Large values are copied, because the source may reuse the same array for the next row.
            Wire.Out.MayGather = false;
            yield return Step.WaitExternal;
            Wire.Out.MayGather = Wire.Optimizations.PassesLargeValues;
            var ends = IsAtEnd || HasFailed || IsInterrupted;
            EndMessage(isLast: ends && IsAtEnd && !HasFailed && !IsInterrupted);                    // C: CopyData
            if (ends)
                break;
            yield return Step.Send;
            // An error in the middle: the server reads the rest only to discard it.
            while (Wire.HasArrived && !_isReady)
            {
                yield return Step.Receive;
                TryTakeEnd();
            }

            if (_isReady)
                break;
            BeginMessage();
        }

        _isCopying = false;
        if (!_isReady)
        {
            _isDone = IsAtEnd && !HasFailed && !IsInterrupted;
            if (_isDone)
                CopyDone.Write(Wire.Out);                                                           // C: CopyDone, or CopyFail
            else
                CopyFail.Write(Wire.Out, IsInterrupted ? "the copy was interrupted" : "the rows could not be supplied");
            yield return Step.Send;
        }

        while (!TryTakeEnd())                                                                       // S: CommandComplete or ErrorResponse, ReadyForQuery
            yield return Step.Receive;
    }

    private bool IsInterrupted => operation.Interruption != Interruption.None;

    // ---------------------------------------------------------------- the table

    // Reads the mark of generated columns but not their expressions. A serial column counts as an identity column.
    private static string ColumnsOf(string table) =>
        "SELECT a.attname, COALESCE(NULLIF(t.typbasetype, 0), t.oid)::int8, a.attgenerated <> '', "
        + "a.attidentity <> '' OR COALESCE(pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%', false), format_type(a.atttypid, NULL), b.typtype, b.typcategory "
        + "FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid JOIN pg_type b ON b.oid = COALESCE(NULLIF(t.typbasetype, 0), t.oid) "
        + "LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum "
        + $"WHERE a.attrelid = {Literal(table)}::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";

    // Only in E'…' is a backslash an escape character, whatever standard_conforming_strings is.
    private static string Literal(string text) =>
        (text.Contains('\\') ? "E'" : "'") + text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("'", "''", StringComparison.Ordinal) + "'";

    private void TakeColumn(ReadOnlySpan<byte> body)
    {
        var reader = new ByteReader(body);
        if (reader.Int16BigEndian() != 7)
            reader.Fail();
        var (name, oid, generated, identity, type, kind, category) =
            (Field(ref reader), Field(ref reader), Field(ref reader), Field(ref reader), Field(ref reader), Field(ref reader), Field(ref reader));
        if (reader.Failed || !uint.TryParse(oid, NumberStyles.None, CultureInfo.InvariantCulture, out var number) || kind.Length != 1 || category.Length != 1)
            throw Messages.Broken(BackendMessage.DataRow, body.Length);
        if (_table.Count == RowDescription.MaxColumns)
            throw new ProtocolException($"at most {RowDescription.MaxColumns:N0} columns, the limit of a table", "another column");
        _table.Add(new(name, generated == "t", identity == "t"));
        _types.Add(new(number, type, kind[0], category[0]));
    }

    private static string Field(ref ByteReader reader) => reader.Text(reader.Int32BigEndian());

    private bool Plan()
    {
        try
        {
            if (mappings.Count == 0)
            {
                var (ordinals, columns) = BulkColumns.ByPosition(table, _table, SourceFields);
                Take(ordinals, columns);
            }
            else
            {
                var ordered = BulkColumns.InOrder(mappings, SourceFields);
                Take(
                    Array.ConvertAll(ordered, static mapping => mapping.Source),
                    Array.ConvertAll(ordered, mapping => BulkColumns.Find(table, _table, mapping.Column)));
            }

            return true;
        }
        catch (Exception exception) when (exception is InvalidOperationException or NotSupportedException)
        {
            Fail(exception, isInRow: false);
            return false;
        }
    }

    private void Take(int[] ordinals, int[] columns)
    {
        if (columns.Length == 0)
            throw new InvalidOperationException($"{table} has no column that can be written.");
        SourceOrdinals = ordinals;
        _rows.Columns = columns.Length;
        _names = Array.ConvertAll(columns, column => _table[column].Name);
        _oids = Array.ConvertAll(columns, column => OidOf(_table[column].Name, _types[column]));
    }

    // In the binary format, too, enumerations and types of the string category travel as text.
    private uint OidOf(string column, ColumnType type) => type switch
    {
        _ when ColumnKinds.Of(type.Oid) != ColumnKind.Other => type.Oid,
        _ when _catalogue.Get(type.Oid) is { HasBinary: true } known && HasOwnForm(known) => type.Oid,
        { Kind: 'e' } or { Category: 'S' } => TypeOid.Text,
        _ => throw new NotSupportedException($"Column '{ServerText.OneLine(column)}' has the type {ServerText.OneLine(type.Name)}, whose binary format the "
            + "driver does not know: call ReloadTypes of a connection if the type is new, leave the column out, or insert the rows with a command."),
    };

    // Text, too, may have a converter: that of a mapped enumeration.
    private static bool HasOwnForm(DataType type) => type.IsConverted || type.Kind is not (ColumnKind.Other or ColumnKind.Text);

    private string CopyText()
    {
        var text = new StringBuilder("COPY ").Append(table).Append(" (");
        for (var i = 0; i < _names.Length; i++)
            text.Append(i > 0 ? "," : "").Append('"').Append(_names[i].Replace("\"", "\"\"", StringComparison.Ordinal)).Append('"');
        return text.Append(") FROM STDIN (FORMAT binary)").ToString();
    }

    // ---------------------------------------------------------------- rows

    private void BeginMessage()
    {
        _rows.BeginMessage(Wire.Out);
        _row = Wire.Out.Length;
    }

    private void EndMessage(bool isLast)
    {
        if (isLast)
            CopyData.Trailer(Wire.Out);
        _rows.EndMessage(Wire.Out);
    }

    private uint NextColumn()
    {
        if (_rows.Column < 0)
            _rows.BeginRow(Wire.Out);
        return _oids[_rows.NextColumn()];
    }

    // ---------------------------------------------------------------- answers

    private bool TryTakeColumns()
    {
        while (!_isReady && Messages.TryTake(Wire, out var type, out var start, out var end))
        {
            var body = Wire.In.AsSpan(start, end - start);
            switch (type)
            {
                case BackendMessage.ParseComplete or BackendMessage.BindComplete or BackendMessage.CommandComplete when Error is null:
                    break;
                case BackendMessage.DataRow when Error is null:
                    TakeColumn(body);
                    break;
                default:
                    TakeOther(type, body, "the destination's columns");
                    break;
            }
        }

        return _isReady;
    }

    // Returns true if the server waits for rows, or if it rejected the copy and is ready again.
    private bool TryTakeInvitation()
    {
        while (!_isReady && Messages.TryTake(Wire, out var type, out var start, out var end))
        {
            var body = Wire.In.AsSpan(start, end - start);
            if (type == BackendMessage.CopyInResponse && Error is null)
            {
                var reader = new ByteReader(body);
                var invitation = CopyInResponse.Read(ref reader);
                if (reader.Failed || !invitation.IsBinary || invitation.Columns != _oids.Length)
                    throw new ProtocolException($"a CopyInResponse for {_oids.Length} columns in binary format", $"a {type} of {body.Length} bytes for other "
                        + "columns or another format");
                return true;
            }

            TakeOther(type, body, "the answer to COPY");
        }

        return _isReady;
    }

    private bool TryTakeEnd()
    {
        while (!_isReady && Messages.TryTake(Wire, out var type, out var start, out var end))
        {
            var body = Wire.In.AsSpan(start, end - start);
            if (type == BackendMessage.CommandComplete && Error is null && _isDone && !_isComplete)
            {
                RowsInserted = Messages.ReadComplete(body).Rows;
                _isComplete = true;
            }
            else if (type == BackendMessage.ReadyForQuery && Error is null && !_isComplete)
                throw new ProtocolException("the end of COPY", $"a {type} before it");
            else
                TakeOther(type, body, "the end of COPY");
        }

        return _isReady;
    }

    private void TakeOther(BackendMessage type, ReadOnlySpan<byte> body, string expected)
    {
        switch (type)
        {
            case BackendMessage.ErrorResponse:
                var error = Messages.ReadError(body);
                Error ??= session.Judge(error.ToServerError(), isWhole: true, isOnly: false);
                if (SourceFailure is null && !IsInterrupted)
                    FailedRow = LineOf(error.Where);
                if (error.EndsSession)
                {
                    session.Break(error.MessageText);
                    _isReady = true;
                }

                break;
            case BackendMessage.ReadyForQuery:
                state.TransactionStatus = Messages.ReadStatus(body);
                _isReady = true;
                break;
            default:
                Messages.TakeAsynchronous(session, state, type, body, expected);
                break;
        }
    }

    /// <summary>
    /// Returns the row number in the context of an error: 3 for "COPY points, line 3, column name"; 0 if the server names no line. Only the first number is
    /// read, because the words may be in another language.
    /// </summary>
    internal static long LineOf(string? context)
    {
        const string command = "COPY ";
        if (context is null || !context.StartsWith(command, StringComparison.Ordinal))
            return 0;
        var comma = context.IndexOf(", ", StringComparison.Ordinal);
        if (comma < 0)
            return 0;
        var digits = context.AsSpan(comma).IndexOfAnyInRange('0', '9');
        if (digits < 0)
            return 0;
        var rest = context.AsSpan(comma + digits);
        var length = rest.IndexOfAnyExceptInRange('0', '9');
        return long.TryParse(length < 0 ? rest : rest[..length], NumberStyles.None, CultureInfo.InvariantCulture, out var line) ? line : 0;
    }
}
