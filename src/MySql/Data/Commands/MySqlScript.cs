using System.Data;
using System.Diagnostics.CodeAnalysis;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>
/// Executes a script: its statements one after the other, each as its own command, with <c>DELIMITER</c> lines as in the mysql command-line client. The members
/// are Connector/NET's. Variables (<c>@name</c>) are the server's, whatever <c>Allow User Variables</c> is. Result sets are read and discarded.
/// </summary>
public class MySqlScript
{
    private string _delimiter = ";";

    /// <summary>Creates a script without connection and text.</summary>
    public MySqlScript()
    {
    }

    /// <summary>Creates a script for a connection.</summary>
    /// <param name="connection">The connection. If it is closed, the script opens it and closes it again.</param>
    public MySqlScript(MySqlConnection? connection) => Connection = connection;

    /// <summary>Creates a script with its text.</summary>
    /// <param name="query">The text.</param>
    public MySqlScript(string? query) => Query = query;

    /// <summary>Creates a script with its text for a connection.</summary>
    /// <param name="connection">The connection. If it is closed, the script opens it and closes it again.</param>
    /// <param name="query">The text.</param>
    public MySqlScript(MySqlConnection? connection, string? query)
    {
        Connection = connection;
        Query = query;
    }

    /// <summary>Occurs after each statement that the server executed.</summary>
    public event MySqlStatementExecutedEventHandler? StatementExecuted;

    /// <summary>
    /// Occurs after each statement that the server refused. If the handler sets <see cref="MySqlScriptErrorEventArgs.Ignore"/>, the script continues with the
    /// next statement; otherwise it ends. Without a handler, the exception is thrown.
    /// </summary>
    public event MySqlScriptErrorEventHandler? Error;

    /// <summary>Occurs after the last statement, and after an error that ended the script.</summary>
    public event EventHandler? ScriptCompleted;

    /// <summary>Gets or sets the connection. If it is closed, the script opens it and closes it again.</summary>
    public MySqlConnection? Connection { get; set; }

    /// <summary>Gets or sets the text of the script.</summary>
    public string? Query { get; set; }

    /// <summary>Gets or sets the text that separates statements until a DELIMITER line changes it. Default: a semicolon.</summary>
    /// <exception cref="ArgumentException">The value is null or empty.</exception>
    public string Delimiter
    {
        get => _delimiter;
        set
        {
            ArgumentException.ThrowIfNullOrEmpty(value);
            _delimiter = value;
        }
    }

    /// <summary>Executes the script.</summary>
    /// <returns>The number of executed statements.</returns>
    /// <exception cref="InvalidOperationException">The script has no connection or no text.</exception>
    /// <exception cref="FormatException">A DELIMITER line has no delimiter.</exception>
    /// <exception cref="MySqlException">The server refused a statement and <see cref="Error"/> has no handler, or the connection was lost.</exception>
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
    /// <param name="cancellationToken">Cancels the script and the statement that is running.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
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
            throw new InvalidOperationException("The script has no text: set its Query property.");
        return Connection ?? throw new InvalidOperationException("The script has no connection: set its Connection property.");
    }

    /// <summary>The state of one execution, shared by the synchronous and asynchronous methods.</summary>
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
            // The previous statement may have changed how the session reads quotes.
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

        // If the connection is lost, the script cannot continue.
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

/// <summary>Handles the event that occurs after a statement of a script was executed.</summary>
/// <param name="sender">The script.</param>
/// <param name="args">The statement.</param>
[SuppressMessage("Design", "CA1003", Justification = "Connector/NET's.")]
public delegate void MySqlStatementExecutedEventHandler(object sender, MySqlScriptEventArgs args);

/// <summary>Handles the event that occurs after the server refused a statement of a script.</summary>
/// <param name="sender">The script.</param>
/// <param name="args">The statement and the error.</param>
[SuppressMessage("Design", "CA1003", Justification = "Connector/NET's.")]
public delegate void MySqlScriptErrorEventHandler(object sender, MySqlScriptErrorEventArgs args);

/// <summary>Provides a statement of a script.</summary>
public class MySqlScriptEventArgs : EventArgs
{
    internal MySqlScriptEventArgs(string statementText, int line, int position)
    {
        StatementText = statementText;
        Line = line;
        Position = position;
    }

    /// <summary>Gets the statement's text, without its delimiter and without the comments before it.</summary>
    public string StatementText { get; }

    /// <summary>Gets the line of the script in which the statement begins, counted from 1.</summary>
    public int Line { get; }

    /// <summary>Gets the number of characters before the statement in its line.</summary>
    public int Position { get; }
}

/// <summary>Provides a statement of a script that the server refused.</summary>
public class MySqlScriptErrorEventArgs : MySqlScriptEventArgs
{
    internal MySqlScriptErrorEventArgs(Exception exception, MySqlScriptEventArgs statement)
        : base(statement.StatementText, statement.Line, statement.Position) => Exception = exception;

    /// <summary>Gets the server's error.</summary>
    public Exception Exception { get; }

    /// <summary>Gets or sets whether the script continues with the next statement. Default: false, the script ends.</summary>
    public bool Ignore { get; set; }
}
