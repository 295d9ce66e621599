using System.Net.Sockets;
using System.Security.Authentication;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql;

namespace Slipstream.PostgreSql.Tests.Data;

/// <summary>What an exception reports about a retry.</summary>
public sealed class ExceptionTests : IDisposable
{
    private readonly PgDataSource _source = PgDataSource.Create("Host=localhost");

    public void Dispose() => _source.Dispose();

    [Fact]
    public void A_command_that_ran_out_of_time_may_have_run()
    {
        var lost = new WireException(WireFailure.Lost, "gone");
        Expect(RetrySafety.Unknown, _source.Translate(lost, Interruption.TimedOut, "while waiting", default));
        Expect(RetrySafety.Unknown, _source.Translate(new ServerError(0, "57014", "canceling statement"), Interruption.TimedOut, default));
        Expect(RetrySafety.Unknown, _source.CreateInterrupted(Interruption.TimedOut, default));
    }

    [Fact]
    public void A_command_that_its_method_Cancel_stopped_was_cancelled_and_any_other_was_refused()
    {
        var stopped = new ServerError(0, "57014", "canceling statement");
        Assert.IsType<PgException>(Assert.IsType<OperationCanceledException>(_source.Translate(stopped, Interruption.Asked, default)).InnerException);
        Assert.IsType<PgException>(_source.Translate(stopped, Interruption.None, default));
        Assert.IsType<PgException>(_source.Translate(new ServerError(0, "23505", "duplicate"), Interruption.Asked, default));
    }

    [Fact]
    public void The_inner_exception_is_what_the_runtime_reported()
    {
        var refused = new WireException(WireFailure.Refused, "refused", new SocketException((int)SocketError.ConnectionRefused));
        Assert.Same(refused.InnerException, _source.Translate(refused, Interruption.None, "", default).InnerException);
        var untrusted = new WireException(WireFailure.TlsFailed, "untrusted", new InvalidOperationException("at", new AuthenticationException()));
        Assert.IsType<AuthenticationException>(_source.Translate(untrusted, Interruption.None, "", default).InnerException);
        var late = new WireException(WireFailure.TimedOut, "late");
        Assert.IsType<TimeoutException>(_source.Translate(late, Interruption.None, "", default).InnerException);
        Assert.IsType<WireException>(_source.Translate(new WireException(WireFailure.Lost, "gone"), Interruption.None, "", default).InnerException);
    }

    [Fact]
    public void A_caller_who_got_no_connection_has_sent_nothing() =>
        Expect(
            RetrySafety.NotSent, _source.Translate(new PoolExhaustedException("No connection became free"), Interruption.None, "", default),
            ErrorKind.TooManyConnections);

    [Fact]
    public void A_command_whose_answer_is_not_understood_may_have_run()
    {
        var error = Assert.IsType<PgException>(_source.Translate(new ProtocolException("a row", "noise"), Interruption.None, "", default));
        Assert.Equal(RetrySafety.Unknown, error.RetrySafety);
    }

    [Theory]
    [InlineData("57P01", true)]
    [InlineData("57P02", true)]
    [InlineData("57P03", true)]
    [InlineData("57P05", true)]
    [InlineData("08006", true)]
    [InlineData("40001", true)]
    [InlineData("57014", false)]
    [InlineData("42601", false)]
    [InlineData("25006", false)]
    public void Is_transient_when_a_second_try_may_succeed(string sqlState, bool expected) =>
        Assert.Equal(expected, new PgException(new ServerError(0, sqlState, "x"), false).IsTransient);

    // PgBouncer closes a connection with 08P01, whatever the reason. A server uses it for a wrong message, and goes on.
    [Theory]
    [InlineData("ERROR", "insufficient data left in message", ErrorKind.Other, false)]
    [InlineData("FATAL", "server login has been failing, cached error: connect failed", ErrorKind.ConnectionLost, true)]
    [InlineData("FATAL", "unsupported startup parameter: statement_timeout", ErrorKind.ConnectionLost, false)]
    [InlineData("FATAL", "unsupported startup parameter in options: statement_timeout", ErrorKind.ConnectionLost, false)]
    public void A_violation_of_the_protocol_is_transient_only_as_words_of_a_pooler(string severity, string message, ErrorKind kind, bool isTransient)
    {
        var error = new PgException(message, severity, severity, PgErrorCodes.ProtocolViolation);
        Assert.Equal((kind, isTransient), (error.Kind, error.IsTransient));
    }

    private static void Expect(RetrySafety safety, Exception exception, ErrorKind kind = ErrorKind.Interrupted)
    {
        var error = Assert.IsType<PgException>(exception);
        Assert.Equal((safety, kind), (error.RetrySafety, error.Kind));
        Assert.True(error.IsTransient);
    }
}
