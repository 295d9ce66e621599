using System.Data;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Statements;
using Slipstream.PostgreSql.Conversations;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Sessions;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql;

/// <summary>
/// How a text and its parameters become messages: for each statement Parse (unless it is prepared), Bind, Describe (unless its columns are known), Execute.
/// A part of a command and of a batch's command, with what it found out last time.
/// </summary>
internal struct StatementEncoder
{
    private PgStatement? _mappedStatement;
    private int _mappedShape;
    private int[]? _mapping;
    private uint[]? _types;
    private PgParameterCollection? _parameters;
    private bool _hasOutputs;

    public readonly bool HasParameters => _parameters is not null;

    public PgParameterCollection Parameters => _parameters ??= new();

    /// <summary>Whether a parameter is to be filled from the first row.</summary>
    public readonly bool HasOutputs => _hasOutputs;

    private readonly ParameterNaming Naming => _parameters?.Naming ?? ParameterNaming.None;

    /// <summary>The text as the data source knows it.</summary>
    public readonly PgStatement Find(PgDataSource source, string text, CommandType type) =>
        type == CommandType.Text ? source.StatementFor(text, Naming) : source.StatementFor(Call(text, type), ParameterNaming.None);

    /// <summary>Appends the messages of all the statements of a text, and says what will be answered.</summary>
    /// <param name="session">Gets them.</param>
    /// <param name="statement">The text; <see cref="Map"/> has seen it.</param>
    /// <param name="prepared">As it is, or will be, prepared in the session; null when it is not.</param>
    /// <param name="executes">False: only the columns are asked for.</param>
    /// <param name="unnamed">What the session's unnamed statement is.</param>
    public void Write(PgSession session, PgStatement statement, PreparedStatement? prepared, bool executes, ref UnnamedStatement unnamed)
    {
        for (var i = 0; i < statement.Parts.Length; i++)
        {
            if (executes)
                WriteExecution(session, statement.Parts[i], prepared?.Parts[i], ref unnamed);
            else
                WriteDescription(session, statement.Parts[i]);
        }
    }

    private void WriteExecution(PgSession session, StatementPart part, PreparedPart? prepared, ref UnnamedStatement unnamed)
    {
        var writer = session.Wire.Out;
        var (exchange, begin) = (session.Results, writer.Length);
        ReadOnlySpan<byte> name = prepared is null ? [] : prepared.Name;
        var parses = prepared is null ? !unnamed.Is(part, Types(part)) : !prepared.IsParsed && !prepared.IsBeingParsed;
        var mayBeStale = prepared is not null && !parses && MayBeStale(session, part, prepared);
        var closes = mayBeStale && (exchange.WhenStale == WhenStale.Avoided || HasValueToReadOnce);
        parses |= closes;
        var describes = closes || prepared is null or { IsDescribed: false } or { IsBeingParsed: true };
        if (closes)
            Protocol.Commands.Close.Statement(writer, name);                               // C: Close
        if (parses)
            Parse.Write(writer, name, part.Sql, prepared?.ParameterTypes ?? Types(part));  // C: Parse

        var start = BeginBind(writer, name, part);                                         // C: Bind
        foreach (var place in part.Places)
        {
            var parameter = Parameter(place);
            if (IsNull(parameter))
                Bind.Null(writer);
            else
                parameter.Write(writer, parameter.TypeOid);
        }

        if (!parses && !exchange.Remember(writer, start) && mayBeStale)
        {
            // Too long to be kept for asking again, so that an error would be the caller's.
            writer.Truncate(begin);
            exchange.WhenStale = WhenStale.Avoided;
            WriteExecution(session, part, prepared, ref unnamed);
            return;
        }

        EndBind(writer, start, part, describes ? null : prepared);
        if (describes)
            Describe.Portal(writer);                                                       // C: Describe
        Execute.Write(writer);                                                             // C: Execute
        exchange.Expect(part, prepared, parses, describes, executes: true, closes);
    }

    // Whether an execution may fail that would not if the statement were parsed now: with other columns (0A000), or by what its parameters once were.
    // What has been executed in this transaction has locked its relations until that ends. Without columns, and with types of the client's, the server
    // plans anew what has changed, and says nothing.
    private static bool MayBeStale(PgSession session, StatementPart part, PreparedPart prepared) =>
        session.Results.WhenStale != WhenStale.Told && (part.MayReturnRows || prepared.HasInferredTypes)
        && prepared.LockedIn != session.State.TransactionNumber && prepared.WrittenIn != session.Results.Number && !prepared.IsBeingParsed;

