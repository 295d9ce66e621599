using System.Collections;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.Serialization;
using Slipstream.Core.Errors;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Errors;

namespace Slipstream.MySql;

/// <summary>
/// The server refused a command, or the network or a time limit ended it. For a refusal, <see cref="Number"/> and <see cref="SqlState"/> are the server's.
/// Otherwise <see cref="RetrySafety"/> shows whether the command may have run.
/// </summary>
[SuppressMessage(
    "Design", "CA1032:Implement standard exception constructors", Justification = "Only the provider makes it: an exception without its number would mislead.")]
public sealed class MySqlException : DbException
{
    private readonly bool _isTransient;
    private IDictionary? _data;

    internal MySqlException(ServerError error)
        : this((MySqlErrorCode)error.Number, error.SqlState, MessageOf(error), null)
    {
        RetrySafety = error.Safety;
        _isTransient |= ErrorKinds.IsOutsidePrimaryComponent(error) && !ThisAssembly.Conventions.KnowsFewerTransientErrors;
    }

    internal MySqlException(MySqlErrorCode code, string message, Exception? inner = null)
        : this(code, "", message, inner)
    {
    }

    /// <summary>Creates a client error that has a server error as its cause. It keeps the cause's SQLSTATE, kind and retry safety.</summary>
    internal MySqlException(MySqlErrorCode code, string message, MySqlException cause)
        : this(code, cause.SqlState ?? "", message, cause)
    {
        Kind = cause.Kind;
        RetrySafety = cause.RetrySafety;
        _isTransient = cause.IsTransient && !ThisAssembly.Conventions.KnowsFewerTransientErrors;
    }

    private MySqlException(MySqlErrorCode code, string sqlState, string message, Exception? inner)
        : base(message, inner)
    {
        ErrorCode = code;
        SqlState = sqlState.Length == 0 ? null : sqlState;
        Kind = ErrorKinds.Of((int)code);
        // A command that timed out would time out again, whether its session survived or not.
        _isTransient = ThisAssembly.Conventions.KnowsFewerTransientErrors ? ErrorKinds.IsTransientForMySqlConnector((int)code) :
            code != MySqlErrorCode.CommandTimeoutExpired && inner is WireException failure ? IsTransientFailure(failure) : ErrorKinds.IsTransient((int)code);
    }

    /// <summary>
    /// Gets the server's error number. Client errors have numbers of <see cref="MySqlErrorCode"/> too; most of them have 1042 (unable to connect).
    /// </summary>
    public int Number => (int)ErrorCode;

    /// <summary>Gets the error number as a member of the enumeration. A number without a name is a valid value too.</summary>
    public new MySqlErrorCode ErrorCode { get; }

    /// <summary>Gets the five-character SQLSTATE of the SQL standard; null if the error does not come from the server.</summary>
    public override string? SqlState { get; }

    /// <summary>
    /// Gets whether the same work may succeed if it is repeated: after deadlocks, lock timeouts, lost connections, and if a server is full or restarting.
    /// </summary>
    public override bool IsTransient => _isTransient;

    /// <summary>Gets the meaning of the error, independent of the database.</summary>
    public ErrorKind Kind { get; internal init; }

    /// <summary>Gets whether the command can be repeated without doing its work twice, after the network or a time limit ended it.</summary>
    public RetrySafety RetrySafety { get; internal init; }

    /// <summary>Gets or sets the address of the documentation page that explains the error. The driver looks up the page at the first access.</summary>
    public override string? HelpLink
    {
        get => base.HelpLink ??= IsFromServer ? ErrorPages.LinkOf("mysql", Number.ToString(CultureInfo.InvariantCulture)) : ErrorPages.LinkOf(this);
        set => base.HelpLink = value;
    }

    // A client error keeps the SQLSTATE of its cause, which is then its inner exception.
    private bool IsFromServer => SqlState is not null && Number > 0 && InnerException is not MySqlException;

    /// <summary>Gets the command of a batch that the server refused.</summary>
    protected override DbBatchCommand? DbBatchCommand => RefusedCommand;

    /// <summary>The refused command; set by the batch.</summary>
    internal MySqlBatchCommand? RefusedCommand { get; set; }

