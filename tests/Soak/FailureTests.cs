using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Soak.Checks;

namespace Slipstream.Soak.Tests;

/// <summary>The soak reads both providers' exceptions the same way.</summary>
public sealed class FailureTests : IDisposable
{
    private readonly Core.Data.ProviderDataSource[] _sources = [new MySqlDataSource("Server=localhost"), PgDataSource.Create("Host=localhost")];

    public void Dispose() => Array.ForEach(_sources, static source => source.Dispose());

    [Fact]
    public void A_lost_session_is_transient_and_unknown_or_not_sent()
    {
        foreach (var source in _sources)
        {
            foreach (var (safety, outcome) in new[]
            {
                (RetrySafety.NotSent, Outcome.NotSent), (RetrySafety.Unknown, Outcome.Unknown), (RetrySafety.RolledBack, Outcome.Refused),
            })
            {
                var failure =
                    Failure.Of(source.Translate(new WireException(WireFailure.Lost, "gone") { RetrySafety = safety }, Interruption.None, "", default));
                Assert.Equal((ErrorKind.ConnectionLost, true, outcome, true), (failure.Kind, failure.IsTransient, failure.Outcome, failure.IsDocumented));
            }
        }
    }

    /// <summary>The judge allows it only for large commands: it is unknown whether the error is transient.</summary>
    [Fact]
    public void A_session_lost_under_a_large_command_is_told_from_others()
    {
        var large = Failure.Of(
            _sources[0].Translate(
                new WireException(WireFailure.LostOnLargeRequest, "may be more than the server's max_allowed_packet"), Interruption.None, "", default));
        Assert.Equal((ErrorKind.ConnectionLost, false, true), (large.Kind, large.IsTransient, large.SuspectsSize));
        Assert.False(Failure.Of(_sources[0].Translate(new WireException(WireFailure.Lost, "gone"), Interruption.None, "", default)).SuspectsSize);
    }

    [Fact]
    public void A_cancelled_change_is_unknown_and_others_exceptions_are_not_expected()
    {
        var canceled = Failure.Of(new OperationCanceledException());
        Assert.Equal((Outcome.Unknown, true, true), (canceled.Outcome, canceled.IsCanceled, canceled.IsDocumented));
        Assert.False(Failure.Of(new ObjectDisposedException("x")).IsDocumented);
        Assert.False(Failure.Of(new InvalidOperationException("x")).IsDocumented);
    }

    [Fact]
    public void Failures_of_one_sort_have_one_text()
    {
        string Sort(int port) =>
            Failure.Of(_sources[0].Translate(new WireException(WireFailure.Refused, $"127.0.0.1:{port} refused"), Interruption.None, "", default)).Sort;
        Assert.Equal(Sort(23306), Sort(5));
    }
}
