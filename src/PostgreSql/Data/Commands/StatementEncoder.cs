using System.Data;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Statements;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Sessions;
using Slipstream.PostgreSql.Statements;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql;

/// <summary>
/// Encodes a text and its parameters. The messages for each statement are Parse (unless it is prepared), Bind, Describe (unless its columns are known) and
/// Execute. Each command and each command of a batch has an encoder, which caches the mapping of its parameters.
/// </summary>
internal struct StatementEncoder
{
    private PgStatement? _mappedStatement;
    private int _mappedShape;
    private int[]? _mapping;
    private uint[]? _types;
    private PgParameterCollection? _parameters;
    private bool _hasOutputs;

    /// <summary>Gets or sets whether all columns of the results are requested as text.</summary>
    public bool RequestsText { readonly get; set; }

    public readonly bool HasParameters => _parameters is not null;

    public PgParameterCollection Parameters => _parameters ??= new();

    /// <summary>Gets whether the first row provides the value of a parameter.</summary>
    public readonly bool HasOutputs => _hasOutputs;

    private readonly ParameterNaming Naming => _parameters?.Naming ?? ParameterNaming.None;

    /// <summary>Returns the data source's scanned form of the text.</summary>
    public readonly PgStatement Find(PgDataSource source, string text, CommandType type) =>
        type == CommandType.Text ? source.StatementFor(text, Naming) : source.StatementFor(Call(text, type), ParameterNaming.None);

    /// <summary>Writes the messages of all statements of a text, and records the expected answers.</summary>
    /// <param name="session">The session to write to.</param>
    /// <param name="statement">The text, after a call of <see cref="Map"/>.</param>
    /// <param name="prepared">Its prepared form in the session, which may still be pending; null if there is none.</param>
    /// <param name="executes">False to request only the columns.</param>
    /// <param name="unnamed">The session's unnamed statement.</param>
    public void Write(PgSession session, PgStatement statement, PreparedStatement? prepared, bool executes, ref UnnamedStatement unnamed)
    {
        for (var i = 0; i < statement.Parts.Length; i++)
        {
            if (executes)
                WriteExecution(session, statement.Parts[i], prepared?.Parts[i], prepared?.WasRequestedIn(session.Leases.Ended) == true, ref unnamed);
            else
                WriteDescription(session, statement.Parts[i]);
        }
    }

    private void WriteExecution(PgSession session, StatementPart part, PreparedPart? prepared, bool isAsked, ref UnnamedStatement unnamed)
    {
        var writer = session.Wire.Out;
        var (exchange, begin) = (session.Results, writer.Length);
        var isShared = prepared is not null && session.State.IsBehindPooler && MayChange(part, prepared) && !IsLocked(session, prepared);
        var isOfPooler = isShared && !IsWritten(session, prepared!);
        if (isOfPooler && !isAsked && (exchange.WhenStale == WhenStale.Avoided || HasValueToReadOnce))
        {
            // The pooler would answer another Parse of the text itself, so that only the unnamed statement is certainly new.
            WriteExecution(session, part, null, isAsked, ref unnamed);
            return;
        }

        ReadOnlySpan<byte> name = prepared is null ? [] : prepared.Name;
        var types = prepared is null ? Types(session, part) : prepared.ParameterTypes;
        var parses = prepared is null ? !unnamed.Is(part, types) : !prepared.IsParsed && !prepared.IsBeingParsed;
        var mayBeStale = prepared is not null && !parses && MayBeStale(session, part, prepared);
        var closes = mayBeStale && (exchange.WhenStale == WhenStale.Avoided || HasValueToReadOnce);
        parses |= closes;
        var describes = closes || isShared || prepared is null or { IsDescribed: false } or { IsBeingParsed: true }
            || (prepared.Result is { } result && !ReferenceEquals(result.Types, session.State.Types));
        if (closes)
            Protocol.Commands.Close.Statement(writer, name);                               // C: Close
        if (parses)
            Parse.Write(writer, name, part.Sql, types);                             // C: Parse

        var start = BeginBind(writer, name, part);                                         // C: Bind
        foreach (var place in part.Places)
        {
            var parameter = Parameter(place);
            if (IsNull(parameter))
                Bind.Null(writer);
            else
                parameter.Write(writer, parameter.TypeOid(session.State.Types), session.State.Types);
        }

        if ((!parses || isOfPooler) && !exchange.Remember(writer, start) && (mayBeStale || isOfPooler) && exchange.WhenStale == WhenStale.Repeated)
        {
            // The message is too long to keep for a repetition, so the caller would get the error.
            writer.Truncate(begin);
            exchange.WhenStale = WhenStale.Avoided;
            WriteExecution(session, part, prepared, isAsked, ref unnamed);
            return;
        }

        var hash = !describes ? 0 : prepared is null ? ParameterTypesHash.Of(types) : prepared.TypesHash;
        if (RequestsText)
            Bind.End(writer, start, Bind.Text);
        else if (describes)
            Bind.End(writer, start, PredictedFormat(part.PredictResult(hash), session.State.Types));
        else
            EndBind(writer, start, prepared!);
        if (describes)
            Describe.Portal(writer);                                                       // C: Describe
        Execute.Write(writer);                                                             // C: Execute
        exchange.Expect(part, prepared, parses, describes, executes: true, closes, hash);
    }

