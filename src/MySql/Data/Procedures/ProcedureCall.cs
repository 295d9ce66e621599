using System.Data;
using System.Globalization;
using System.Text;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Statements;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.State;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>
/// The call that a command with <see cref="CommandType.StoredProcedure"/> executes: <c>CALL name(@a, @b)</c> or <c>SELECT name(@a, @b)</c>. The arguments are
/// in the order of the declaration, whatever the order of the collection. See docs/decisions/0020.
/// </summary>
internal sealed class ProcedureCall(MySqlCommand command) : IProcedureCall
{
    // ER_SP_WRONG_NO_OF_ARGS, ER_SP_NOT_VAR_ARG, ER_SUBQUERY_NO_1_ROW
    private const int WrongNumberOfArguments = 1318;
    private const int NotAVariable = 1414;
    private const int GuardFailed = 1242;

    // ER_SP_DOES_NOT_EXIST
    private const int DoesNotExist = 1305;

    private const string SelectedName = "slipstream.outputs";

    private readonly List<DeclaredParameter> _asked = [];
    private readonly List<(string Name, MySqlParameter Parameter, DeclaredParameter? Declared)> _arguments = [];
    private string? _checkedName;
    private string _database = "";
    private StoredProgram? _program;
    private MySqlParameter? _returned;
    private ServerError? _refusal;
    private bool _hasReturned;
    private bool _isFresh;
    private bool _isGuarded;
    private bool _wasAsked;
    private bool _isQuestion;

    /// <summary>The command with the parameters.</summary>
    public MySqlCommand Command => command;

    // The server would execute anything beyond a name.
    private string Name => ReferenceEquals(_checkedName, command.CommandText) ? _checkedName
        : _checkedName = Names.CheckedQualified(command.CommandText, MySqlCommand.NameQuotes, "stored procedure's name", nameof(MySqlCommand.CommandText));

    private StoredPrograms Known => command.Connection!.MySqlSource.StoredPrograms;

    /// <summary>Which names of the text are parameters: all except the driver's own variables.</summary>
    public VariableChoice? Variables { get; set; }

    /// <summary>The command that <see cref="Command"/> is a copy of, if another one runs on the connection.</summary>
    public MySqlCommand? Original { get; set; }

    public bool OutputsAreSelected { get; private set; }

    /// <summary>The statement that queries the declaration.</summary>
    private string Question => StoredPrograms.QueryFor(Name, _returned is not null);

    public bool MustAsk(SessionContext context)
    {
        var session = (MySqlSession)context.Host;
        _refusal = null;
        _wasAsked = _isGuarded = OutputsAreSelected = _hasReturned = _isQuestion = false;
        _returned = null;
        var outputs = 0;
        foreach (var parameter in (IEnumerable<MySqlParameter>)command.Parameters)
        {
            if (parameter.Direction == ParameterDirection.ReturnValue)
                _returned = parameter;
            else if (parameter.Direction != ParameterDirection.Input)
                outputs++;
        }

        // After a reset, the session's default database may differ from the last one that the server reported.
        _database = session.State.Database;
        _program = session.Queue.HasPrefixes && session.State.Database != command.Connection!.MySqlSource.Settings.Database
            ? null
            : Known.Find(_database, Name, _returned is not null);
        _isFresh = _program is not null && Clock.Now - _program.CheckedAt <= StoredProgram.TrustedFor;
        var arguments = command.Parameters.Count - (_returned is null ? 0 : 1);
        if (_isFresh)
            return false;
        // MySQL sends texts of output values as bytes: only the declaration shows their type.
        if (outputs > 0 && _program is null)
            return true;
        // A single argument needs no order. The order of values without names is the caller's.
        return arguments > 1 && !IsNameless() && (outputs > 0 || _returned is not null || _program is { HasOutputs: true });
    }

    /// <summary>
    /// Returns the text of the call if it can be one of several statements: it returns only result sets, and the order of its arguments is known. Returns null
    /// if the driver must execute the call on its own.
    /// </summary>
    public string? TextToJoin(MySqlSession session)
    {
        if (MustAsk(session.Context) || _returned is not null || (!_isFresh && command.Parameters.Count > 1 && !IsNameless()))
            return null;
        FindArguments();
        return HasOutputs ? null : Text();
    }

