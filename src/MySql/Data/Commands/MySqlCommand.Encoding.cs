using System.Data;
using Slipstream.Core.Conversations;
using Slipstream.Core.Sessions;
using Slipstream.Core.Statements;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.State;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

// Encodes a command as requests: a text, the execution of a prepared statement, PREPARE and execution together, or the call of a procedure.
public sealed partial class MySqlCommand : IExecution
{
    /// <inheritdoc/>
    private protected override void Encode(Session session, Goal goal, CommandBehavior behavior, ScalarTarget? scalar)
    {
        var own = (MySqlSession)session;
        if (CommandType == CommandType.StoredProcedure)
        {
            own.Procedure.Begin(Call, goal, scalar);
            own.Procedure.HidesRows = (behavior & CommandBehavior.SchemaOnly) != 0;
            own.Queue.Begin(own.Procedure);
            return;
        }

        var statement = StatementOf();
        var streams = (behavior & CommandBehavior.SequentialAccess) != 0 && !ThisAssembly.Conventions.IgnoresSequentialAccess;
        // PREPARE does not describe several statements or a CALL. The driver executes them and hides their rows, as MySqlConnector does.
        var hidesRows = (behavior & CommandBehavior.SchemaOnly) != 0;
        var onlyDescribes = hidesRows && Scan(own, statement) is { HasSeveralStatements: false, Kind: not StatementKind.Call and var kind }
            && (!ThisAssembly.Conventions.ExecutesForSchema || kind is StatementKind.Select or StatementKind.With or StatementKind.Show);
        if (onlyDescribes || (IsWantedPrepared(own, statement) && !statement.IsNotPreparable && statement.Slot >= 0))
            EncodePrepared(own, statement, goal, scalar, streams, onlyDescribes, isAutomatic: false);
        else if (own.AutoPrepare.IsOn && !statement.StaysText && statement.Slot >= 0 && PreparesItself(own, statement))
            EncodePrepared(own, statement, goal, scalar, streams, onlyDescribes: false, isAutomatic: true);
        else
            EncodeText(own, statement, goal, scalar, streams);
        own.Results.HidesRows = hidesRows;
        own.Queue.Begin(own.Results);
    }

    Preparation IExecution.PrepareAgain(SessionContext session)
    {
        var preparation = new Preparation(session, Scan((MySqlSession)session.Host, _statement!), session.State.Codecs, readsParameters: false);
        preparation.Result.IsByUser = IsPreparedByUser;
        return preparation;
    }

    void IExecution.EncodeExecution(SessionContext session, PreparedStatement prepared) =>
        EncodeExecution((MySqlSession)session.Host, prepared, Scan((MySqlSession)session.Host, _statement!));

    LongValue[]? IExecution.LongValues => _binding?.LongValues;

    void IExecution.EncodeText(SessionContext session)
    {
        // A CALL that cannot be prepared stores its output parameters in user variables.
        if (CommandType == CommandType.StoredProcedure && Call.SelectingTextInstead() is { } text)
            Take(text);
        var own = (MySqlSession)session.Host;
        EncodeText(own, Scan(own, _statement!));
    }

    /// <summary>Appends the call of a procedure, and begins its answer in the session's inner exchange.</summary>
    internal void EncodeCall(MySqlSession session, string text, bool prepares)
    {
        var statement = Take(text);
        if (prepares && !statement.IsNotPreparable && statement.Slot >= 0)
            EncodePrepared(session, statement, Goal.Rows, null, streams: false, onlyDescribes: false, isAutomatic: false);
        else
        {
            var at = session.Wire.Out.TotalLength;
            ((IExecution)this).EncodeText(session.Context);
            session.Results.BeginQuery(_statement!, session.Wire.Out.TotalLength - at, Goal.Rows, null, streams: false);
        }
    }

    // MySqlConnector executes what one command has prepared for each command of the same text.
    private bool IsWantedPrepared(MySqlSession session, MySqlStatement statement) =>
        IsPreparedByUser || (ThisAssembly.Conventions.PreparesAtOnce && session.Prepared.Find(statement) is { IsByUser: true });

    private CodecSettings CodecsFor(MySqlSession session, PreparedStatement prepared) =>
        IsPreparedByUser || prepared.IsByUser ? MySqlSource.PreparedCodecs : session.State.Codecs;