    // Returns true if a statement that was prepared before this execution may have to be parsed anew. A pooler may run each transaction in another session of
    // the server, which does not have the statement.
    private static bool MayBeStale(PgSession session, StatementPart part, PreparedPart prepared) =>
        session.Results.WhenStale != WhenStale.Reported && (MayChange(part, prepared) || session.State.IsBehindPooler)
        && !IsLocked(session, prepared) && !IsWritten(session, prepared) && !prepared.IsBeingParsed;

    // Returns true if an execution may fail although the statement would succeed if it were parsed now: because of other columns (0A000), or because of the
    // types that its parameters had. If a statement has no columns and the client set all types, the server plans it again after a change and reports no error.
    private static bool MayChange(StatementPart part, PreparedPart prepared) => part.MayReturnRows || prepared.HasInferredTypes;

    // A statement that was executed in this transaction has locked its relations until the end.
    private static bool IsLocked(PgSession session, PreparedPart prepared) => prepared.LockedIn == session.State.TransactionNumber;

    private static bool IsWritten(PgSession session, PreparedPart prepared) => prepared.WrittenIn == session.Results.Number;

    private void WriteDescription(PgSession session, StatementPart part)
    {
        var types = Types(session, part);
        Parse.Write(session.Wire.Out, [], part.Sql, types);                                // C: Parse
        Describe.Statement(session.Wire.Out, []);                                          // C: Describe
        session.Results.Expect(part, null, parses: true, describes: true, executes: false, parameterTypes: ParameterTypesHash.Of(types));
    }

    private readonly int BeginBind(ByteWriter writer, ReadOnlySpan<byte> name, StatementPart part)
    {
        var hasText = false;
        foreach (var place in part.Places)
            hasText |= Parameter(place).IsSentAsText;
        if (!hasText)
            return Bind.Begin(writer, name, part.Places.Length);
        var formats = new short[part.Places.Length];
        for (var i = 0; i < formats.Length; i++)
            formats[i] = Parameter(part.Places[i]).IsSentAsText ? Bind.Text : Bind.Binary;
        return Bind.Begin(writer, name, formats);
    }

    // The columns may change before the statement is parsed, so all columns must have the same format:
    // binary if all types in the predicted result have a codec, text if there is no prediction or it has another type.
    private static short PredictedFormat(ResultMetadata? predicted, TypeCatalogue types) =>
        predicted is { IsReadableInBinary: true } && ReferenceEquals(predicted.Types, types) ? Bind.Binary : Bind.Text;

    // The columns of a prepared statement are known, so each gets its best format.
    private static void EndBind(ByteWriter writer, int start, PreparedPart described)
    {
        if (described.Result is { } result)
            Bind.End(writer, start, result.Formats);
        else
            Bind.End(writer, start, Bind.Text);
    }

    // ---------------------------------------------------------------- parameters

