using System.Collections;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Net.Sockets;
using System.Security.Authentication;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Errors;
using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql;

/// <summary>
/// The exception for a command that the server rejected (<see cref="SqlState"/> and the fields after it are the server's), or that the network, a time-out or a
/// rule of the driver ended. <see cref="RetrySafety"/> states whether the command may have run.
/// </summary>
public class PgException : DbException
{
    private static readonly ErrorFields NoFields = new(new Dictionary<char, string>());

    private readonly ErrorFields _fields = NoFields;
    private bool _hasData;

    internal PgException(ServerError error, bool includeDetail)
        : base(MessageOf(error, includeDetail))
    {
        _fields = error.Fields is { } fields ? new ErrorFields(fields) : NoFields;
        SqlState = error.SqlState;
        MessageText = error.Message;
        Kind = ErrorKinds.Of(error.SqlState, _fields.EndsSession);
        IsTransient = ErrorKinds.IsTransient(error.SqlState, _fields.EndsSession, error.Message);
        Detail = Shown(_fields.Detail, includeDetail);
        RetrySafety = error.Safety;
    }

    /// <summary>Creates an exception without a message, for example in a test.</summary>
    public PgException() => MessageText = Message;

    /// <summary>Creates an exception with a message, for example in a test.</summary>
    /// <param name="message">The message.</param>
    public PgException(string? message)
        : this(message, (Exception?)null)
    {
    }

    /// <summary>Creates an exception with a message and its cause, for example in a test.</summary>
    /// <param name="message">The message.</param>
    /// <param name="innerException">
    /// The cause; null for none. A <see cref="TimeoutException"/>, <see cref="IOException"/> or <see cref="SocketException"/> makes the exception transient.
    /// </param>
    public PgException(string? message, Exception? innerException)
        : base(message, innerException)
    {
        MessageText = Message;
        IsTransient = innerException is TimeoutException or IOException or SocketException;
    }

    /// <summary>Creates the exception for an error of the server, for example in a test.</summary>
    /// <param name="messageText">The message without the SQLSTATE.</param>
    /// <param name="severity">ERROR, FATAL or PANIC, in the server's language.</param>
    /// <param name="invariantSeverity">The severity, not translated.</param>
    /// <param name="sqlState">The five characters of the SQLSTATE.</param>
    public PgException(string messageText, string severity, string invariantSeverity, string sqlState)
        : this(messageText, severity, invariantSeverity, sqlState, detail: null)
    {
    }

    /// <summary>Creates the exception for an error of the server with all its fields, for example in a test.</summary>
    /// <param name="messageText">The message without the SQLSTATE.</param>
    /// <param name="severity">ERROR, FATAL or PANIC, in the server's language.</param>
    /// <param name="invariantSeverity">The severity, not translated.</param>
    /// <param name="sqlState">The five characters of the SQLSTATE.</param>
    /// <param name="detail">Details of the error; null for none.</param>
    /// <param name="hint">The server's advice; null for none.</param>
    /// <param name="position">The position of the error in the statement, in characters from 1; 0 if unknown.</param>
    /// <param name="internalPosition">The position of the error in <paramref name="internalQuery"/>, in characters from 1; 0 if unknown.</param>
    /// <param name="internalQuery">The text of a command that the server generated; null for none.</param>
    /// <param name="where">The call stack of functions; null for none.</param>
    /// <param name="schemaName">The schema that the error concerns; null for none.</param>
    /// <param name="tableName">The table that the error concerns; null for none.</param>
    /// <param name="columnName">The column that the error concerns; null for none.</param>
    /// <param name="dataTypeName">The type that the error concerns; null for none.</param>
    /// <param name="constraintName">The constraint that the error concerns; null for none.</param>
    /// <param name="file">The file of the server's source code; null for none.</param>
    /// <param name="line">The line of the file; null for none.</param>
    /// <param name="routine">The routine of the server's source code; null for none.</param>
    public PgException(
        string messageText, string severity, string invariantSeverity, string sqlState, string? detail = null, string? hint = null, int position = 0,
        int internalPosition = 0, string? internalQuery = null, string? where = null, string? schemaName = null, string? tableName = null,
        string? columnName = null, string? dataTypeName = null, string? constraintName = null, string? file = null, string? line = null,
        string? routine = null)
        : this(
            ErrorFields.Of(
                messageText, severity, invariantSeverity, sqlState, detail, hint, position, internalPosition, internalQuery, where, schemaName, tableName,
                columnName, dataTypeName, constraintName, file, line, routine).ToServerError(),
            includeDetail: true)
    {
    }

    // For a batch that continued after errors: the first error, and all errors as the inner exception.
    internal PgException(PgException first, IReadOnlyList<PgException> all)
        : base($"The server refused {all.Count} commands of the batch; the inner exception contains all errors. The first error: {first.Message}",
            new AggregateException(all))
    {
        _fields = first._fields;
        SqlState = first.SqlState;
        MessageText = first.MessageText;
        Kind = first.Kind;
        Detail = first.Detail;
        RetrySafety = first.RetrySafety;
        RefusedCommand = first.RefusedCommand;
        IsTransient = all.All(static one => one.IsTransient);
    }