    private void WriteDescription(PgSession session, StatementPart part)
    {
        Parse.Write(session.Wire.Out, [], part.Sql, Types(part));                          // C: Parse
        Describe.Statement(session.Wire.Out, []);                                          // C: Describe
        session.Results.Expect(part, null, parses: true, describes: true, executes: false);
    }

    private readonly int BeginBind(ByteWriter writer, ReadOnlySpan<byte> name, StatementPart part)
    {
        var hasText = false;
        foreach (var place in part.Places)
            hasText |= Parameter(place).IsInferred;
        if (!hasText)
            return Bind.Begin(writer, name, part.Places.Length);
        var formats = new short[part.Places.Length];
        for (var i = 0; i < formats.Length; i++)
            formats[i] = Parameter(part.Places[i]).IsInferred ? Bind.Text : Bind.Binary;
        return Bind.Begin(writer, name, formats);
    }

    // Formats of the result. Known columns of a prepared statement each get their best.
    // Otherwise the columns may change until the statement is parsed, so that there can be only one format for all:
    // binary when the last result had nothing but types with a codec, text when nothing is known.
    private static void EndBind(ByteWriter writer, int start, StatementPart part, PreparedPart? described)
    {
        if (described is null)
            Bind.End(writer, start, part.LastResult is { IsReadableInBinary: true } ? Bind.Binary : Bind.Text);
        else if (described.Result is { } result)
            Bind.End(writer, start, result.Formats);
        else
            Bind.End(writer, start, Bind.Text);
    }

    // ---------------------------------------------------------------- parameters

    /// <summary>Finds which parameter stands where: once for a statement and a list of parameters; a loop that only sets values looks up nothing.</summary>
    /// <param name="statement">The text.</param>
    /// <param name="type">In the call of a procedure, parameters for output have places, too: NULL stands there.</param>
    /// <param name="takesOutputs">False for a command of a batch, whose rows nobody looks at.</param>
    /// <exception cref="InvalidOperationException">A parameter is missing.</exception>
    public void Map(PgStatement statement, CommandType type, bool takesOutputs)
    {
        if (_parameters is null || _parameters.Count == 0)
        {
            if (statement.Names.Length > 0 || HasPlaces(statement))
                throw new InvalidOperationException("The command's text has places for parameters, and its Parameters are empty: add them.");
            _hasOutputs = false;
            return;
        }

        var shape = _parameters.Shape;
        if (ReferenceEquals(statement, _mappedStatement) && shape == _mappedShape && !_hasOutputs)
            return;
        _hasOutputs = FindOutputs(takesOutputs);
        if (type == CommandType.Text && Naming != ParameterNaming.None)
            MapNames(statement);
        else
            MapPlaces(statement, hasOutputs: type != CommandType.Text);
        _mappedStatement = statement;
        _mappedShape = shape;
    }

    private void MapNames(PgStatement statement)
    {
        _mapping = new int[statement.Names.Length];
        for (var i = 0; i < _mapping.Length; i++)
            _mapping[i] = _parameters!.IndexOfBare(statement.Names[i]) is >= 0 and var index
                ? index
                : throw new InvalidOperationException($"The command's text has the parameter '{statement.Names[i]}', and its Parameters do not: add it.");
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
                    throw new InvalidOperationException($"The command's text has the parameter ${place + 1}, and its Parameters have only {_mapping.Length}.");
    }

    private readonly bool FindOutputs(bool takesOutputs)
    {
        var found = false;
        foreach (var parameter in (IEnumerable<PgParameter>)_parameters!)
        {
            if (parameter.Direction == ParameterDirection.ReturnValue || (parameter.Direction == ParameterDirection.Output && !takesOutputs))
                throw new NotSupportedException($"The parameter '{parameter.ParameterName}' is for output only: PostgreSQL returns such values as a result set; read that.");
            found |= parameter.Direction != ParameterDirection.Input;
        }

        return found && takesOutputs;
    }

    private static bool HasPlaces(PgStatement statement)
    {
        foreach (var part in statement.Parts)
            if (part.Places.Length > 0)
                return true;
        return false;
    }

    /// <summary>Whether a value is used up by writing it.</summary>
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