    /// <summary>Maps the parameters to their positions in the text. The mapping is cached, so a loop that only sets values needs no lookup.</summary>
    /// <param name="statement">The text.</param>
    /// <param name="type">In a procedure call, output parameters have positions, too; their value is NULL.</param>
    /// <exception cref="InvalidOperationException">A parameter is missing.</exception>
    public void Map(PgStatement statement, CommandType type)
    {
        if (_parameters is null || _parameters.Count == 0)
        {
            if (statement.Names.Length > 0 || HasPlaces(statement))
                throw new InvalidOperationException("The command's text has placeholders, but its Parameters collection is empty: add the parameters.");
            _hasOutputs = false;
            return;
        }

        var shape = _parameters.Shape;
        if (ReferenceEquals(statement, _mappedStatement) && shape == _mappedShape && !_hasOutputs)
            return;
        _hasOutputs = FindOutputs();
        if (type == CommandType.Text && Naming != ParameterNaming.None)
            MapNames(statement);
        else
            MapPlaces(statement, hasOutputs: type != CommandType.Text && !SelectsFunctions);
        _mappedStatement = statement;
        _mappedShape = shape;
    }

    private void MapNames(PgStatement statement)
    {
        _mapping = new int[statement.Names.Length];
        for (var i = 0; i < _mapping.Length; i++)
            _mapping[i] = _parameters!.IndexOfBare(statement.Names[i]) is >= 0 and var index
                ? index
                : throw new InvalidOperationException($"The command's text has the parameter '{statement.Names[i]}', but its Parameters collection does not: "
                    + "add it.");
    }

    private void MapPlaces(PgStatement statement, bool hasOutputs)
    {
        var mapping = new List<int>(_parameters!.Count);
        for (var i = 0; i < _parameters.Count; i++)
            if (hasOutputs || _parameters[i].Direction != ParameterDirection.Output)
                mapping.Add(i);
        _mapping = [.. mapping];
        foreach (var part in statement.Parts)
            foreach (var place in part.Places)
                if ((uint)place >= (uint)_mapping.Length)
                    throw new InvalidOperationException($"The command's text has the parameter ${place + 1}, but its Parameters collection has only "
                        + $"{_mapping.Length}: "
                        + "add the missing ones.");
    }

    private readonly bool FindOutputs()
    {
        var found = false;
        foreach (var parameter in (IEnumerable<PgParameter>)_parameters!)
        {
            if (parameter.Direction == ParameterDirection.ReturnValue)
                throw new NotSupportedException($"The parameter '{parameter.ParameterName}' is a return value, which PostgreSQL does not have: use "
                    + "ParameterDirection.Output, or read the value of the function with ExecuteScalar.");
            found |= parameter.Direction != ParameterDirection.Input;
        }

        return found;
    }

    private static bool HasPlaces(PgStatement statement)
    {
        foreach (var part in statement.Parts)
            if (part.Places.Length > 0)
                return true;
        return false;
    }

    /// <summary>Gets whether a value can be written only once.</summary>
    public readonly bool HasValueToReadOnce
    {
        get
        {
            for (var i = 0; i < (_parameters?.Count ?? 0); i++)
                if (_parameters![i].IsReadOnce)
                    return true;
            return false;
        }
    }

    private readonly PgParameter Parameter(int place) => _parameters![_mapping![place]];

    private readonly bool IsNull(PgParameter parameter) => parameter.IsNull || (_hasOutputs && parameter.Direction == ParameterDirection.Output);

    private ReadOnlySpan<uint> Types(PgSession session, StatementPart part)
    {
        if (_types is null || _types.Length < part.Places.Length)
            _types = new uint[part.Places.Length];
        var types = session.State.Types;
        for (var i = 0; i < part.Places.Length; i++)
            _types[i] = Parameter(part.Places[i]).TypeOid(types);
        return _types.AsSpan(0, part.Places.Length);
    }

    // ---------------------------------------------------------------- prepared

    // The most combinations of parameter types for which a session keeps a text prepared.
    private const int MaxCombinations = 8;