    // The connection was lost during a COMMIT, and the driver has asked for the outcome.
    internal PgException(PgException lost, PgCommitOutcome outcome)
        : base(MeaningOf(outcome, lost.Message), lost)
    {
        _fields = lost._fields;
        SqlState = lost.SqlState;
        MessageText = lost.MessageText;
        Kind = lost.Kind;
        Detail = lost.Detail;
        CommitOutcome = outcome;
        RetrySafety = outcome switch
        {
            PgCommitOutcome.Committed => RetrySafety.NotApplicable,
            PgCommitOutcome.RolledBack => RetrySafety.RolledBack,
            _ => RetrySafety.Unknown,
        };
        // The work of a committed transaction must not be repeated.
        IsTransient = outcome == PgCommitOutcome.RolledBack;
    }

    internal PgException(WireException failure)
        : this(failure.Message, CauseOf(failure))
    {
        Failure = failure.Failure;
        RetrySafety = failure.RetrySafety;
        Kind = failure.Failure switch
        {
            WireFailure.TimedOut or WireFailure.Canceled => ErrorKind.Interrupted,
            WireFailure.Forbidden => ErrorKind.AuthenticationFailed,
            WireFailure.ValueTooLarge => ErrorKind.ValueTooLarge,
            WireFailure.Refused or WireFailure.UnknownHost or WireFailure.Unreachable or WireFailure.Lost or WireFailure.LostOnLargeRequest =>
                ErrorKind.ConnectionLost,
            _ => ErrorKind.Other,
        };
        IsTransient = failure.Failure is WireFailure.Refused or WireFailure.UnknownHost or WireFailure.Unreachable or WireFailure.Lost
            || (failure.Failure == WireFailure.TimedOut && failure.RetrySafety == RetrySafety.NotSent);
    }

    /// <summary>Returns the detail, or what to show instead of it.</summary>
    internal static string? Shown(string? detail, bool includeDetail) => includeDetail || detail is null ? detail
        : "Detail redacted: it may contain values from the data. Set Include Error Detail=true to show it.";

    // What the runtime reported, which programs look for, such as a SocketException or an AuthenticationException; otherwise the kind of failure.
    private static Exception CauseOf(WireException failure) => failure switch
    {
        { Failure: WireFailure.TimedOut } => new TimeoutException(failure.Message, failure.Told()),
        { InnerException: { } cause } when cause.GetBaseException() is SocketException or AuthenticationException => cause.GetBaseException(),
        { InnerException: PgException refusal } => refusal,
        _ => failure.Told(),
    };

    /// <summary>
    /// Gets how the connection failed; null if it did not fail. <see cref="Exception.InnerException"/> may be the runtime's exception instead.
    /// </summary>
    internal WireFailure? Failure { get; }

    /// <summary>Gets the five characters of the SQLSTATE; null if the error did not come from the server.</summary>
    public override string? SqlState { get; }

    /// <summary>
    /// Gets whether a retry of the same work may succeed: after lost connections, deadlocks, serialization failures, and if the server is full or restarting.
    /// </summary>
    public override bool IsTransient { get; }

    /// <summary>Gets the kind of error, in terms that are the same for every database.</summary>
    public ErrorKind Kind { get; internal init; }

    /// <summary>Gets whether the command can be repeated without doing its work twice, if the network or a time-out ended it.</summary>
    public RetrySafety RetrySafety { get; internal init; }

    /// <summary>
    /// Gets what became of the transaction if the connection was lost during its <c>Commit</c>; null for other errors, and without the option Commit Status
    /// Timeout. <see cref="PgCommitOutcome.Committed"/> and <see cref="PgCommitOutcome.RolledBack"/> are certain: <see cref="RetrySafety"/> is then
    /// NotApplicable or RolledBack, and <see cref="IsTransient"/> is true only if the transaction was rolled back. (Not in Npgsql.)
    /// </summary>
    public PgCommitOutcome? CommitOutcome { get; }

    /// <summary>Gets or sets the address of the documentation page that explains the error. It is determined on first use.</summary>
    public override string? HelpLink
    {
        get => base.HelpLink ??= SqlState is { } state ? ErrorPages.LinkOf("postgresql", state) : ErrorPages.LinkOf(this);
        set => base.HelpLink = value;
    }

    /// <summary>
    /// Gets the command of a batch that the server rejected; null if there was no batch. (Npgsql sets it only with Include Failed Batched Command.)
    /// </summary>
    public new PgBatchCommand? BatchCommand
    {
        get => RefusedCommand;
        set => RefusedCommand = value;
    }

    /// <inheritdoc/>
    protected override DbBatchCommand? DbBatchCommand => RefusedCommand;

    internal PgBatchCommand? RefusedCommand { get; set; }

    /// <summary>Gets ERROR, FATAL or PANIC, in the server's language; empty if the error did not come from the server.</summary>
    public string Severity => _fields.Severity;