    public void EncodeQuestion(SessionContext context)
    {
        var session = (MySqlSession)context.Host;
        _isQuestion = true;
        _asked.Clear();
        var statement = new MySqlStatement(Question);
        var at = session.Wire.Out.TotalLength;
        Query.Write(session.Wire.Out, statement.Scan(session.State.Quoting).Prepared);
        session.Results.BeginQuery(statement, session.Wire.Out.TotalLength - at, Goal.Rows, null, streams: false);
    }

    public void TakeDeclaration(MySqlRow row)
    {
        OwnAnswer.CheckCount("the query for the parameters", _asked.Count);
        _asked.Add(Declarations.Read(row));
    }

    public bool Declared(SessionContext context)
    {
        var session = (MySqlSession)context.Host;
        _isQuestion = false;
        _wasAsked = true;
        _database = session.State.Database;
        var program = new StoredProgram([.. _asked], Clock.Now);
        var isNew = _program is null || !program.IsLike(_program);
        _program = program;
        _isFresh = true;
        // The server shows no parameters in three cases: the program has none, it does not exist, or it is in a package.
        // In the first case, a call with arguments was refused for their number or by the guard. Undeclared arguments are left out, so the driver now calls the
        // program without any.
        // It does the same for a program that does not exist, and the server reports that. For a program in a package, the server refuses the number of
        // arguments.
        // If the call was not refused, it is executed unchanged: the server reports what is wrong.
        if (_asked.Count == 0 && isNew && !(_refusal is { } refusal && MayHaveNoParameters(refusal)))
            _program = null;
        else
            Known.Remember(_database, Name, _returned is not null, program);
        return _refusal is null || (isNew && _program is not null);
    }

    public void EncodeCall(SessionContext context)
    {
        var session = (MySqlSession)context.Host;
        FindArguments();
        _ = MySqlCommand.Readable(Name, session);
        var hasOutputs = HasOutputs;
        OutputsAreSelected = hasOutputs && (command.MySqlSource.Settings.IgnorePrepare || _arguments.Exists(IsMisreported));
        _isGuarded = !_isFresh && _returned is null && !hasOutputs && _arguments.Count > 1 && !IsNameless();
        command.EncodeCall(session, OutputsAreSelected ? SelectingText() : Text(), hasOutputs ? !OutputsAreSelected : !_isGuarded && command.IsPrepared);
    }

    public string? SelectingTextInstead()
    {
        if (!HasOutputs)
            return null;
        OutputsAreSelected = true;
        return SelectingText();
    }

    public bool IsDeclarationOutdated(ServerError error)
    {
        // Asks once more if the declaration was empty and the server refuses the unchanged call because the program has no parameters.
        var asks = (!_wasAsked || (_program is null && MayHaveNoParameters(error))) && !IsNameless()
            && (IsOfThisCall(error) || (error.Number == GuardFailed && _isGuarded && command.Connection!.MySqlSession.Results.RecordsAffected < 0));
        if (asks)
        {
            _refusal = error;
            // The assumed declaration, for comparison with the real one.
            _program = new([.. _arguments.ConvertAll(static one => new DeclaredParameter(one.Name, ModeOf(one.Parameter), "", "", 0, 0, 0))], 0);
        }

        return asks;
    }

    // The server reports these errors before it runs anything. A call inside the procedure, after the procedure has written something, may fail with the same
    // numbers. But its message has another name or another number of arguments: "Incorrect number of arguments for PROCEDURE shop.pay; expected 2, got 1".
    // Names and numbers are the same in each language.
    private bool IsOfThisCall(ServerError error)
    {
        if (error is not { Number: WrongNumberOfArguments or NotAVariable, SqlState: "42000" }
            || !error.Message.Contains('.' + StoredPrograms.Split(Name).Name, StringComparison.OrdinalIgnoreCase))
            return false;
        var message = error.Message.AsSpan();
        return error.Number == NotAVariable || TakeLastNumber(ref message).SequenceEqual(_arguments.Count.ToString(CultureInfo.InvariantCulture));
    }

    // "… expected 0, got 1": the program exists and has no parameters. An error of the guard does not show the number.
    private static bool MayHaveNoParameters(ServerError error)
    {
        var message = error.Message.AsSpan();
        _ = TakeLastNumber(ref message);
        return error.Number == GuardFailed || (error.Number == WrongNumberOfArguments && TakeLastNumber(ref message) is "0");
    }

