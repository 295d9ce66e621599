using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql;

/// <summary>A warning or another notice of the server.</summary>
public sealed class PgNotice
{
    internal PgNotice(ErrorFields fields, bool includeDetail)
        : this(
            fields.MessageText, fields.Severity, fields.InvariantSeverity, fields.SqlState, PgException.Shown(fields.Detail, includeDetail), fields.Hint,
            fields.Position, fields.InternalPosition, fields.InternalQuery, fields.Where, fields.SchemaName, fields.TableName, fields.ColumnName,
            fields.DataTypeName, fields.ConstraintName, fields.File, fields.Line, fields.Routine)
    {
    }

    /// <summary>Creates a notice, for example for a test.</summary>
    /// <param name="severity">WARNING, NOTICE, DEBUG, INFO or LOG, in the server's language.</param>
    /// <param name="invariantSeverity">The severity, not translated.</param>
    /// <param name="sqlState">The five characters of the SQLSTATE.</param>
    /// <param name="messageText">The text.</param>
    public PgNotice(string severity, string invariantSeverity, string sqlState, string messageText)
        : this(messageText, severity, invariantSeverity, sqlState, detail: null)
    {
    }

    /// <summary>Creates a notice with all its fields, for example for a test.</summary>
    /// <param name="messageText">The text.</param>
    /// <param name="severity">WARNING, NOTICE, DEBUG, INFO or LOG, in the server's language.</param>
    /// <param name="invariantSeverity">The severity, not translated.</param>
    /// <param name="sqlState">The five characters of the SQLSTATE.</param>
    /// <param name="detail">Details; null for none.</param>
    /// <param name="hint">The server's advice; null for none.</param>
    /// <param name="position">The position in the text of the command, in characters from 1; 0 if unknown.</param>
    /// <param name="internalPosition">The position in <paramref name="internalQuery"/>, in characters from 1; 0 if unknown.</param>
    /// <param name="internalQuery">The text of a command that the server generated; null for none.</param>
    /// <param name="where">The call stack of functions; null for none.</param>
    /// <param name="schemaName">The schema that the notice concerns; null for none.</param>
    /// <param name="tableName">The table that the notice concerns; null for none.</param>
    /// <param name="columnName">The column that the notice concerns; null for none.</param>
    /// <param name="dataTypeName">The type that the notice concerns; null for none.</param>
    /// <param name="constraintName">The constraint that the notice concerns; null for none.</param>
    /// <param name="file">The file of the server's source code; null for none.</param>
    /// <param name="line">The line of the file; null for none.</param>
    /// <param name="routine">The routine of the server's source code; null for none.</param>
    public PgNotice(
        string messageText, string severity, string invariantSeverity, string sqlState, string? detail = null, string? hint = null, int position = 0,
        int internalPosition = 0, string? internalQuery = null, string? where = null, string? schemaName = null, string? tableName = null,
        string? columnName = null, string? dataTypeName = null, string? constraintName = null, string? file = null, string? line = null,
        string? routine = null)
    {
        InvariantSeverity = invariantSeverity;
        Severity = severity;
        SqlState = sqlState;
        MessageText = messageText;
        Detail = detail;
        Hint = hint;
        Position = position;
        InternalPosition = internalPosition;
        InternalQuery = internalQuery;
        Where = where;
        SchemaName = schemaName;
        TableName = tableName;
        ColumnName = columnName;
        DataTypeName = dataTypeName;
        ConstraintName = constraintName;
        File = file;
        Line = line;
        Routine = routine;
    }

    /// <summary>Gets the severity, never translated.</summary>
    public string InvariantSeverity { get; }

    /// <summary>Gets or sets WARNING, NOTICE, DEBUG, INFO or LOG, in the server's language.</summary>
    public string Severity { get; set; }

    /// <summary>Gets or sets the SQLSTATE, five characters.</summary>
    public string SqlState { get; set; }

    /// <summary>Gets or sets the text of the notice.</summary>
    public string MessageText { get; set; }

    /// <summary>Gets or sets details of the notice; null if there are none.</summary>
    public string? Detail { get; set; }

    /// <summary>Gets or sets the server's advice; null if there is none.</summary>
    public string? Hint { get; set; }

    /// <summary>Gets or sets the position in the text of the command, in characters from 1; 0 if unknown.</summary>
    public int Position { get; set; }

    /// <summary>Gets or sets the position in <see cref="InternalQuery"/>, in characters from 1; 0 if unknown.</summary>
    public int InternalPosition { get; set; }

    /// <summary>Gets or sets the text of a command that the server generated, for example in a function; null if there is none.</summary>
    public string? InternalQuery { get; set; }

    /// <summary>Gets or sets the call stack of functions; null if there is none.</summary>
    public string? Where { get; set; }

    /// <summary>Gets or sets the schema of the object that the notice concerns; null if there is none.</summary>
    public string? SchemaName { get; set; }

    /// <summary>Gets or sets the table that the notice concerns; null if there is none.</summary>
    public string? TableName { get; set; }

    /// <summary>Gets or sets the column that the notice concerns; null if there is none.</summary>
    public string? ColumnName { get; set; }

    /// <summary>Gets or sets the type that the notice concerns; null if there is none.</summary>
    public string? DataTypeName { get; set; }

    /// <summary>Gets or sets the constraint that the notice concerns; null if there is none.</summary>
    public string? ConstraintName { get; set; }

    /// <summary>Gets or sets the file of the server's source code that sent the notice; null if the server does not report it.</summary>
    public string? File { get; set; }

    /// <summary>Gets or sets the line of <see cref="File"/>; null if the server does not report it.</summary>
    public string? Line { get; set; }

    /// <summary>Gets or sets the routine of the server's source code; null if the server does not report it.</summary>
    public string? Routine { get; set; }

    /// <inheritdoc/>
    public override string ToString() => $"{Severity}: {SqlState}: {MessageText}";
}

/// <summary>Provides data for the <see cref="PgConnection.Notice"/> event.</summary>
public sealed class PgNoticeEventArgs : EventArgs
{
    internal PgNoticeEventArgs(PgNotice notice) => Notice = notice;

    /// <summary>Gets the server's notice.</summary>
    public PgNotice Notice { get; }
}

/// <summary>Handles the <see cref="PgConnection.Notice"/> event.</summary>
/// <param name="sender">The connection.</param>
/// <param name="e">The notice.</param>
public delegate void PgNoticeEventHandler(object sender, PgNoticeEventArgs e);
