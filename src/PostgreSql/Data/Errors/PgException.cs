using System.Collections;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Errors;
using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql;

/// <summary>
/// The exception for a command that the server rejected (<see cref="SqlState"/> and the fields after it are the server's), or that the network, a time-out or a
/// rule of the driver ended. <see cref="RetrySafety"/> states whether the command may have run.
/// </summary>
[SuppressMessage(
    "Design", "CA1032:Implement standard exception constructors", Justification = "Only the provider makes it: an exception without its fields would mislead.")]
public sealed class PgException : DbException
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
        Kind = ErrorKinds.Of(error.SqlState);
        IsTransient = ErrorKinds.IsTransient(error.SqlState);
        Detail = includeDetail || _fields.Detail is null ? _fields.Detail : "Detail redacted: it may contain values from the data. Set Include Error "
            + "Detail=true to show it.";
        RetrySafety = error.MayHaveRun ? RetrySafety.Unknown : RetrySafety.NotApplicable;
    }

    internal PgException(string message, Exception? inner = null)
        : base(message, inner)
    {
        MessageText = message;
        IsTransient = inner is TimeoutException;
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

    internal PgException(WireException failure)
        : this(failure.Message, failure.Told())
    {
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

    /// <summary>Gets or sets the address of the documentation page that explains the error. It is determined on first use.</summary>
    public override string? HelpLink
    {
        get => base.HelpLink ??= SqlState is { } state ? ErrorPages.LinkOf("postgresql", state) : ErrorPages.LinkOf(this);
        set => base.HelpLink = value;
    }

    /// <summary>
    /// Gets the command of a batch that the server rejected; null if there was no batch. (Npgsql sets it only with Include Failed Batched Command.)
    /// </summary>
    public new PgBatchCommand? BatchCommand => RefusedCommand;

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
        return error.FailedPrefix is { } prefix ? $"{message} ({prefix}, which was sent before the command, failed: the command was not run.)" : message;
    }
}
