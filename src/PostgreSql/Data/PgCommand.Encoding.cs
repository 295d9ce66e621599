using System.Data;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Sessions;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql;

// How a command becomes messages: for each statement Parse (unless it is prepared), Bind, Describe (unless its columns are known), Execute; then one Sync.
public sealed partial class PgCommand
{
    private PgStatement? _mappedStatement;
    private int _mappedShape;
    private int[] _mapping = [];
    private uint[] _types = [];

    protected override void Encode(Session session, Goal goal, CommandBehavior behavior, ScalarTarget? scalar)
    {
        var pg = (PgSession)session;
        var named = _parameters is { HasNames: true };
        var statement = Connection!.PgSource.StatementFor(CommandType == CommandType.Text ? CommandText : Call(named), named);
        Map(statement);
        var executes = (behavior & CommandBehavior.SchemaOnly) == 0;
        var prepared = statement.Slot >= 0 && executes && (IsPreparedByUser || pg.AutoPreparation.Wants(statement)) ? PreparedFor(pg, statement) : null;

        var exchange = pg.Results;
        var closes = pg.WriteCloses();
        exchange.Prepare(statement);
        for (var i = 0; i < statement.Parts.Length; i++)
        {
            var part = statement.Parts[i];
            if (executes)
                WriteExecution(pg, part, prepared?.Parts[i]);
            else
                WriteDescription(pg, part);
        }

        pg.Wire.IsAnsweredEarly = statement.Parts.Length > 1;
        Sync.Write(pg.Wire.Out);                                     // C: Sync
        pg.ClosesWritten();
        exchange.Begin(goal, scalar, closes, (behavior & CommandBehavior.SequentialAccess) != 0);
        pg.Queue.Begin(exchange);
    }

    private void WriteExecution(PgSession session, StatementPart part, PreparedPart? prepared)
    {
        var writer = session.Wire.Out;
        ReadOnlySpan<byte> name = prepared is null ? [] : prepared.Name;
        var parses = prepared is null or { IsParsed: false };
        var describes = prepared is null or { IsDescribed: false };
        if (parses)
            Parse.Write(writer, name, part.Sql, prepared?.ParameterTypes ?? Types(part));  // C: Parse

        var start = BeginBind(writer, name, part);                                         // C: Bind
        foreach (var place in part.Places)
        {
            var parameter = Parameter(place);
            if (parameter.IsNull)
                Bind.Null(writer);
            else
                parameter.Write(writer, parameter.TypeOid);
        }

        if (!parses && !writer.HasGathered)
            session.Results.Remember(writer.Written[start..]);
        EndBind(writer, start, part, describes ? null : prepared);
        if (describes)
            Describe.Portal(writer);                                                       // C: Describe
        Execute.Write(writer);                                                             // C: Execute
        session.Results.Expect(part, prepared, parses, describes, executes: true);
    }

    private void WriteDescription(PgSession session, StatementPart part)
    {
        Parse.Write(session.Wire.Out, [], part.Sql, Types(part));                          // C: Parse
        Describe.Statement(session.Wire.Out, []);                                          // C: Describe
        session.Results.Expect(part, null, parses: true, describes: true, executes: false);
    }

    private int BeginBind(ByteWriter writer, ReadOnlySpan<byte> name, StatementPart part)
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

    // Formats of the result. Known columns of a prepared statement each get their best. Otherwise the columns may change until the statement is parsed, so that there
    // can be only one format for all: binary when the last result had nothing but types with a codec, text when nothing is known.
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