    private ReadOnlySpan<uint> Types(StatementPart part)
    {
        if (_types is null || _types.Length < part.Places.Length)
            _types = new uint[part.Places.Length];
        for (var i = 0; i < part.Places.Length; i++)
            _types[i] = Parameter(part.Places[i]).TypeOid;
        return _types.AsSpan(0, part.Places.Length);
    }

    // ---------------------------------------------------------------- prepared

    // Most combinations of parameter types for which a session keeps a text prepared.
    private const int MostCombinations = 8;

    /// <summary>The statement as the session has prepared it, or is to with this execution.</summary>
    /// <param name="session">Where.</param>
    /// <param name="statement">The text; <see cref="Map"/> has seen it.</param>
    /// <param name="isAsked">The caller wants it prepared.</param>
    /// <returns>Null when it is better executed unprepared.</returns>
    public PreparedStatement? PreparedFor(PgSession session, PgStatement statement, bool isAsked)
    {
        var first = session.Prepared.Find(statement);
        if (first is not null && first.Path != session.State.Path && !(isAsked && first.IsAskedIn(session.Leases.Ended))
            && (session.IsInTransaction || session.Queue.HasPrefixes))
        {
            // With other columns the server would refuse it, and the transaction would be lost by that.
            session.Prepared.Close(statement);
            first = null;
        }

        var combinations = 0;
        for (var known = first; known is not null; known = known.Other)
        {
            if (Fits(known, statement, isAsked))
                return known;

            combinations++;
        }

        // Not prepared here yet, or with other types of parameters: those belong to the statement.
        if (combinations >= MostCombinations)
        {
            if (!isAsked)
                return null;
            session.Prepared.Close(statement);
            first = null;
        }

        var parts = new PreparedPart[statement.Parts.Length];
        for (var i = 0; i < parts.Length; i++)
            parts[i] = new(session.Prepared.NewName(), Types(statement.Parts[i]).ToArray());
        var prepared = new PreparedStatement(parts, session.State.Path);
        if (first is not null)
            (prepared.Other, first.Other) = (first.Other, prepared);
        else
            session.Prepared.Add(statement, prepared);
        return prepared;
    }

    // A NULL without a type fits any in a command that asked to be prepared, as long as that was prepared because somebody asked.
    // Unasked, the types are just those that the server would hear otherwise, so that it sees no difference.
    private readonly bool Fits(PreparedStatement prepared, PgStatement statement, bool isAsked)
    {
        for (var i = 0; i < statement.Parts.Length; i++)
        {
            var places = statement.Parts[i].Places;
            var types = prepared.Parts[i].ParameterTypes;
            for (var at = 0; at < places.Length; at++)
            {
                var parameter = Parameter(places[at]);
                var type = parameter.TypeOid;
                if (type != types[at] && !(type == TypeOid.Unspecified && IsNull(parameter) && isAsked && prepared.IsAsked))
                    return false;
            }
        }

        return true;
    }

    // ---------------------------------------------------------------- procedures and tables

    internal const string NameQuotes = "\"";

    private readonly string Call(string name, CommandType type)
    {
        Names.CheckedQualified(name, NameQuotes, type == CommandType.TableDirect ? "table's name" : "stored procedure's name", "CommandText");
        if (type == CommandType.TableDirect)
            return $"SELECT * FROM {name}";
        var text = new StringBuilder("CALL ").Append(name).Append('(');
        for (var i = 0; i < (_parameters?.Count ?? 0); i++)
        {
            text.Append(i > 0 ? ", " : "");
            // In quotes whatever it is: what is more than a name would be executed.
            var argument = Names.Checked(_parameters![i].BareName.ToString(), "parameter's name", "Parameters");
            if (argument.Length > 0)
                text.Append('"').Append(argument.Replace("\"", "\"\"", StringComparison.Ordinal)).Append("\" => ");
            text.Append('$').Append(i + 1);
        }

        return text.Append(')').ToString();
    }
}

/// <summary>The session's unnamed statement, while a batch is written: the same text with the same types need not be parsed again.</summary>
internal ref struct UnnamedStatement
{
    private StatementPart? _part;
    private ReadOnlySpan<uint> _types;

    /// <summary>Whether it is this one. If not, it will be: the caller parses it.</summary>
    public bool Is(StatementPart part, ReadOnlySpan<uint> types)
    {
        if (ReferenceEquals(part, _part) && types.SequenceEqual(_types))
            return true;
        _part = part;
        _types = types;
        return false;
    }
}