    private MySqlStatement Take(string text)
    {
        // Each execution creates the text of a call again. An equal text must not cause another lookup of its parameters.
        if (_statement is { } known && (ReferenceEquals(known.Sql, text) || (CommandType == CommandType.StoredProcedure && known.Sql == text)))
            return known;
        _binding = null;
        return _statement = MySqlSource.Statements.Get(text);
    }

    private void EncodeText(MySqlSession session, ScannedSql scanned)
    {
        var attributes = AttributesFor(session);
        if (scanned.Parameters.Length == 0 && attributes is null)
            Query.Write(session.Wire.Out, scanned.Prepared);
        else
            BindingFor(scanned).WriteText(session.Wire.Out, scanned, Parameters, session.State.Literals, session.State.Codecs, attributes);
    }

    private void EncodeText(MySqlSession session, MySqlStatement statement, Goal goal, ScalarTarget? scalar, bool streams)
    {
        var at = session.Wire.Out.TotalLength;
        var scanned = Scan(session, statement);
        // Both before and after the execution: from now on, a procedure may have another definition.
        if (scanned.Kind == StatementKind.Definition)
            MySqlSource.StoredPrograms.ForgetAll();
        EncodeText(session, scanned);
        session.Results.BeginQuery(statement, session.Wire.Out.TotalLength - at, goal, scalar, streams);
    }

    private void EncodePrepared(
        MySqlSession session, MySqlStatement statement, Goal goal, ScalarTarget? scalar, bool streams, bool onlyDescribes, bool isAutomatic)
    {
        var scanned = Scan(session, statement);
        // A server prepares one statement at a time. Several statements are sent as text even if the caller prepared them.
        if (scanned.HasSeveralStatements && !onlyDescribes)
        {
            EncodeText(session, statement, goal, scalar, streams);
            return;
        }

        var longValues = !isAutomatic && !onlyDescribes && scanned.Parameters.Length > 0 ? BindingFor(scanned).FindLongValues(Parameters) : null;
        if (longValues is not null && session.Prepared.Find(statement) is { } known && known.IsFor(scanned))
        {
            session.Results.BeginLongData(statement, known, this, longValues, goal, scalar, streams);
            return;
        }

        if (longValues is null && session.Prepared.Find(statement) is { } prepared && !onlyDescribes && (isAutomatic || CanExecute(session, prepared, scanned)))
        {
            var at = session.Wire.Out.TotalLength;
            EncodeExecution(session, prepared, scanned);
            session.Results.BeginExecute(statement, prepared, session.Wire.Out.TotalLength - at, goal, scalar, streams, this);
            session.Results.TextInstead = isAutomatic && !session.State.IsMariaDb ? this : null;
            return;
        }

        // Checked before anything is sent: a parameter without a value must not leave an exchange half done.
        if (!onlyDescribes && scanned.Parameters.Length > 0)
            BindingFor(scanned).Check(Parameters, session.State.Codecs);
        var asksTypes = session.State.SettlesTypes && scanned.Parameters.Length > 0 && statement.Settled is null;
        var preparation = new Preparation(session.Context, scanned, session.State.Codecs, asksTypes);
        preparation.Result.IsByUser = !isAutomatic && !onlyDescribes;
        var sent = session.Wire.Out.TotalLength;
        // A statement that the driver prepares automatically is executed only when it is known that the types make no difference.
        if (!onlyDescribes && longValues is null && !(isAutomatic && asksTypes) && session.Prepared.NextNumber(session.State) is { } number)
        {
            preparation.Result.Id = number;
            EncodeExecution(session, preparation.Result, scanned);
        }

        session.Results.BeginPrepare(statement, goal, scalar, streams, onlyDescribes)
            .Begin(statement, preparation, onlyDescribes ? null : this, session.Wire.Out.TotalLength - sent, isAutomatic);
        session.Results.TextInstead = isAutomatic && !session.State.IsMariaDb ? this : null;
    }

    private bool PreparesItself(MySqlSession session, MySqlStatement statement)
    {
        var prepared = session.Prepared.Find(statement);
        if (prepared is null ? !session.AutoPrepare.ShouldPrepare(session.Prepared, statement) : !statement.CanShareStatement)
            return false;
        var scanned = Scan(session, statement);
        if (statement.IsNotPreparable || !scanned.MayPrepareItself)
        {
            statement.StaysText = true;
            return false;
        }

        if (scanned.Parameters.Length > 0 && Parameters.DiffersWhenPrepared(session.State.SettlesTypes))
            return false;
        if ((prepared is not null && !prepared.IsFor(scanned)) || (scanned.Parameters.Length > 0 && session.State.MayReadForeign))
            return false;
        // Values of another type are sent as text: alternating types would otherwise cause a PREPARE each time.
        return scanned.Parameters.Length == 0
            || (BindingFor(scanned).AreCounts(scanned.Counts, Parameters)
                && (prepared is not null ? BindingFor(scanned).KeepsMeaning(statement, prepared, Parameters, session.State.Codecs)
                : statement.Settled is null || BindingFor(scanned).Fits(statement.Settled, Parameters, session.State.Codecs)));
    }

