using System.Data.Common;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.Tests.Data;

public class ExceptionTests
{
    [Fact]
    public void The_servers_error_is_told_as_it_came()
    {
        var error = new MySqlException(new ServerError(1062, "23000", "Duplicate entry '1' for key 'PRIMARY'"));
        Assert.Equal((1062, MySqlErrorCode.DuplicateKeyEntry, "23000"), (error.Number, error.ErrorCode, error.SqlState));
        Assert.Equal("Duplicate entry '1' for key 'PRIMARY'", error.Message);
        Assert.Equal((ErrorKind.UniqueViolation, false, RetrySafety.NotApplicable), (error.Kind, error.IsTransient, error.RetrySafety));
        Assert.Equal(1062, error.Data["Server Error Code"]);
        Assert.Equal("23000", ((DbException)error).SqlState);
    }

    [Fact]
    public void Who_has_no_number_has_no_state()
    {
        var error = new MySqlException(new ServerError(1040, "", "Too many connections"));
        Assert.Null(error.SqlState);
        Assert.Null(error.Data["SqlState"]);
    }

    // The errors that MySqlConnector calls transient, and the others that a retry may fix.
    [Theory]
    [InlineData(1040, true)]
    [InlineData(1042, true)]
    [InlineData(1205, true)]
    [InlineData(1213, true)]
    [InlineData(1614, true)]
    [InlineData(1020, true)]
    [InlineData(1053, true)]
    [InlineData(3101, true)]
    [InlineData(3100, true)]
    [InlineData(1047, true)]
    [InlineData(1180, false)]
    [InlineData(1064, false)]
    [InlineData(1062, false)]
    [InlineData(1317, false)]
    [InlineData(1045, false)]
    [InlineData(0, false)]
    [InlineData(-1, false)]
    [InlineData(99999, false)]
    public void Is_transient_when_a_second_try_may_succeed(int number, bool expected) =>
        Assert.Equal(expected, new MySqlException(new ServerError(number, "HY000", "x")).IsTransient);

    [Theory]
    [InlineData("Error while appending streaming replication fragment(provider status: Not connected to Primary Component)", true)]
    [InlineData("Got error 28 \"No space left on device\" during COMMIT", false)]
    public void A_commit_may_succeed_on_another_node_if_Galera_has_removed_this_one(string message, bool expected) =>
        Assert.Equal(expected, new MySqlException(new ServerError(1180, "HY000", message)).IsTransient);

    /// <summary>KILL ends the wait for the certification with an error of its own.</summary>
    [Fact]
    public void A_commit_in_a_group_that_was_cancelled_is_a_cancellation()
    {
        using var source = new MySqlDataSource("Server=localhost");
        var error = new ServerError(3100, "HY000", "Error on observer while running replication hook 'before_commit'.");
        Assert.IsType<OperationCanceledException>(source.Translate(error, Interruption.Canceled, default));
        Assert.Equal(MySqlErrorCode.CommandTimeoutExpired, Assert.IsType<MySqlException>(source.Translate(error, Interruption.TimedOut, default)).ErrorCode);
        Assert.Equal(3100, Assert.IsType<MySqlException>(source.Translate(error, Interruption.None, default)).Number);
    }

    [Theory]
    [InlineData(WireFailure.Refused, RetrySafety.NotSent, MySqlErrorCode.UnableToConnectToHost, true)]
    [InlineData(WireFailure.UnknownHost, RetrySafety.NotSent, MySqlErrorCode.UnableToConnectToHost, true)]
    [InlineData(WireFailure.TlsFailed, RetrySafety.NotSent, MySqlErrorCode.UnableToConnectToHost, false)]
    [InlineData(WireFailure.WrongServer, RetrySafety.NotSent, MySqlErrorCode.UnableToConnectToHost, false)]
    [InlineData(WireFailure.Forbidden, RetrySafety.NotSent, MySqlErrorCode.UnableToConnectToHost, false)]
    [InlineData(WireFailure.TimedOut, RetrySafety.NotSent, MySqlErrorCode.UnableToConnectToHost, true)]
    [InlineData(WireFailure.TimedOut, RetrySafety.Unknown, MySqlErrorCode.CommandTimeoutExpired, false)]
    [InlineData(WireFailure.Lost, RetrySafety.Unknown, MySqlErrorCode.None, true)]
    [InlineData(WireFailure.Canceled, RetrySafety.Unknown, MySqlErrorCode.QueryInterrupted, false)]
    public void The_network_and_the_time_have_numbers_of_MySqlConnector(WireFailure failure, RetrySafety safety, MySqlErrorCode code, bool isTransient)
    {
        var cause = new WireException(failure, "what happened") { RetrySafety = safety };
        var error = MySqlException.From(cause);
        Assert.Equal((code, safety, "what happened"), (error.ErrorCode, error.RetrySafety, error.Message));
        Assert.Equal(isTransient, error.IsTransient);
        Assert.Equal(failure, Assert.IsType<WireException>(error.InnerException).Failure);
        Assert.Null(error.SqlState);
    }

    [Fact]
    public void A_command_that_ran_out_of_time_says_the_same_whether_its_session_survived_or_not()
    {
        using var source = new MySqlDataSource("Server=localhost");
        foreach (var exception in new[]
        {
            source.Translate(new WireException(WireFailure.Lost, "gone"), Interruption.TimedOut, "while waiting", default),
            source.Translate(new ServerError(1317, "70100", "interrupted"), Interruption.TimedOut, default),
            source.CreateInterrupted(Interruption.TimedOut, default),
        })
        {
            var error = Assert.IsType<MySqlException>(exception);
            Assert.Equal(
                (MySqlErrorCode.CommandTimeoutExpired, RetrySafety.Unknown, ErrorKind.Interrupted, false),
                (error.ErrorCode, error.RetrySafety, error.Kind, error.IsTransient));
        }
    }

    [Fact]
    public void A_failed_prefix_says_that_the_command_may_have_run_without_it()
    {
        var error = new MySqlException(new ServerError(1205, "HY000", "Lock wait timeout exceeded")
        {
            FailedPrefix = "START TRANSACTION",
            Safety = RetrySafety.Unknown,
        });
        Assert.Equal(RetrySafety.Unknown, error.RetrySafety);
        Assert.Contains("START TRANSACTION, which was sent before the command, failed", error.Message, StringComparison.Ordinal);
        Assert.Contains("may have run without it", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_broken_protocol_is_an_invalid_operation()
    {
        var error = new MySqlProtocolException(new ProtocolException("OK", "0x17"));
        Assert.IsAssignableFrom<InvalidOperationException>(error);
        Assert.Contains("expected OK, but received 0x17", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Error_codes_are_named_as_in_MySqlConnector()
    {
        Assert.Equal(693, Enum.GetNames<MySqlErrorCode>().Length);
        Assert.Equal(1042, (int)MySqlErrorCode.UnableToConnectToHost);
        Assert.Equal(-1, (int)MySqlErrorCode.CommandTimeoutExpired);
        Assert.Equal(3165, (int)MySqlErrorCode.InvalidJsonPathArrayCell);
    }
}
