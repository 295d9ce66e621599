using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql;

/// <summary>A warning or another notice of the server.</summary>
public sealed class PgNotice
{
    private readonly ErrorFields _fields;

    internal PgNotice(ErrorFields fields) => _fields = fields;

    /// <summary>Gets WARNING, NOTICE, DEBUG, INFO or LOG, in the server's language.</summary>
    public string Severity => _fields.Severity;

    /// <summary>Gets the severity, never translated.</summary>
    public string InvariantSeverity => _fields.InvariantSeverity;

    /// <summary>Gets the SQLSTATE, five characters.</summary>
    public string SqlState => _fields.SqlState;

    /// <summary>Gets the text of the notice.</summary>
    public string MessageText => _fields.MessageText;

    /// <summary>Gets details of the notice; null if there are none.</summary>
    public string? Detail => _fields.Detail;

    /// <summary>Gets the server's advice; null if there is none.</summary>
    public string? Hint => _fields.Hint;

    /// <summary>Gets the position in the text of the command, in characters from 1; 0 if unknown.</summary>
    public int Position => _fields.Position;

    /// <summary>Gets the call stack of functions; null if there is none.</summary>
    public string? Where => _fields.Where;

    /// <summary>Gets the schema of the object that the notice concerns; null if there is none.</summary>
    public string? SchemaName => _fields.SchemaName;

    /// <summary>Gets the table that the notice concerns; null if there is none.</summary>
    public string? TableName => _fields.TableName;

    /// <summary>Gets the column that the notice concerns; null if there is none.</summary>
    public string? ColumnName => _fields.ColumnName;

    /// <summary>Gets the type that the notice concerns; null if there is none.</summary>
    public string? DataTypeName => _fields.DataTypeName;

    /// <summary>Gets the constraint that the notice concerns; null if there is none.</summary>
    public string? ConstraintName => _fields.ConstraintName;

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
