using System.Data;
using System.Data.Common;
using Slipstream.Core.Data;
using Slipstream.Core.Statements;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>One command of a <see cref="MySqlBatch"/>.</summary>
public sealed class MySqlBatchCommand : ProviderBatchCommand
{
    private MySqlParameterCollection? _parameters;
    private MySqlStatement? _statement;
    private ParameterBinding? _binding;
    private ProcedureCall? _call;

    /// <summary>A command without text: it needs one before its batch is executed.</summary>
    public MySqlBatchCommand()
    {
    }

    /// <summary>A command with its text.</summary>
    public MySqlBatchCommand(string? commandText) => CommandText = commandText;

    /// <summary>The parameters of this command alone.</summary>
    public new MySqlParameterCollection Parameters => _parameters ??= new();

    /// <inheritdoc/>
    protected override DbParameterCollection DbParameterCollection => Parameters;

    /// <inheritdoc/>
    public override DbParameter CreateParameter() => new MySqlParameter();

    /// <summary>
    /// Why the server refused this command in the last execution of its batch; null when it did not, or the command was not reached. (Not in MySqlConnector.)
    /// </summary>
    public MySqlException? Error { get; internal set; }

    /// <summary>The command's text as the data source knows it.</summary>
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

    /// <summary>Whether it calls a procedure or a function by its name.</summary>
    internal bool IsProcedure => CommandType == CommandType.StoredProcedure;

    /// <summary>The call that its name and parameters stand for.</summary>
    internal ProcedureCall CallOn(MySqlConnection connection)
    {
        if (_call is null || _call.Command.Connection != connection || _call.Command.CommandText != CommandText)
            _call = new MySqlCommand(this, connection).Call;
        return _call;
    }

    /// <summary>A call that needs nothing but its text.</summary>
    internal MySqlStatement StatementOf(string call, MySqlDataSource source)
    {
        if (_statement is { } known && known.Sql == call)
            return known;
        _binding = null;
        return _statement = source.Statements.Get(call);
    }

    /// <summary>What is a parameter of it and what a user variable.</summary>
    internal ScannedSql Scan(MySqlStatement statement, QuotingRules rules)
    {
        var scanned = statement.Scan(rules);
        return scanned.MayUseVariables ? scanned.Without(name => _parameters is not null && _parameters.IndexInText(name) >= 0) : scanned;
    }

    /// <summary>Which parameter stands where.</summary>
    /// <param name="scanned">The text.</param>
    /// <param name="last">That of the command before, which mostly is the same: 100 commands of one text look up their names once.</param>
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
