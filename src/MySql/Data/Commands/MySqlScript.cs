using System.Data;
using System.Diagnostics.CodeAnalysis;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>
/// Runs a script: statements one after the other, each by itself, with <c>DELIMITER</c> lines as the mysql command-line client has them. The shape is
/// Connector/NET's. Variables (<c>@name</c>) are the server's, whatever <c>Allow User Variables</c> says; results of queries are read and dropped.
/// </summary>
public class MySqlScript
{
    private string _delimiter = ";";

    /// <summary>Makes one without connection and text.</summary>
    public MySqlScript()
    {
    }

    /// <summary>Makes one for a connection.</summary>
    public MySqlScript(MySqlConnection? connection) => Connection = connection;

    /// <summary>Makes one of a text.</summary>
    public MySqlScript(string? query) => Query = query;

    /// <summary>Makes one of a text for a connection.</summary>
    public MySqlScript(MySqlConnection? connection, string? query)
    {
        Connection = connection;
        Query = query;
    }

    /// <summary>After each statement that was executed.</summary>
    public event MySqlStatementExecutedEventHandler? StatementExecuted;

    /// <summary>
    /// After each statement that the server refused: setting <c>Ignore</c> goes on with the next one, else the script ends there.
    /// Without a handler the exception is thrown.
    /// </summary>
    public event MySqlScriptErrorEventHandler? Error;

    /// <summary>After the last statement, also when an error ended the script.</summary>
    public event EventHandler? ScriptCompleted;

    /// <summary>Where it runs. A closed one is opened, and closed behind the script.</summary>
    public MySqlConnection? Connection { get; set; }

    /// <summary>The script.</summary>
    public string? Query { get; set; }

    /// <summary>What stands between the statements until a DELIMITER line says otherwise; a semicolon unless set.</summary>
    /// <exception cref="ArgumentException">It is null or empty.</exception>
    public string Delimiter
    {
        get => _delimiter;
        set
        {
            ArgumentException.ThrowIfNullOrEmpty(value);
            _delimiter = value;
        }
    }

    /// <summary>Runs the script.</summary>
    /// <returns>How many statements were executed.</returns>
    /// <exception cref="InvalidOperationException">It has no connection or no text.</exception>
    /// <exception cref="FormatException">A DELIMITER line names no delimiter.</exception>
    /// <exception cref="MySqlException">The server refused a statement and nobody handles <see cref="Error"/>, or the connection broke.</exception>
    public int Execute()
    {
        var connection = Ready();
        var opens = connection.State == ConnectionState.Closed;
        if (opens)
            connection.Open();
        try
        {
            var run = new Run(this, connection);
            while (run.Next())
            {
                try
                {
                    run.Command.ExecuteNonQuery();
                }
                catch (MySqlException exception)
                {
                    if (!run.Handles(exception))
                        throw;
                    continue;
                }

                run.Succeeded();
            }

            return run.Completed();
        }
        finally
        {
            if (opens)
                connection.Close();
        }
    }

    /// <inheritdoc cref="Execute"/>
    public Task<int> ExecuteAsync() => ExecuteAsync(CancellationToken.None);

    /// <inheritdoc cref="Execute"/>
    public async Task<int> ExecuteAsync(CancellationToken cancellationToken)
    {
        var connection = Ready();
        var opens = connection.State == ConnectionState.Closed;
        if (opens)
            await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            var run = new Run(this, connection);
            while (run.Next())
            {
                try
                {
                    await run.Command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
                }
                catch (MySqlException exception)
                {
                    if (!run.Handles(exception))
                        throw;
                    continue;
                }

                run.Succeeded();
            }

            return run.Completed();
        }
        finally
        {
            if (opens)
                await connection.CloseAsync().ConfigureAwait(false);
        }
    }

    private MySqlConnection Ready()
    {
        if (string.IsNullOrWhiteSpace(Query))
            throw new InvalidOperationException("The script has no text: set its Query.");
        return Connection ?? throw new InvalidOperationException("The script has no connection: set its Connection.");
    }

    /// <summary>One execution: what both ways of waiting share.</summary>
    private sealed class Run
    {
        private readonly MySqlScript _script;
        private readonly MySqlConnection _connection;
        private readonly string _text;
        private string _delimiter;
        private MySqlScriptEventArgs _statement = null!;
        private int _at;
        private int _line = 1;
        private int _lineBegin;
        private int _executed;
        private bool _ended;

        public Run(MySqlScript script, MySqlConnection connection)
        {
            _script = script;
            _connection = connection;
            _text = script.Query!;
            _delimiter = script.Delimiter;
            Command = MySqlCommand.OfScript(connection);
        }

        public MySqlCommand Command { get; }

        public bool Next()
        {
            // A statement may have changed how the session reads quotes.
            if (_ended || SqlScanner.NextOfScript(_text, ref _at, ref _delimiter, _connection.MySqlSession.State.Quoting, out var begin) is not { } sql)
                return false;
            for (int end; (end = _text.IndexOf('\n', _lineBegin, begin - _lineBegin)) >= 0; _lineBegin = end + 1)
                _line++;
            _statement = new MySqlScriptEventArgs(sql, _line, begin - _lineBegin);
            Command.CommandText = sql;
            Command.Transaction = _connection.OpenTransaction;
            return true;
        }

        public void Succeeded()
        {
            _executed++;
            _script.StatementExecuted?.Invoke(_script, _statement);
        }

        // A connection that is gone is nothing to go on with.
        public bool Handles(MySqlException exception)
        {
            if (_script.Error is not { } handler || _connection.State != ConnectionState.Open)
                return false;
            var error = new MySqlScriptErrorEventArgs(exception, _statement);
            handler(_script, error);
            _ended = !error.Ignore;
            return true;
        }

        public int Completed()
        {
            _script.ScriptCompleted?.Invoke(_script, EventArgs.Empty);
            return _executed;
        }
    }
}

/// <summary>Hears of a statement of a script that was executed.</summary>
[SuppressMessage("Design", "CA1003", Justification = "Connector/NET's.")]
public delegate void MySqlStatementExecutedEventHandler(object sender, MySqlScriptEventArgs args);

/// <summary>Hears of a statement of a script that the server refused.</summary>
[SuppressMessage("Design", "CA1003", Justification = "Connector/NET's.")]
public delegate void MySqlScriptErrorEventHandler(object sender, MySqlScriptErrorEventArgs args);

/// <summary>One statement of a script.</summary>
public class MySqlScriptEventArgs : EventArgs
{
    internal MySqlScriptEventArgs(string statementText, int line, int position)
    {
        StatementText = statementText;
        Line = line;
        Position = position;
    }

    /// <summary>Its text, without its delimiter and without the comments in front of it.</summary>
    public string StatementText { get; }

    /// <summary>The line of the script in which it begins, counted from 1.</summary>
    public int Line { get; }

    /// <summary>How many characters of that line stand in front of it.</summary>
    public int Position { get; }
}

/// <summary>A statement of a script that the server refused.</summary>
public class MySqlScriptErrorEventArgs : MySqlScriptEventArgs
{
    internal MySqlScriptErrorEventArgs(Exception exception, MySqlScriptEventArgs statement)
        : base(statement.StatementText, statement.Line, statement.Position) => Exception = exception;

    /// <summary>What the server said.</summary>
    public Exception Exception { get; }

    /// <summary>True: the script goes on with the next statement. False, unless set: it ends here.</summary>
    public bool Ignore { get; set; }
}