    /// <summary>Gets the severity, never translated; empty if the error did not come from the server.</summary>
    public string InvariantSeverity => _fields.InvariantSeverity;

    /// <summary>Gets the message without the SQLSTATE.</summary>
    public string MessageText { get; }

    /// <summary>Gets details of the error. They may contain data, so a remark replaces them unless Include Error Detail is on.</summary>
    public string? Detail { get; }

    /// <summary>Gets the server's advice; null if there is none.</summary>
    public string? Hint => _fields.Hint;

    /// <summary>Gets the position of the error in the statement, in characters from 1; 0 if unknown.</summary>
    public int Position => _fields.Position;

    /// <summary>Gets the position of the error in <see cref="InternalQuery"/>, in characters from 1; 0 if unknown.</summary>
    public int InternalPosition => _fields.InternalPosition;

    /// <summary>Gets the text of a command that the server generated, for example in a function; null if there is none.</summary>
    public string? InternalQuery => _fields.InternalQuery;

    /// <summary>Gets the call stack of functions; null if there is none.</summary>
    public string? Where => _fields.Where;

    /// <summary>Gets the schema of the object that the error concerns; null if there is none.</summary>
    public string? SchemaName => _fields.SchemaName;

    /// <summary>Gets the table that the error concerns; null if there is none.</summary>
    public string? TableName => _fields.TableName;

    /// <summary>Gets the column that the error concerns; null if there is none.</summary>
    public string? ColumnName => _fields.ColumnName;

    /// <summary>Gets the type that the error concerns; null if there is none.</summary>
    public string? DataTypeName => _fields.DataTypeName;

    /// <summary>Gets the constraint that the error concerns; null if there is none.</summary>
    public string? ConstraintName => _fields.ConstraintName;

    /// <summary>Gets the file of the server's source code that reported the error; null if the server does not report it.</summary>
    public string? File => _fields.File;

    /// <summary>Gets the line of <see cref="File"/>; null if the server does not report it.</summary>
    public string? Line => _fields.Line;

    /// <summary>Gets the routine of the server's source code; null if the server does not report it.</summary>
    public string? Routine => _fields.Routine;

    /// <summary>Gets the server's fields by their names, for code that prints exceptions of any type.</summary>
    public override IDictionary Data
    {
        get
        {
            var data = base.Data;
            if (!_hasData && SqlState is not null)
            {
                _hasData = true;
                Fill(data);
            }

            return data;
        }
    }

    private void Fill(IDictionary data)
    {
        Add(nameof(Severity), Severity);
        Add(nameof(InvariantSeverity), InvariantSeverity);
        Add(nameof(SqlState), SqlState);
        Add(nameof(MessageText), MessageText);
        Add(nameof(Detail), Detail);
        Add(nameof(Hint), Hint);
        Add(nameof(Position), Position > 0 ? Position : null);
        Add(nameof(InternalPosition), InternalPosition > 0 ? InternalPosition : null);
        Add(nameof(InternalQuery), InternalQuery);
        Add(nameof(Where), Where);
        Add(nameof(SchemaName), SchemaName);
        Add(nameof(TableName), TableName);
        Add(nameof(ColumnName), ColumnName);
        Add(nameof(DataTypeName), DataTypeName);
        Add(nameof(ConstraintName), ConstraintName);
        Add(nameof(File), File);
        Add(nameof(Line), Line);
        Add(nameof(Routine), Routine);

        void Add(string name, object? value)
        {
            if (value is not null and not "")
                data[name] = value;
        }
    }

    private static string MeaningOf(PgCommitOutcome outcome, string error) => outcome switch
    {
        PgCommitOutcome.Committed =>
            $"The connection was lost during the commit, but the transaction was committed: do not repeat it. The error was: {error}",
        PgCommitOutcome.RolledBack =>
            $"The connection was lost before the commit, and the transaction was rolled back: it can be repeated. The error was: {error}",
        PgCommitOutcome.InProgress =>
            "The connection was lost during the commit, and the server has not ended the transaction within Commit Status Timeout: check its changes later. "
                + $"The error was: {error}",
        _ =>
            "The connection was lost during the commit, and the server did not report within Commit Status Timeout whether the transaction was committed: "
                + $"check whether its changes exist. The error was: {error}",
    };

    private static string MessageOf(ServerError error, bool includeDetail)
    {
        var fields = error.Fields is { } all ? new ErrorFields(all) : NoFields;
        var message = $"{error.SqlState}: {error.Message}";
        if (fields.Position > 0)
            message += $"\n\nPOSITION: {fields.Position}";
        if (includeDetail && fields.Detail is { } detail)
            message += $"\n\nDETAIL: {detail}";
        if (fields.Hint is { } hint)
            message += $"\n\nHINT: {hint}";
        if (error.FailedPrefix is not { } prefix)
            return message;
        return error.Safety == RetrySafety.Unknown
            ? $"{message} ({prefix}, which was sent before the command, failed: the command may have run without it.)"
            : $"{message} ({prefix}, which was sent before the command, failed: the command was not run.)";
    }
}
