using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql.Conversations;

// LOAD DATA LOCAL: the rows are lines of a file that the server requests.
internal sealed partial class BulkCopyExchange
{
    // In bytes. 16 to 64 KB are best for the server, which reads and inserts while the next packet is written.
    private const int LoadPacket = 64 * 1024;

    private static readonly MySqlStatement SqlMode = new("SELECT @@SESSION.sql_mode");

    private int _loadAt = -1;
    private int _loadRow;
    private int _loadColumn;
    private byte _loadSequence;
    private bool? _isStrict;

    private IEnumerable<Step> Load()
    {
        // An unpredictable name: the server may request only exactly this file.
        var name = ":slipstream:" + RandomNumberGenerator.GetHexString(32, lowercase: true);
        var text = _plan.LoadData(name);
        if (!_speaksUtf8 && !Ascii.IsValid(text))
        {
            Fail(
                new NotSupportedException(
                    "The session's character_set_client is not utf8mb4, and the names or expressions of the copy are not ASCII: execute SET NAMES utf8mb4 "
                        + "first."),
                isInRow: false);
            yield break;
        }

        // It commits an open transaction if the table is one of NDB.
        session.State.MayCommit();
        WriteQuery(Wire, Encoding.UTF8.GetBytes(text));                                             // C: LOAD DATA LOCAL INFILE
        yield return SendCommand();
        bool? accepted;
        while ((accepted = TryTakeRequest(name)) is null)                                           // S: LOCAL INFILE Request
            yield return Step.Receive;
        if (accepted == false)
            yield break;

        session.RefuseLeftovers();
        do
        {
            BeginLoadPacket();
            yield return Step.WaitExternal;
            if (EndLoadPacket())                                                                    // C: lines
                yield return Step.Send;
        }
        while (!IsAtEnd && !HasFailed && !IsInterrupted);

        _loadSequence = Wire.Out.End(Wire.Out.Begin(_loadSequence));                                // C: an empty packet
        yield return Step.Send;
        Wire.Sequence = _loadSequence;
        while (!TryTakeAnswer())                                                                    // S: OK or ERR
            yield return Step.Receive;
        if (Error is not null || HasFailed)
            yield break;
        if (_answerWarnings > 0)
        {
            foreach (var step in TakeWarnings())
                yield return step;
        }

        if (Error is not null || IsInterrupted || options.TrustsLoadData)
            yield break;
        foreach (var step in RefuseChanges(rowsBefore: 0))
            yield return step;
        if (Error is null
            && options.Conflict == BulkConflict.None
            && RowsInserted != RowsTaken
            && _warnings.Find(static warning => warning.Level != "Note") is { Code: > 0 } first)
            Refuse(rowsBefore: 0, first.Code, $"{RowsTaken} rows were copied to {options.Table}, but only {RowsInserted} were inserted ({first.Message}).");
    }

    // LOCAL turns errors of strict mode into warnings: a value that was truncated, clipped or replaced. A statement of many rows does the same for a table
    // without transactions, after its first row.
    private IEnumerable<Step> RefuseChanges(long rowsBefore)
    {
        if (options.Conflict == BulkConflict.Ignore || FirstChange() is not { } change)
            yield break;
        if (_isStrict is null)
        {
            AppendRowsQuery(Wire, SqlMode);
            yield return SendCommand();
            foreach (var step in TakeRows(row => _isStrict = row.GetString(0).Contains("STRICT_", StringComparison.OrdinalIgnoreCase)))
                yield return step;
        }

        if (_isStrict == true && Error is null)
            Refuse(rowsBefore, change.Code, change.Message);
    }

    private (string Level, int Code, string Message)? FirstChange()
    {
        foreach (var warning in _warnings)
        {
            if (warning.Level != "Note" && ChangeWarning.Is(warning.Code))
                return warning;
        }

        return null;
    }

    private void Refuse(long rowsBefore, int code, string message)
    {
        const string AtRow = " at row ";
        var at = message.LastIndexOf(AtRow, StringComparison.Ordinal);
        if (at > 0 && long.TryParse(message.AsSpan(at + AtRow.Length), CultureInfo.InvariantCulture, out var row))
        {
            FailedRow = rowsBefore + row;
            message = message[..at];
        }

        IsRowRefused = true;
        Error = new ServerError(code, ChangeWarning.SqlStateOf(code), message);
    }

    // Returns null while bytes are missing, and false if the rows must be sent in another way, or not at all.
    private bool? TryTakeRequest(string name)
    {
        if (!IncomingPackets.TryTakeAnswer(Wire, out var at, out var length))
            return null;
        var reader = new ByteReader(Wire.In.AsSpan(at, length));
        switch (reader.Byte())
        {
            case LocalInfileRequest.Header:
                var asked = LocalInfileRequest.Read(ref reader).FileName;
                if (asked != name)
                    throw new ProtocolException("a request for the rows of this copy (no file was read)", "a request for other data of this client");
                _loadSequence = Wire.Sequence;
                return true;
            case Err.Header:
                TakeError(ref reader, length);
                if (options.Method != BulkMethod.Auto || _plan.NeedsLoadData || Error!.Number is not (NotAllowed or LocalFilesDisabled or LoadInfileDisabled))
                    return false;
                // The server refuses LOAD DATA LOCAL. Nothing has happened yet, and another method is available.
                Error = null;
                _wire = HasBulkExecute ? BulkMethod.BulkExecute : BulkMethod.MultiRow;
                BeginStatements();
                return false;
            default:
                throw new ProtocolException("a LOCAL INFILE request or ERR", $"a packet of {length} bytes");
        }
    }

    // ER_NOT_ALLOWED_COMMAND, ER_CLIENT_LOCAL_FILES_DISABLED, MariaDB's ER_LOAD_INFILE_CAPABILITY_DISABLED.
    private const int NotAllowed = 1148;
    private const int LocalFilesDisabled = 3948;
    private const int LoadInfileDisabled = 4166;

    private void BeginLoadPacket()
    {
        _loadAt = Wire.Out.Begin(_loadSequence);
        _loadRow = Wire.Out.Length;
        _loadColumn = 0;
    }

    // Returns false if the packet contains nothing: an empty packet would end the rows.
    private bool EndLoadPacket()
    {
        var at = _loadAt;
        _loadAt = -1;
        if (_loadRow == at + Packets.HeaderLength)
        {
            Wire.Out.Truncate(at);
            return false;
        }

        // A row may be larger than the largest packet that the server accepts.
        _loadSequence = Wire.Out.EndPieces(at, LoadPacket);
        return true;
    }

    private void BeginLoadValue()
    {
        if (_loadColumn == _plan.Targets.Length)
            throw new InvalidOperationException($"The row has more values than the {_plan.Targets.Length} columns that the copy fills.");
        if (_loadColumn > 0)
            session.Wire.Out.Byte((byte)',');
    }
}
