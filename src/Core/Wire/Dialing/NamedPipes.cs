using System.IO.Pipes;

namespace Slipstream.Core.Wires;

/// <summary>Named pipes of Windows, on this machine or another.</summary>
internal static class NamedPipes
{
    // A pipe whose instances are all busy, or that does not exist yet, is asked for again until the time is over.
    private const int ConnectMilliseconds = int.MaxValue;

    /// <summary>As Windows writes it: for messages.</summary>
    public static Endpoint EndpointOf(string server, string name) => new($@"\\{server}\pipe\{name}", 0);

    /// <param name="server">The machine; . is this one.</param>
    /// <param name="name">The pipe.</param>
    public static StreamFactory Factory(string server, string name) => new(
        (_, _, token) => Open(server, name, pipe =>
        {
            // By blocking it can be interrupted by nothing but an end of its own.
            while (true)
            {
                token.ThrowIfCancellationRequested();
                try
                {
                    pipe.Connect(100);
                    return;
                }
                catch (TimeoutException)
                {
                    // Again, until the token says otherwise.
                }
            }
        }),
        async (_, _, token) =>
        {
            var pipe = Create(server, name);
            try
            {
                await pipe.ConnectAsync(ConnectMilliseconds, token).ConfigureAwait(false);
                return pipe;
            }
            catch
            {
                await pipe.DisposeAsync().ConfigureAwait(false);
                throw;
            }
        });

    private static NamedPipeClientStream Create(string server, string name) => new(server, name, PipeDirection.InOut, PipeOptions.Asynchronous);

    private static NamedPipeClientStream Open(string server, string name, Action<NamedPipeClientStream> connect)
    {
        var pipe = Create(server, name);
        try
        {
            connect(pipe);
            return pipe;
        }
        catch
        {
            pipe.Dispose();
            throw;
        }
    }
}
