using Slipstream.Core.Errors;
using Slipstream.Core.Time;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>Several servers in the order in which they are tried, and why those that were tried could not be used.</summary>
/// <param name="opener">Knows which refusals another server may not make.</param>
/// <param name="order">The servers, the first first.</param>
internal sealed class HostAttempts(SessionOpener opener, Host[] order)
{
    private readonly List<Exception> _failures = [];
    private int _next;

    /// <summary>The server of the attempt under way.</summary>
    public Host Host => order[_next - 1];

    /// <summary>
    /// Begins the attempt at the next server. It is announced before it is opened, so that those who open at the same time spread over the servers.
    /// </summary>
    /// <returns>Its part of the time that is left; null when all have been tried.</returns>
    public DialScope? Next(DialScope scope)
    {
        if (_next == order.Length)
            return null;
        order[_next++].Enter();
        return scope.ShareAmong(order.Length - _next + 1, opener.HostTimeout);
    }

    /// <summary>The attempt has succeeded.</summary>
    public void Succeeded(Session session)
    {
        Host.Answered();
        session.At(Host);
    }

    /// <summary>The attempt has failed.</summary>
    /// <returns>Whether another server may do better.</returns>
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

    /// <summary>What the caller is told when all have failed.</summary>
    public Exception Failure => NobodyCould() ?? _failures[^1];

    private WireException? NobodyCould() => _failures.Find(static failure => failure is WireException) is not WireException first ? null : new(
        first.Failure, $"None of the {order.Length} servers could be used. {string.Join(" ", _failures.Select((failure, at) => $"{order[at].Endpoint}: {failure.Message}"))}", first)
    { RetrySafety = RetrySafety.NotSent };
}