    /// <summary>Gets the exception's data. It contains "Server Error Code" and "SqlState" for loggers that print it.</summary>
    public override IDictionary Data
    {
        get
        {
            if (_data is null)
            {
                _data = base.Data;
                _data["Server Error Code"] = Number;
                _data["SqlState"] = SqlState;
            }

            return _data;
        }
    }

    /// <inheritdoc/>
    [Obsolete("The runtime no longer serializes exceptions this way.", DiagnosticId = "SYSLIB0051")]
    public override void GetObjectData(SerializationInfo info, StreamingContext context)
    {
        base.GetObjectData(info, context);
        info.AddValue(nameof(Number), Number);
        info.AddValue(nameof(SqlState), SqlState);
    }

    /// <summary>
    /// Returns the exception for a server error. For a DELIMITER command, whose server error is only a syntax error, the exception explains the cause.
    /// </summary>
    internal static MySqlException Refused(ServerError error)
    {
        var refusal = new MySqlException(error);
        return refusal.ErrorCode == MySqlErrorCode.ParseError && error.Message.Contains("near 'delimiter", StringComparison.OrdinalIgnoreCase)
            ? new MySqlException(
                MySqlErrorCode.DelimiterNotSupported,
                "DELIMITER is a command of the mysql client, which the server does not know: run the text as a MySqlScript, or remove DELIMITER and execute "
                + "each statement as a separate command.",
                refusal) { Kind = refusal.Kind }
            : refusal;
    }

    internal static MySqlException From(WireException failure) =>
        new(CodeOf(failure), "", failure.Message, CauseOf(failure)) { RetrySafety = failure.RetrySafety, Kind = KindOf(failure.Failure) };

    private static Exception CauseOf(WireException failure)
    {
        var told = failure.Told();
        return failure.Failure == WireFailure.Lost && ThisAssembly.Conventions.ReportsLossAsEndOfStream ? new EndOfStreamException(told.Message, told) : told;
    }

    // MySqlConnector's numbers: 1042 for everything that prevents a connection, −1 for a command timeout, 0 for a connection that was lost later.
    private static MySqlErrorCode CodeOf(WireException failure) => failure.Failure switch
    {
        WireFailure.TimedOut => failure.RetrySafety == RetrySafety.NotSent ? MySqlErrorCode.UnableToConnectToHost : MySqlErrorCode.CommandTimeoutExpired,
        WireFailure.Lost => failure.RetrySafety == RetrySafety.NotSent ? MySqlErrorCode.UnableToConnectToHost : MySqlErrorCode.None,
        WireFailure.Canceled => MySqlErrorCode.QueryInterrupted,
        WireFailure.ValueTooLarge or WireFailure.LostOnLargeRequest => MySqlErrorCode.None,
        _ => MySqlErrorCode.UnableToConnectToHost,
    };

    private static ErrorKind KindOf(WireFailure failure) => failure switch
    {
        WireFailure.TimedOut or WireFailure.Canceled => ErrorKind.Interrupted,
        WireFailure.Forbidden => ErrorKind.AuthenticationFailed,
        WireFailure.ValueTooLarge => ErrorKind.ValueTooLarge,
        WireFailure.Refused or WireFailure.UnknownHost or WireFailure.Unreachable or WireFailure.Lost or WireFailure.LostOnLargeRequest =>
            ErrorKind.ConnectionLost,
        _ => ErrorKind.Other,
    };

    // A command that is too large remains too large: repeating it would lose one connection after the other.
    // A refused certificate and a wrong server remain so, although they have the number of a failed connection.
    private static bool IsTransientFailure(WireException failure) => failure.Failure switch
    {
        WireFailure.Refused or WireFailure.UnknownHost or WireFailure.Unreachable or WireFailure.Lost => true,
        WireFailure.TimedOut => failure.RetrySafety == RetrySafety.NotSent,
        _ => false,
    };

    private static string MessageOf(ServerError error) => error.FailedPrefix is { } prefix
        ? error.Safety == RetrySafety.NotSent
            ? $"{error.Message} ({prefix}, which was sent before the command, failed: the command was not sent. The connection is closed.)"
            : $"{error.Message} ({prefix}, which was sent before the command, failed: the command may have run without it. The connection is closed.)"
        : error.Message;
}
