using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;
using Slipstream.Core.Statements;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>A command of a <see cref="MySqlBatch"/>.</summary>
public sealed class MySqlBatchCommand : ProviderBatchCommand
{
    private MySqlParameterCollection? _parameters;
    private MySqlStatement? _statement;
    private ParameterBinding? _binding;
    private ProcedureCall? _call;

    /// <summary>Creates a command without text. It needs a text before its batch is executed.</summary>
    public MySqlBatchCommand()
    {
    }

    /// <summary>Creates a command with its text.</summary>
    /// <param name="commandText">The text; null to set it later.</param>
    public MySqlBatchCommand(string? commandText) => CommandText = commandText;

    /// <summary>Gets the parameters of this command.</summary>
    public new MySqlParameterCollection Parameters => _parameters ??= new();

    /// <inheritdoc/>
    internal override Exception? Refusal => Error;

    /// <inheritdoc/>
    protected override DbParameterCollection DbParameterCollection => Parameters;

    /// <inheritdoc/>
    public override DbParameter CreateParameter() => new MySqlParameter();

    /// <summary>
    /// Gets the error with which the server refused this command in the last execution of its batch; null if the command succeeded or was not executed. (Not in
    /// MySqlConnector.)
    /// </summary>
    public MySqlException? Error { get; internal set; }

    /// <summary>Returns the data source's statement for the command's text.</summary>
    internal MySqlStatement StatementIn(MySqlDataSource source)
    {
        var text = CommandText;
        if (_statement is { } known && ReferenceEquals(known.Sql, text))
            return known;
        _binding = null;
        return _statement = source.Statements.Get(CommandType switch
        {
            CommandType.TableDirect => "SELECT * FROM " + Names.CheckedQualified(text, MySqlCommand.NameQuotes, "table's name", nameof(CommandText)),
            CommandType.StoredProcedure => "CALL " + text,
            _ => text,
        });
    }

    /// <summary>Whether the command calls a procedure or a function by name.</summary>
    internal bool IsProcedure => CommandType == CommandType.StoredProcedure;

    /// <summary>Returns the call for the command's name and parameters.</summary>
    internal ProcedureCall CallOn(MySqlConnection connection)
    {
        if (_call is null || _call.Command.Connection != connection || _call.Command.CommandText != CommandText)
            _call = new MySqlCommand(this, connection).Call;
        return _call;
    }

    /// <summary>Returns the statement of a call that needs only its text.</summary>
    internal MySqlStatement StatementOf(string call, MySqlDataSource source)
    {
        if (_statement is { } known && known.Sql == call)
            return known;
        _binding = null;
        return _statement = source.Statements.Get(call);
    }

    /// <summary>Separates the parameters of a statement from the server's user variables.</summary>
    internal ScannedSql Scan(MySqlStatement statement, QuotingRules rules)
    {
        var scanned = statement.Scan(rules);
        return scanned.MayUseVariables ? scanned.Without(name => _parameters is not null && _parameters.IndexInText(name) >= 0) : scanned;
    }

    /// <summary>Returns the binding of placeholders to parameters.</summary>
    /// <param name="scanned">The statement.</param>
    /// <param name="last">The binding of the previous command. It usually fits, so 100 commands with one text look up their names once.</param>
    internal ParameterBinding BindingFor(ScannedSql scanned, ref ParameterBinding? last)
    {
        var parameters = Parameters;
        if (_binding is not null && _binding.IsFor(scanned, parameters))
            return _binding;
        if (last is not null && last.Serves(scanned, parameters))
            return last;
        return last = _binding = new ParameterBinding(scanned, parameters);
    }
}
