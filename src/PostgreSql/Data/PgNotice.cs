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

    public string SqlState => _fields.SqlState;

    public string MessageText => _fields.MessageText;

    public string? Detail => _fields.Detail;

    public string? Hint => _fields.Hint;

    public int Position => _fields.Position;

    public string? Where => _fields.Where;

    public string? SchemaName => _fields.SchemaName;

    public string? TableName => _fields.TableName;

    public string? ColumnName => _fields.ColumnName;

    public string? DataTypeName => _fields.DataTypeName;

    public string? ConstraintName => _fields.ConstraintName;

    public override string ToString() => $"{Severity}: {SqlState}: {MessageText}";
}

/// <summary>Carries a <see cref="PgNotice"/> to the <see cref="PgConnection.Notice"/> event.</summary>
public sealed class PgNoticeEventArgs : EventArgs
{
    internal PgNoticeEventArgs(PgNotice notice) => Notice = notice;

    public PgNotice Notice { get; }
}

/// <summary>Hears the server's remarks while a connection is open.</summary>
public delegate void PgNoticeEventHandler(object sender, PgNoticeEventArgs e);