    private static ReadOnlySpan<char> TakeLastNumber(ref ReadOnlySpan<char> text)
    {
        text = text[..(text.LastIndexOfAnyInRange('0', '9') + 1)];
        var number = text[(text.LastIndexOfAnyExceptInRange('0', '9') + 1)..];
        text = text[..^number.Length];
        return number;
    }

    public ServerError? Refusal => _refusal;

    public bool MayBeOutputs(ResultMetadata metadata) => OutputsAreSelected
        ? metadata.Name(0) == SelectedName
        : _returned is null && metadata.Table(0) is { Length: > 0 } table && table.Equals(StoredPrograms.Split(Name).Name, StringComparison.OrdinalIgnoreCase);

    public void TakeOutputs(MySqlRow row)
    {
        var unnamed = 0;
        var first = OutputsAreSelected ? 1 : 0;
        // The server writes names in character_set_results. If a name is not found, the position identifies the value, provided that the number of values is as
        // expected.
        var outputs = _arguments.FindAll(static one => one.Parameter.Direction != ParameterDirection.Input);
        for (var i = first; i < row.FieldCount; i++)
        {
            var name = row.GetName(i);
            var index = name.Length == 0 ? -1 : _arguments.FindIndex(one => one.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
            for (; index < 0 && unnamed < _arguments.Count; unnamed++)
            {
                if (_arguments[unnamed] is { Name: "", Parameter.Direction: not ParameterDirection.Input })
                    index = unnamed;
            }

            if (index < 0 && outputs.Count == row.FieldCount - first)
                index = _arguments.IndexOf(outputs[i - first]);
            if (index >= 0 && _arguments[index] is { Parameter.Direction: not ParameterDirection.Input } argument)
                argument.Parameter.Value = OutputValues.Read(row, i, argument.Parameter, argument.Declared, command.MySqlSource.Codecs);
        }

        CopyOutputs();
    }

    public void TakeReturned(MySqlRow row)
    {
        if (_returned is null || _hasReturned)
            return;
        _hasReturned = true;
        // The value keeps the type of the function.
        _returned.Value = _returned.HeldType is null ? row.GetValue(0) : OutputValues.Read(row, 0, _returned, null, command.MySqlSource.Codecs);
        CopyOutputs();
    }

    public void Complete(ServerError? error)
    {
        if (_isQuestion)
            return;
        if (error is { Number: WrongNumberOfArguments or NotAVariable or DoesNotExist })
            Known.Forget(_database, Name, _returned is not null);
        if (!_isGuarded || error is not null)
            return;
        if (_program is not null)
            _program.CheckedAt = Clock.Now;
        else
            Known.Remember(
                command.Connection!.MySqlSession.State.Database, Name, false,
                new([.. _arguments.ConvertAll(static one => new DeclaredParameter(one.Name, ParameterMode.In, "", "", 0, 0, 0))], Clock.Now));
    }

    /// <summary>Returns the text with the parameters in the order of the collection, for a description, which runs nothing.</summary>
    public string TextInGivenOrder(MySqlSession session)
    {
        _ = MustAsk(session.Context);
        _isFresh = true;
        FindArguments();
        return Text();
    }

    // Copies the output values of a command's copy to the caller's command.
    private void CopyOutputs()
    {
        for (var i = 0; Original is { } original && i < Math.Min(command.Parameters.Count, original.Parameters.Count); i++)
        {
            var (from, to) = (command.Parameters[i], original.Parameters[i]);
            if (from.Direction == ParameterDirection.Input || from.ParameterName != to.ParameterName)
                continue;
            to.Direction = from.Direction;
            to.Value = from.Value;
        }
    }

    // ---------------------------------------------------------------- arguments

    private bool HasOutputs => _returned is null && _arguments.Exists(static one => one.Parameter.Direction != ParameterDirection.Input);

    // Some servers (MariaDB 10.11 and 11.8, MySQL 9.7) report a BIT as the type of the output but send its digits.
    private static bool IsMisreported((string Name, MySqlParameter Parameter, DeclaredParameter? Declared) one) =>
        one is { Parameter.Direction: not ParameterDirection.Input, Declared.DataType: "bit" };

    private static ParameterMode ModeOf(MySqlParameter parameter) => parameter.Direction switch
    {
        ParameterDirection.Output => ParameterMode.Out,
        ParameterDirection.InputOutput => ParameterMode.InOut,
        _ => ParameterMode.In,
    };

    // Values without names keep their positions. If there is no value at all, the declaration shows which one is missing.
    private bool IsNameless()
    {
        var any = false;
        foreach (var parameter in (IEnumerable<MySqlParameter>)command.Parameters)
        {
            if (parameter.Direction == ParameterDirection.ReturnValue)
                continue;
            if (!parameter.BareName.IsEmpty)
                return false;
            any = true;
        }

        return any;
    }

    private void FindArguments()
    {
        _arguments.Clear();
        if (_program is null || IsNameless())
        {
            var declarations = _program is { } known ? Array.FindAll(known.Parameters, static one => one.Mode != ParameterMode.Return) : [];
            foreach (var parameter in (IEnumerable<MySqlParameter>)command.Parameters)
            {
                if (parameter.Direction != ParameterDirection.ReturnValue)
                    _arguments.Add((parameter.BareName.ToString(), parameter, _arguments.Count < declarations.Length ? declarations[_arguments.Count] : null));
            }

            return;
        }

        foreach (var declared in _program.Parameters)
        {
            if (declared.Mode == ParameterMode.Return)
                continue;
            var index = command.Parameters.IndexOfBare(declared.Name);
            if (index < 0)
                throw new ArgumentException($"Parameter '{ServerText.OneLine(declared.Name)}' not found in the collection: '{Name}' declares it, so add it "
                    + "to the command's Parameters.");
            var parameter = command.Parameters[index];
            if (!parameter.HasDirection && declared.Mode != ParameterMode.In)
                parameter.Direction = declared.Mode == ParameterMode.Out ? ParameterDirection.Output : ParameterDirection.InputOutput;
            _arguments.Add((declared.Name, parameter, declared));
        }
    }

    // ---------------------------------------------------------------- texts

    private string Text()
    {
        var text = new StringBuilder();
        if (_isGuarded)
            StoredPrograms.AppendGuard(text, Name, _arguments.ConvertAll(static one => one.Name));
        text.Append(_returned is null ? "CALL " : "SELECT ").Append(Name).Append('(');
        // The number of a question mark identifies its argument only if all parameters are arguments.
        var takesMarks = _returned is null && IsNameless();
        for (var i = 0; i < _arguments.Count; i++)
        {
            text.Append(i > 0 ? ", " : "");
            if (takesMarks)
                text.Append('?');
            else
                AppendParameter(text, _arguments[i].Name, _arguments[i].Parameter);
        }

        return text.Append(')').ToString();
    }

    private string SelectingText()
    {
        var text = new StringBuilder();
        var select = new StringBuilder($"; SELECT 0 AS `{SelectedName}`");
        var call = new StringBuilder("CALL ").Append(Name).Append('(');
        for (var i = 0; i < _arguments.Count; i++)
        {
            var (name, parameter, declared) = _arguments[i];
            call.Append(i > 0 ? ", " : "");
            if (parameter.Direction == ParameterDirection.Input)
            {
                AppendParameter(call, name, parameter);
                continue;
            }

            var variable = $"@`slipstream.{i}`";
            call.Append(variable);
            text.Append(text.Length > 0 ? ", " : "SET ").Append(variable).Append(" = ");
            if (parameter.Direction == ParameterDirection.InputOutput)
                AppendParameter(text, name, parameter);
            else
                text.Append("NULL");
            select.Append(", ").Append(OutputValues.Selected(variable, declared)).Append(" AS ");
            StoredPrograms.AppendQuoted(select, name);
        }

        return text.Append("; ").Append(call).Append(')').Append(select).ToString();
    }

    // The lookup of names in a text does not unescape doubled quotes. A name that could end its own quotes would be executed.
    private void AppendParameter(StringBuilder text, string name, MySqlParameter parameter)
    {
        if (!MySqlParameterCollection.StandsInText(name))
            name = MySqlParameterCollection.ArgumentAt(command.Parameters.IndexOf(parameter));
        text.Append("@`").Append(name).Append('`');
    }
}
