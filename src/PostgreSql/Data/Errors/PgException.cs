using System.Collections;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Errors;
using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql;

/// <summary>
/// The server refused a command (<see cref="SqlState"/> and the fields behind it are its own), or the network, the time or a rule of this client ended it
/// (<see cref="RetrySafety"/> says whether the command may have run).
/// </summary>
[SuppressMessage("Design", "CA1032:Implement standard exception constructors", Justification = "Only the provider makes it: an exception without its fields would mislead.")]
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
        Detail = includeDetail || _fields.Detail is null ? _fields.Detail : "Detail redacted: it may hold values of the data. Include Error Detail=true shows it.";
        RetrySafety = error.MayHaveRun ? RetrySafety.Unknown : RetrySafety.NotApplicable;
    }

    internal PgException(string message, Exception? inner = null)
        : base(message, inner)
    {
        MessageText = message;
        IsTransient = inner is TimeoutException;
    }

    // Of a batch that went on after errors: the first, and all of them as the inner exception.
    internal PgException(PgException first, IReadOnlyList<PgException> all)
        : base($"{all.Count} commands of the batch were refused; the inner exception has all of them. The first: {first.Message}", new AggregateException(all))
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
            WireFailure.Refused or WireFailure.UnknownHost or WireFailure.Unreachable or WireFailure.Lost or WireFailure.LostOnLargeRequest => ErrorKind.ConnectionLost,
            _ => ErrorKind.Other,
        };
        IsTransient = failure.Failure is WireFailure.Refused or WireFailure.UnknownHost or WireFailure.Unreachable or WireFailure.Lost
            || (failure.Failure == WireFailure.TimedOut && failure.RetrySafety == RetrySafety.NotSent);
    }

    /// <summary>The five characters of the SQL standard; null when the error did not come from the server.</summary>
    public override string? SqlState { get; }

    /// <summary>
    /// True when the same work may succeed if it is tried again: lost connections, deadlocks, serialization failures, a server that is full or restarting.
    /// </summary>
    public override bool IsTransient { get; }

    /// <summary>What the error means, in words that are the same for every database.</summary>
    public ErrorKind Kind { get; internal init; }

    /// <summary>Whether the command may be repeated without doing its work twice, when the network or the time ended it.</summary>
    public RetrySafety RetrySafety { get; internal init; }

    /// <summary>The address of the page of the documentation that explains the error. It is found when it is first asked for.</summary>
    public override string? HelpLink
    {
        get => base.HelpLink ??= SqlState is { } state ? ErrorPages.LinkOf("postgresql", state) : ErrorPages.LinkOf(this);
        set => base.HelpLink = value;
    }

    /// <summary>The command of a batch that was refused; null when there was no batch. (Npgsql has it only with Include Failed Batched Command.)</summary>
    public new PgBatchCommand? BatchCommand => RefusedCommand;

    /// <inheritdoc/>
    protected override DbBatchCommand? DbBatchCommand => RefusedCommand;

    internal PgBatchCommand? RefusedCommand { get; set; }

    /// <summary>ERROR, FATAL or PANIC, in the server's language; empty when the error did not come from the server.</summary>
    public string Severity => _fields.Severity;

    /// <summary>The same, never translated.</summary>
    public string InvariantSeverity => _fields.InvariantSeverity;

    /// <summary>The message without the SQLSTATE.</summary>
    public string MessageText { get; }

    /// <summary>More about it. May hold values of the data: it is replaced by a remark unless Include Error Detail is on.</summary>
    public string? Detail { get; }

    /// <summary>What the server advises.</summary>
    public string? Hint => _fields.Hint;

    /// <summary>Where in the statement, counted in characters from 1; 0 when not known.</summary>
    public int Position => _fields.Position;

    /// <summary>The same for <see cref="InternalQuery"/>.</summary>
    public int InternalPosition => _fields.InternalPosition;

    /// <summary>The text of a command that the server made itself, for example in a function.</summary>
    public string? InternalQuery => _fields.InternalQuery;

    /// <summary>The call stack of functions.</summary>
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

    /// <summary>Of the server's own source code, as <see cref="Line"/> and <see cref="Routine"/>.</summary>
    public string? File => _fields.File;

    /// <summary>The line of the server's source; null when it does not say.</summary>
    public string? Line => _fields.Line;

    /// <summary>The routine of the server's source; null when it does not say.</summary>
    public string? Routine => _fields.Routine;

    /// <summary>The server's fields by their names, for what prints exceptions without knowing this one.</summary>
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
        return error.FailedPrefix is { } prefix ? $"{message} ({prefix} failed, which was sent before the command: the command was not run.)" : message;
    }
}
