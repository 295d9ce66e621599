using Slipstream.Core.Bytes;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>
/// Maps the placeholders of a statement to parameters of a collection. It finds them by name once per statement and shape of the collection, so a loop that
/// only sets values looks up no names.
/// </summary>
internal sealed class ParameterBinding
{
    private readonly ScannedSql _scanned;
    private readonly MySqlParameterCollection _parameters;
    private readonly int _shape;
    private readonly int _count;
    private readonly int[] _indexes;

    /// <summary>Finds the parameter of each placeholder.</summary>
    /// <exception cref="MySqlException">A placeholder has no parameter.</exception>
    public ParameterBinding(ScannedSql scanned, MySqlParameterCollection parameters)
    {
        _scanned = scanned;
        _parameters = parameters;
        _shape = parameters.Shape;
        _count = parameters.Count;
        var places = scanned.Parameters;
        _indexes = new int[places.Length];
        var position = 0;
        for (var i = 0; i < places.Length; i++)
        {
            if (places[i].Name is { } name)
            {
                _indexes[i] = parameters.IndexInText(name);
                if (_indexes[i] < 0)
                    throw new MySqlException(MySqlErrorCode.None, $"Parameter '@{name}' of the statement has no value: add it to the command's Parameters. "
                        + "(For a user variable, set Allow User Variables=true.)");
            }
            else
            {
                if (position >= parameters.Count)
                    throw new MySqlException(MySqlErrorCode.None, $"The statement has a '?' for parameter number {position + 1}, but the command's "
                        + $"Parameters collection has {parameters.Count}: add the missing ones.");
                _indexes[i] = position++;
            }
        }
    }

    /// <summary>Whether this binding was made for this statement and the collection in its current shape.</summary>
    public bool IsFor(ScannedSql scanned, MySqlParameterCollection parameters) =>
        ReferenceEquals(scanned, _scanned) && ReferenceEquals(parameters, _parameters) && parameters.Count == _count && parameters.Shape == _shape;

    /// <summary>Whether this binding also fits the parameters of another command: the same names in the same order.</summary>
    public bool Serves(ScannedSql scanned, MySqlParameterCollection parameters)
    {
        if (!ReferenceEquals(scanned, _scanned) || parameters.Count != _count || _parameters.Shape != _shape)
            return false;
        for (var i = 0; i < _count; i++)
            if (!string.Equals(parameters[i].ParameterName, _parameters[i].ParameterName, StringComparison.Ordinal))
                return false;
        return true;
    }

    /// <summary>Returns the index in the collection of a placeholder's parameter.</summary>
    public int IndexAt(int place) => _indexes[place];

    /// <summary>Writes COM_QUERY with the values as literals.</summary>
    /// <param name="writer">The destination.</param>
    /// <param name="scanned">The command's text.</param>
    /// <param name="parameters">The values.</param>
    /// <param name="rules">The rules for literals.</param>
    /// <param name="codecs">The settings for writing values.</param>
    /// <param name="attributes">The command's query attributes; null for none.</param>
    public void WriteText(
        ByteWriter writer, ScannedSql scanned, MySqlParameterCollection parameters, LiteralRules rules, CodecSettings codecs,
        MySqlAttributeCollection? attributes = null)
    {
        var at = attributes is null ? Query.Begin(writer) : attributes.BeginQuery(writer, codecs);
        if (scanned.HasSeveralStatements || (rules & (LiteralRules.ForeignCharacters | LiteralRules.UncertainMode)) != 0)
            rules = RulesIn(scanned, rules);
        for (var i = 0; i < _indexes.Length; i++)
        {
            writer.Bytes(scanned.Piece(i));
            parameters[_indexes[i]].WriteText(writer, scanned.Parameters[i].IsInComment ? rules | LiteralRules.InComment : rules, codecs);
        }

        writer.Bytes(scanned.Piece(_indexes.Length));
        writer.End(at);
    }

