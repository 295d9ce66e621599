using Slipstream.Core.Errors;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>The attempts at several servers, in their order, and the failures so far.</summary>
/// <param name="opener">Knows which refusals allow an attempt at another server.</param>
/// <param name="order">The servers in the order of the attempts.</param>
internal sealed class HostAttempts(SessionOpener opener, Host[] order)
{
    private readonly List<Exception> _failures = [];
    private int _next;

    /// <summary>The server of the current attempt.</summary>
    public Host Host => order[_next - 1];

    /// <summary>
    /// Begins the attempt at the next server. The attempt is counted before the session is opened, so that concurrent openings spread over the servers.
    /// </summary>
    /// <returns>The attempt's share of the remaining time; null if all servers have been tried.</returns>
    public DialScope? Next(DialScope scope)
    {
        if (_next == order.Length)
            return null;
        order[_next++].Enter();
        return scope.ShareAmong(order.Length - _next + 1, opener.HostTimeout);
    }

    /// <summary>Records that the attempt has succeeded.</summary>
    public void Succeeded(Session session)
    {
        Host.Answered();
        session.At(Host);
    }

    /// <summary>Records that the attempt has failed.</summary>
    /// <returns>Whether another server may succeed.</returns>
    public bool Failed(Exception exception, DialScope scope)
    {
        Host.Leave();
        _failures.Add(exception);
        if (scope.HasEnded)
            return false;
        if (exception is WireException)
            Host.Failed(Clock.Now, Random.Shared.NextDouble());
        return exception is WireException || exception is ServerRefusedException refused && opener.MayTryNext(refused.Error);
    }

    /// <summary>The exception for the caller after all attempts have failed.</summary>
    public Exception Failure => AllFailed() ?? _failures[^1];

    private WireException? AllFailed() => _failures.Find(static failure => failure is WireException) is not WireException first ? null : new(
        first.Failure,
        $"None of the {order.Length} servers could be used. {string.Join(" ", _failures.Select((failure, at) => $"{order[at].Endpoint}: {failure.Message}"))}",
        first)
    { RetrySafety = RetrySafety.NotSent };
}
