using Slipstream.Core.Errors;
using Slipstream.MySql;

namespace Slipstream.Architecture.Messages;

/// <summary>Checks Kind, IsTransient, RetrySafety, number and state of the exceptions, which retry policies use.</summary>
public class WhatErrorsSay
{
    public static TheoryData<int, string, ErrorKind, bool> Numbers => ServerErrors.Table;

    public static TheoryData<string, ErrorKind, bool> States => ServerErrors.StateTable;

    /// <summary>Checks MySqlConnector's own list (its documentation of MySqlException.IsTransient).</summary>
    [Theory]
    [InlineData(MySqlErrorCode.ConnectionCountError)]
    [InlineData(MySqlErrorCode.UnableToConnectToHost)]
    [InlineData(MySqlErrorCode.LockWaitTimeout)]
    [InlineData(MySqlErrorCode.LockDeadlock)]
    [InlineData(MySqlErrorCode.XARBDeadlock)]
    public void What_MySqlConnector_calls_transient_is(MySqlErrorCode code) =>
        Assert.True(ExceptionFacts.MySql(new ServerError((int)code, "HY000", "")).IsTransient);

    [Theory]
    [MemberData(nameof(Numbers))]
    public void An_error_of_MySQL_says_what_its_document_says(int number, string state, ErrorKind kind, bool isTransient)
    {
        var error = ExceptionFacts.MySql(new ServerError(number, state, "the server's words"));
        Assert.Equal((number, number, state, kind, isTransient), (error.Number, (int)error.ErrorCode, error.SqlState, error.Kind, error.IsTransient));
        Assert.Equal(RetrySafety.NotApplicable, error.RetrySafety);
        Assert.Equal("the server's words", error.Message);
        Assert.StartsWith("Slipstream.MySql.MySqlException (0x80004005): the server's words", error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(States))]
    public void A_state_of_PostgreSQL_says_what_its_document_says(string state, ErrorKind kind, bool isTransient)
    {
        var error = ExceptionFacts.Pg(new ServerError(0, state, "the server's words"));
        Assert.Equal((state, kind, isTransient), (error.SqlState, error.Kind, error.IsTransient));
        Assert.Equal(RetrySafety.NotApplicable, error.RetrySafety);
        Assert.StartsWith($"Slipstream.PostgreSql.PgException (0x80004005): {state}: the server's words", error.ToString(), StringComparison.Ordinal);
    }

    // A request that was sent before the command failed. MySQL runs the command nevertheless, and PostgreSQL does not, but the session's state is uncertain.
    [Fact]
    public void A_prefix_that_failed_leaves_it_unknown_whether_the_command_ran()
    {
        var error = new ServerError(1227, "42000", "no") { FailedPrefix = "BEGIN", Safety = RetrySafety.Unknown };
        Assert.Equal(RetrySafety.Unknown, ExceptionFacts.MySql(error).RetrySafety);
        Assert.Equal(RetrySafety.Unknown, ExceptionFacts.Pg(error).RetrySafety);
    }

    [Theory]
    [InlineData(WireFailure.Refused, RetrySafety.NotSent, 1042, ErrorKind.ConnectionLost, true)]
    [InlineData(WireFailure.UnknownHost, RetrySafety.NotSent, 1042, ErrorKind.ConnectionLost, true)]
    [InlineData(WireFailure.Unreachable, RetrySafety.NotSent, 1042, ErrorKind.ConnectionLost, true)]
    [InlineData(WireFailure.TimedOut, RetrySafety.NotSent, 1042, ErrorKind.Interrupted, true)]
    [InlineData(WireFailure.TimedOut, RetrySafety.Unknown, -1, ErrorKind.Interrupted, false)]
    [InlineData(WireFailure.Canceled, RetrySafety.Unknown, 1317, ErrorKind.Interrupted, false)]
    [InlineData(WireFailure.Lost, RetrySafety.NotSent, 1042, ErrorKind.ConnectionLost, true)]
    [InlineData(WireFailure.Lost, RetrySafety.Unknown, 0, ErrorKind.ConnectionLost, true)]
    [InlineData(WireFailure.LostOnLargeRequest, RetrySafety.Unknown, 0, ErrorKind.ConnectionLost, false)]
    [InlineData(WireFailure.TlsNotOffered, RetrySafety.NotSent, 1042, ErrorKind.Other, false)]
    [InlineData(WireFailure.TlsFailed, RetrySafety.NotSent, 1042, ErrorKind.Other, false)]
    [InlineData(WireFailure.WrongServer, RetrySafety.NotSent, 1042, ErrorKind.Other, false)]
    [InlineData(WireFailure.Forbidden, RetrySafety.NotSent, 1042, ErrorKind.AuthenticationFailed, false)]
    [InlineData(WireFailure.ValueTooLarge, RetrySafety.Unknown, 0, ErrorKind.ValueTooLarge, false)]
    public void A_failure_of_the_wire_says_whether_it_may_be_repeated(WireFailure failure, RetrySafety safety, int number, ErrorKind kind, bool isTransient)
    {
        var cause = new WireException(failure, "what happened") { RetrySafety = safety };
        var mySql = ExceptionFacts.MySql(cause);
        Assert.Equal((number, kind, isTransient, safety, null), (mySql.Number, mySql.Kind, mySql.IsTransient, mySql.RetrySafety, mySql.SqlState));
        var pg = ExceptionFacts.Pg(cause);
        Assert.Equal((kind, isTransient, safety, null), (pg.Kind, pg.IsTransient, pg.RetrySafety, pg.SqlState));
        Assert.Contains("what happened", mySql.ToString(), StringComparison.Ordinal);
        Assert.Equal(failure, Assert.IsType<WireException>(mySql.InnerException).Failure);
    }

    // While a connection is being opened, no command has reached the server. Each failure must report this.
    [Fact]
    public void What_fails_while_connecting_was_not_sent() => Report.Empty(
        ThrownMessages.All
            .Where(
                message =>
                    message is
                    {
                        Exception: "WireException",
                        Safety: not "NotSent",
                        Reason: "Refused" or "UnknownHost" or "Unreachable" or "TlsNotOffered" or "TlsFailed" or "WrongServer"
                    }
                    || (
                        message is { Exception: "WireException", Safety: not "NotSent" }
                            && (
                                message.Place.Contains("/Conversations/Connecting/", StringComparison.Ordinal)
                                    || message.Place.Contains("/Authentication/", StringComparison.Ordinal))))
            .Where(message => !message.Place.StartsWith("PostgreSql/Conversations/Connecting/Cancel.cs", StringComparison.Ordinal))
            .Select(message => $"src/{message.Place}: RetrySafety = RetrySafety.NotSent is missing: {message.Proposal}"));
}