    /// <summary>Appends the command's text with the values as literals to a text of several commands, without the end of the last piece.</summary>
    /// <param name="writer">The destination with the text so far.</param>
    /// <param name="scanned">The command's text.</param>
    /// <param name="from">The number of bytes of the first piece to leave out.</param>
    /// <param name="parameters">The values.</param>
    /// <param name="rules">The rules for literals.</param>
    /// <param name="codecs">The settings for writing values.</param>
    public void AppendText(ByteWriter writer, ScannedSql scanned, int from, MySqlParameterCollection parameters, LiteralRules rules, CodecSettings codecs)
    {
        if ((rules & (LiteralRules.ForeignCharacters | LiteralRules.UncertainMode)) != 0)
            rules = RulesIn(scanned, rules);
        for (var i = 0; i < _indexes.Length; i++)
        {
            writer.Bytes(scanned.Piece(i)[(i == 0 ? from : 0)..]);
            parameters[_indexes[i]].WriteText(writer, scanned.Parameters[i].IsInComment ? rules | LiteralRules.InComment : rules, codecs);
        }

        writer.Bytes(BatchForm.WithoutEnd(scanned.Piece(_indexes.Length)));
    }

    // Returns the rules for a text that the server may read, completely or from some statement on, by other rules than the session's.
    private static LiteralRules RulesIn(ScannedSql scanned, LiteralRules rules)
    {
        // Under other rules a placeholder may be inside a string: no literal is safe in both cases.
        if ((rules & LiteralRules.UncertainMode) != 0 && scanned.DependsOnMode)
            throw new MySqlException(MySqlErrorCode.None, "The places of the parameters in the statement are not certain: it has a quote after a backslash, "
                + "and after a procedure call the driver does not know whether sql_mode has NO_BACKSLASH_ESCAPES or ANSI_QUOTES. Double the quotes ('') in "
                + "its strings instead, or execute SET sql_mode = @@sql_mode first.");
        if ((rules & LiteralRules.ForeignCharacters) != 0 && scanned.DependsOnCharacters)
            throw new MySqlException(MySqlErrorCode.None, "The places of the parameters in the statement are not certain: character_set_client may not be "
                + "utf8mb4, and in another character set a backslash, backtick or @ can be the second half of a character. Execute SET NAMES utf8mb4 first.");
        if (scanned.ChangesOwnPlaces)
            throw new MySqlException(MySqlErrorCode.None, "The places of the parameters in the statements are not certain: one statement may change sql_mode "
                + "or character_set_client, and a string after it may then end elsewhere. Execute that statement as a separate command, or double the quotes "
                + "('') in the strings instead of escaping them.");
        return scanned.HasSeveralStatements && scanned.MayChangeReading ? rules | LiteralRules.Unknown : rules;
    }

    /// <summary>Writes COM_STMT_EXECUTE with the values, and with types if they are needed.</summary>
    /// <param name="writer">The destination.</param>
    /// <param name="prepared">The prepared statement.</param>
    /// <param name="parameters">The values.</param>
    /// <param name="codecs">The data source's settings for values.</param>
    /// <param name="keepsTypes">Whether to leave out types that are the same as in the last execution. It saves MariaDB 5 to 8 % of an INSERT, and MySQL
    /// nothing.</param>
    /// <param name="attributes">The command's query attributes; null for none.</param>
    public void WriteBinary(
        ByteWriter writer, PreparedStatement prepared, MySqlParameterCollection parameters, CodecSettings codecs, bool keepsTypes,
        MySqlAttributeCollection? attributes = null)
    {
        var at = StatementExecute.Begin(writer, prepared.Id);
        var typesFollow = LongValues is not null || !(keepsTypes && WereSent(prepared, parameters, codecs));
        var bitmap = StatementExecute.BeginParameters(writer, _indexes.Length + (attributes?.Count ?? 0), typesFollow);
        for (var i = 0; typesFollow && i < _indexes.Length; i++)
        {
            var type = TypeOf(parameters[_indexes[i]], codecs);
            prepared.Remember(type, i);
            prepared.Send(type, i);
            StatementExecute.WriteType(writer, type);
        }

        attributes?.WriteTypes(writer, codecs);

        for (var i = 0; i < _indexes.Length; i++)
        {
            var parameter = parameters[_indexes[i]];
            if (parameter.IsNull)
                StatementExecute.SetNull(writer, bitmap, i);
            else if (LongValues is null || !parameter.IsLong)
                parameter.WriteBinary(writer, codecs);
        }

        attributes?.WriteValues(writer, bitmap, _indexes.Length, codecs);
        writer.End(at);
        // Set only now: if one of the values cannot be written, the whole command is removed from the buffer.
        if (typesFollow)
            prepared.Sent();
    }

