using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql;

/// <summary>A warning or other remark of the server.</summary>
public sealed class PgNotice
{
    private readonly ErrorFields _fields;

    internal PgNotice(ErrorFields fields) => _fields = fields;

    /// <summary>WARNING, NOTICE, DEBUG, INFO or LOG, in the server's language.</summary>
    public string Severity => _fields.Severity;

    /// <summary>The same, never translated.</summary>
    public string InvariantSeverity => _fields.InvariantSeverity;

    /// <summary>Its SQLSTATE.</summary>
    public string SqlState => _fields.SqlState;

    /// <summary>Its text.</summary>
    public string MessageText => _fields.MessageText;

    /// <summary>What there is to know beside the text; null when there is nothing.</summary>
    public string? Detail => _fields.Detail;

    /// <summary>What could be done; null when there is nothing.</summary>
    public string? Hint => _fields.Hint;

    /// <summary>The place in the text of the command, in characters from 1; 0 when there is none.</summary>
    public int Position => _fields.Position;

    /// <summary>The context in which it arose; null when there is none.</summary>
    public string? Where => _fields.Where;

    /// <summary>The schema of the object it is about; null when there is none.</summary>
    public string? SchemaName => _fields.SchemaName;

    /// <summary>The table it is about; null when there is none.</summary>
    public string? TableName => _fields.TableName;

    /// <summary>The column it is about; null when there is none.</summary>
    public string? ColumnName => _fields.ColumnName;

    /// <summary>The type it is about; null when there is none.</summary>
    public string? DataTypeName => _fields.DataTypeName;

    /// <summary>The constraint it is about; null when there is none.</summary>
    public string? ConstraintName => _fields.ConstraintName;

    /// <inheritdoc/>
    public override string ToString() => $"{Severity}: {SqlState}: {MessageText}";
}

/// <summary>Carries a <see cref="PgNotice"/> to the <see cref="PgConnection.Notice"/> event.</summary>
public sealed class PgNoticeEventArgs : EventArgs
{
    internal PgNoticeEventArgs(PgNotice notice) => Notice = notice;

    /// <summary>What the server said.</summary>
    public PgNotice Notice { get; }
}

/// <summary>Hears the server's remarks while a connection is open.</summary>
public delegate void PgNoticeEventHandler(object sender, PgNoticeEventArgs e);