    // Names are looked up once for a statement and a list of parameters; a loop that only sets values looks up nothing.
    private void Map(PgStatement statement)
    {
        if (_parameters is null || _parameters.Count == 0)
        {
            if (statement.Names.Length > 0 || HasPlaces(statement))
                throw new InvalidOperationException("The command has places for parameters, and no parameters.");
            return;
        }

        var shape = _parameters.Shape;
        if (ReferenceEquals(statement, _mappedStatement) && shape == _mappedShape)
            return;
        if (_parameters.HasNames)
        {
            _mapping = new int[statement.Names.Length];
            for (var i = 0; i < _mapping.Length; i++)
                _mapping[i] = _parameters.IndexOfBare(statement.Names[i]) is >= 0 and var index
                    ? index
                    : throw new InvalidOperationException($"The command's text has the parameter '{statement.Names[i]}', and its Parameters do not: add it.");
        }
        else
        {
            _mapping = new int[_parameters.Count];
            for (var i = 0; i < _mapping.Length; i++)
                _mapping[i] = i;
            foreach (var part in statement.Parts)
                foreach (var place in part.Places)
                    if ((uint)place >= (uint)_mapping.Length)
                        throw new InvalidOperationException($"The command's text has the parameter ${place + 1}, and its Parameters have only {_mapping.Length}.");
        }

        foreach (var parameter in (IEnumerable<PgParameter>)_parameters)
            if (parameter.Direction is not (ParameterDirection.Input or ParameterDirection.InputOutput))
                throw new NotSupportedException($"The parameter '{parameter.ParameterName}' is for output only: PostgreSQL returns such values as a result set; read that.");
        _mappedStatement = statement;
        _mappedShape = shape;
    }

    private static bool HasPlaces(PgStatement statement)
    {
        foreach (var part in statement.Parts)
            if (part.Places.Length > 0)
                return true;
        return false;
    }

    private PgParameter Parameter(int place) => _parameters![_mapping[place]];

    private ReadOnlySpan<uint> Types(StatementPart part)
    {
        if (_types.Length < part.Places.Length)
            _types = new uint[part.Places.Length];
        for (var i = 0; i < part.Places.Length; i++)
            _types[i] = Parameter(part.Places[i]).TypeOid;
        return _types.AsSpan(0, part.Places.Length);
    }

    // ---------------------------------------------------------------- prepared

    // Most combinations of parameter types for which a session keeps a text prepared.
    private const int MostCombinations = 8;

    // Null when it is better executed unprepared.
    private PreparedStatement? PreparedFor(PgSession session, PgStatement statement)
    {
        var first = session.Prepared.Find(statement);
        var combinations = 0;
        for (var known = first; known is not null; known = known.Other)
        {
            if (Fits(known, statement))
                return known;
            combinations++;
        }

        // Not prepared here yet, or with other types of parameters: those belong to the statement.
        if (combinations >= MostCombinations)
        {
            if (!IsPreparedByUser)
                return null;
            session.CloseLater(session.Prepared.Remove(statement)!);
            first = null;
        }

        var parts = new PreparedPart[statement.Parts.Length];
        for (var i = 0; i < parts.Length; i++)
            parts[i] = new(session.NewStatementName(), Types(statement.Parts[i]).ToArray());
        var prepared = new PreparedStatement(parts);
        if (first is not null)
            (prepared.Other, first.Other) = (first.Other, prepared);
        else if (session.Prepared.Add(statement, prepared) is { } evicted)
            session.CloseLater(evicted);
        return prepared;
    }

    // A NULL without a type fits any in a command that asked to be prepared. Unasked, the types are just those that the server would hear otherwise, so that it sees no difference.
    private bool Fits(PreparedStatement prepared, PgStatement statement)
    {
        for (var i = 0; i < statement.Parts.Length; i++)
        {
            var places = statement.Parts[i].Places;
            var types = prepared.Parts[i].ParameterTypes;
            for (var at = 0; at < places.Length; at++)
            {
                var type = Parameter(places[at]).TypeOid;
                if (type != types[at] && !(type == TypeOid.Unspecified && IsPreparedByUser))
                    return false;
            }
        }

        return true;
    }

    // ---------------------------------------------------------------- procedures and tables

    private string Call(bool named)
    {
        if (CommandType == CommandType.TableDirect)
            return $"SELECT * FROM {CommandText}";
        var text = new StringBuilder("CALL ").Append(CommandText).Append('(');
        for (var i = 0; i < (_parameters?.Count ?? 0); i++)
        {
            text.Append(i > 0 ? ", " : "");
            if (named)
                text.Append(_parameters![i].BareName).Append(" => @").Append(_parameters[i].BareName);
            else
                text.Append('$').Append(i + 1);
        }

        return text.Append(')').ToString();
    }
}