    /// <summary>The values that are sent before the execution; null for none.</summary>
    public LongValue[]? LongValues { get; private set; }

    /// <summary>Finds the values that are sent in pieces, for one execution.</summary>
    /// <exception cref="NotSupportedException">A Stream or TextReader is used at two places of the statement.</exception>
    public LongValue[]? FindLongValues(MySqlParameterCollection parameters)
    {
        LongValues = null;
        for (var i = 0; i < _indexes.Length; i++)
        {
            if (parameters[_indexes[i]].LongPieces() is not { } pieces)
                continue;
            if (Array.IndexOf(_indexes, _indexes[i]) < i)
                throw new NotSupportedException($"The parameter '{parameters[_indexes[i]].ParameterName}' occurs twice in the statement, but a Stream or "
                    + "TextReader can be read only once: use two parameters.");
            LongValues = [.. LongValues ?? [], new(i, pieces)];
        }

        return LongValues;
    }

    private ushort TypeOf(MySqlParameter parameter, CodecSettings codecs) =>
        LongValues is not null && parameter.IsLong ? parameter.LongType : parameter.WireType(codecs);

    private bool WereSent(PreparedStatement prepared, MySqlParameterCollection parameters, CodecSettings codecs)
    {
        for (var i = 0; i < _indexes.Length; i++)
        {
            if (!prepared.WasSent(parameters[_indexes[i]].WireType(codecs), i))
                return false;
        }

        return true;
    }

    /// <summary>Whether the values mean the same as in a text if the driver executes a statement that it prepared on its own account.</summary>
    public bool KeepsMeaning(MySqlStatement statement, PreparedStatement prepared, MySqlParameterCollection parameters, CodecSettings codecs) =>
        statement.Settled is { } settled ? Fits(settled, parameters, codecs) : IsTakenBy(prepared, parameters, codecs);

    /// <summary>
    /// Whether the parameters that are row counts are non-negative integers. The server refuses a text with other values, but accepts them for a prepared
    /// statement.
    /// </summary>
    public bool AreCounts(ReadOnlySpan<int> counts, MySqlParameterCollection parameters)
    {
        foreach (var place in counts)
        {
            if (!parameters[_indexes[place]].IsCount)
                return false;
        }

        return true;
    }

    /// <summary>Whether values of these types have the same meaning in the binary protocol as their literals have in a text.</summary>
    public bool Fits(SettledTypes settled, MySqlParameterCollection parameters, CodecSettings codecs)
    {
        for (var i = 0; i < _indexes.Length; i++)
        {
            if (!settled.Takes(parameters[_indexes[i]].WireType(codecs), i))
                return false;
        }

        return true;
    }

    /// <summary>Whether the server, which may have settled the types of the parameters, treats the values according to their own types.</summary>
    public bool IsTakenBy(PreparedStatement prepared, MySqlParameterCollection parameters, CodecSettings codecs)
    {
        for (var i = 0; i < _indexes.Length; i++)
        {
            if (!prepared.Takes(parameters[_indexes[i]].WireType(codecs), i))
                return false;
        }

        return true;
    }

    /// <summary>Checks that each value can be written, before the driver sends PREPARE.</summary>
    /// <exception cref="NotSupportedException">The driver cannot send values of this type.</exception>
    public void Check(MySqlParameterCollection parameters, CodecSettings codecs)
    {
        foreach (var index in _indexes)
            TypeOf(parameters[index], codecs);
    }
}