    bool IExecution.Fits(SessionContext session) =>
        _statement!.Settled is not { } settled || BindingFor(Scan((MySqlSession)session.Host, _statement)).Fits(settled, Parameters, session.State.Codecs);

    // If the prepared statement does not fit, the driver prepares a new one. The old one is closed when the new one replaces it.
    private bool CanExecute(MySqlSession session, PreparedStatement prepared, ScannedSql scanned) =>
        prepared.IsFor(scanned)
        && (session.State.IsMariaDb || scanned.Parameters.Length == 0
            || BindingFor(scanned).IsTakenBy(prepared, _parameters!, CodecsFor(session, prepared)));

    private void EncodeExecution(MySqlSession session, PreparedStatement prepared, ScannedSql scanned)
    {
        var attributes = AttributesFor(session);
        if (scanned.Parameters.Length == 0 && attributes is null)
            StatementExecute.Write(session.Wire.Out, prepared.Id);
        else
            BindingFor(scanned).WriteBinary(
                session.Wire.Out, prepared, Parameters, CodecsFor(session, prepared), session.State.IsMariaDb, attributes);
    }

    private MySqlAttributeCollection? AttributesFor(MySqlSession session)
    {
        var own = HasAttributes ? Attributes.For(session, MySqlSource.Settings) : null;
        return session.SendsTraceContext ? TraceContext.Add(session, own) : own;
    }

    /// <summary>The characters that quote a name: backticks, and double quotes for ANSI_QUOTES.</summary>
    internal const string NameQuotes = "`\"";

    /// <summary>
    /// Returns a name after checking that the server reads it as it is written. In other character sets than utf8mb4, the closing quote may be half of a
    /// character.
    /// </summary>
    /// <exception cref="MySqlException">The server may read more than a name.</exception>
    internal static string Readable(string name, MySqlSession session) => session.State.MayReadForeign && TextReading.DependsOnCharacters(name)
        ? throw new MySqlException(MySqlErrorCode.None, "The end of the name is not certain: character_set_client may not be utf8mb4, and in another "
            + "character set a backslash, backtick or @ can be the second half of a character. Execute SET NAMES utf8mb4 first.")
        : name;

    private MySqlStatement StatementOf() => Take(CommandType switch
    {
        CommandType.TableDirect => "SELECT * FROM "
            + Readable(Names.CheckedQualified(CommandText, NameQuotes, "table's name", nameof(CommandText)), Connection!.MySqlSession),
        CommandType.StoredProcedure => Call.TextInGivenOrder(Connection!.MySqlSession),
        _ => CommandText,
    });

    /// <inheritdoc/>
    private protected override QuerySummary? Summarize(Session session) => StatementOf().Scan(RulesOf((MySqlSession)session)).Summary;

    private QuotingRules RulesOf(MySqlSession session) =>
        CommandType == CommandType.StoredProcedure || LeavesUnknownNames || Connection!.MySqlSource.Settings.AllowUserVariables
            ? session.State.Quoting | QuotingRules.AllowUserVariables
            : session.State.Quoting;

    private ScannedSql Scan(MySqlSession session, MySqlStatement statement)
    {
        var scanned = statement.Scan(RulesOf(session));
        return scanned.MayUseVariables ? WithoutVariables(scanned) : scanned;
    }

    private ScannedSql WithoutVariables(ScannedSql scanned)
    {
        var call = _extras as ProcedureCall;
        var choice = call is null ? _extras as VariableChoice : call.Variables;
        if (choice is not null && choice.IsFor(scanned, _parameters))
            return choice.Chosen;
        choice = new VariableChoice(scanned, _parameters);
        if (call is not null)
            call.Variables = choice;
        else
            _extras = choice;
        return choice.Chosen;
    }

    private ParameterBinding BindingFor(ScannedSql scanned)
    {
        var parameters = Parameters;
        if (_binding is null || !_binding.IsFor(scanned, parameters))
            _binding = new ParameterBinding(scanned, parameters);
        return _binding;
    }
}