    /// <summary>Returns the statement that the session has prepared, or that this execution prepares.</summary>
    /// <param name="session">The session.</param>
    /// <param name="statement">The text, after a call of <see cref="Map"/>.</param>
    /// <param name="isAsked">True if the caller requested the preparation.</param>
    /// <returns>Null if an execution without preparation is better.</returns>
    public PreparedStatement? PreparedFor(PgSession session, PgStatement statement, bool isAsked)
    {
        if (statement.IsKeptByPooler)
            return null;
        var first = session.Prepared.Find(statement);
        if (first is not null && first.Path != session.State.Path && !(isAsked && first.WasRequestedIn(session.Leases.Ended))
            && (session.IsInTransaction || session.Queue.HasPrefixes))
        {
            // With other columns, the server would reject the statement, and the transaction would fail.
            session.Prepared.Close(statement);
            first = null;
        }

        var combinations = 0;
        for (var known = first; known is not null; known = known.Other)
        {
            if (Fits(session, known, statement, isAsked))
                return known;

            combinations++;
        }

        // The session has not prepared the text, or only with other parameter types, which make it another statement.
        if (combinations >= MaxCombinations)
        {
            if (!isAsked)
                return null;
            session.Prepared.Close(statement);
            first = null;
        }

        var parts = new PreparedPart[statement.Parts.Length];
        for (var i = 0; i < parts.Length; i++)
            parts[i] = new(session.Prepared.NewName(), Types(session, statement.Parts[i]).ToArray());
        var prepared = new PreparedStatement(parts, session.State.Path);
        if (first is not null)
            (prepared.Other, first.Other) = (first.Other, prepared);
        else
            session.Prepared.Add(statement, prepared);
        return prepared;
    }

    // If the caller requested the preparation, both of the prepared statement and now, a NULL without a type matches any type. Without a request, the types
    // must be those that an unprepared execution would send, so that the server sees no difference.
    private readonly bool Fits(PgSession session, PreparedStatement prepared, PgStatement statement, bool isAsked)
    {
        for (var i = 0; i < statement.Parts.Length; i++)
        {
            var places = statement.Parts[i].Places;
            var types = prepared.Parts[i].ParameterTypes;
            for (var at = 0; at < places.Length; at++)
            {
                var parameter = Parameter(places[at]);
                var type = parameter.TypeOid(session.State.Types);
                if (type != types[at] && !(type == TypeOid.Unspecified && IsNull(parameter) && isAsked && prepared.IsAsked))
                    return false;
            }
        }

        return true;
    }

    // ---------------------------------------------------------------- procedures and tables

    /// <summary>The switch with which a stored procedure's name is that of a function, as before Npgsql 7.</summary>
    internal const string FunctionSwitch = "Slipstream.PostgreSql.EnableStoredProcedureCompatMode";

    private static bool SelectsFunctions => AppContext.TryGetSwitch(FunctionSwitch, out var isOn) && isOn;

    internal const string NameQuotes = "\"";

    private readonly string Call(string name, CommandType type)
    {
        Names.CheckedQualified(name, NameQuotes, type == CommandType.TableDirect ? "table's name" : "stored procedure's name", "CommandText");
        if (type == CommandType.TableDirect)
            return $"SELECT * FROM {name}";
        var selects = SelectsFunctions;
        var text = new StringBuilder(selects ? "SELECT * FROM " : "CALL ").Append(name).Append('(');
        var places = 0;
        for (var i = 0; i < (_parameters?.Count ?? 0); i++)
        {
            if (selects && _parameters![i].Direction == ParameterDirection.Output)
                continue;
            text.Append(places++ > 0 ? ", " : "");
            // The name is always quoted, because SQL in it would otherwise be executed.
            var argument = Names.Checked(_parameters![i].BareName.ToString(), "parameter's name", "Parameters");
            if (argument.Length > 0)
                text.Append('"').Append(argument.Replace("\"", "\"\"", StringComparison.Ordinal)).Append("\" => ");
            text.Append('$').Append(places);
        }

        return text.Append(')').ToString();
    }
}

/// <summary>The session's unnamed statement while a batch is written. The same text with the same types is not parsed again.</summary>
internal ref struct UnnamedStatement
{
    private StatementPart? _part;
    private ReadOnlySpan<uint> _types;

    /// <summary>Returns true if it is this statement. Otherwise it becomes this statement, which the caller must parse.</summary>
    public bool Is(StatementPart part, ReadOnlySpan<uint> types)
    {
        if (ReferenceEquals(part, _part) && types.SequenceEqual(_types))
            return true;
        _part = part;
        _types = types;
        return false;
    }
}
