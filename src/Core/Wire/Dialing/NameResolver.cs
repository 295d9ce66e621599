using System.Net;
using Slipstream.Core.Time;

namespace Slipstream.Core.Wires;

/// <summary>
/// Resolves names for blocking callers. The system's resolver cannot be interrupted, so it runs on another thread and is abandoned when the time runs out.
/// </summary>
internal static class NameResolver
{
    /// <summary>Returns the addresses of a name; null if the scope ended first.</summary>
    /// <param name="host">The name.</param>
    /// <param name="lookUp">Asks the name service.</param>
    /// <param name="scope">The time limit.</param>
    /// <param name="failure">The exception of the resolver, if it failed.</param>
    public static IPAddress[]? Resolve(string host, Func<string, IPAddress[]> lookUp, DialScope scope, out Exception? failure)
    {
        var query = new Query(host, lookUp);
        DedicatedThreads.NameResolution.Begin(query.Run);
        var isDone = scope.Wait(query.Done);
        failure = isDone ? query.Failure : null;
        return isDone ? query.Addresses : null;
    }

    // Never disposed: the resolver's thread may set the event long after the caller has gone. It does not spin, because the answer takes too long for that.
    private sealed class Query(string host, Func<string, IPAddress[]> lookUp)
    {
        public ManualResetEventSlim Done { get; } = new(false, 0);

        public IPAddress[] Addresses { get; private set; } = [];

        public Exception? Failure { get; private set; }

        public void Run()
        {
            try
            {
                Addresses = lookUp(host);
            }
            catch (Exception exception)
            {
                // Any exception belongs to the caller. Thrown on this thread, it would end the process.
                Failure = exception;
            }

            Done.Set();
        }
    }
}
