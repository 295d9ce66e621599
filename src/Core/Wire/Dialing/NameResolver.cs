using System.Net;
using Slipstream.Core.Time;

namespace Slipstream.Core.Wires;

/// <summary>
/// Resolves names for callers that block. The system's resolver cannot be interrupted, so it runs on another thread and is abandoned when time runs out.
/// </summary>
internal static class NameResolver
{
    /// <summary>The addresses of a name; null when the scope ended first.</summary>
    /// <param name="host">The name.</param>
    /// <param name="lookUp">Asks the name service.</param>
    /// <param name="scope">How long it may take.</param>
    /// <param name="failure">Why there are none.</param>
    public static IPAddress[]? Resolve(string host, Func<string, IPAddress[]> lookUp, DialScope scope, out Exception? failure)
    {
        var query = new Query(host, lookUp);
        DedicatedThreads.NameResolution.Begin(query.Run);
        var isDone = scope.Wait(query.Done);
        failure = isDone ? query.Failure : null;
        return isDone ? query.Addresses : null;
    }

    // Never disposed, because whoever resolves may set it long after the asker has gone. It does not spin: the answer takes longer than that is good for.
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
                // Whatever it is, it is the asker's: thrown here it would end the process.
                Failure = exception;
            }

            Done.Set();
        }
    }
}
