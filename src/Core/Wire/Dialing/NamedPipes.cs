using System.IO.Pipes;

namespace Slipstream.Core.Wires;

/// <summary>Named pipes of Windows, on this machine or another one.</summary>
internal static class NamedPipes
{
    // A connection to a pipe that is busy or does not exist yet is retried until the time runs out.
    private const int ConnectMilliseconds = int.MaxValue;

    /// <summary>The pipe's name in the notation of Windows, for messages.</summary>
    public static Endpoint EndpointOf(string server, string name) => new($@"\\{server}\pipe\{name}", 0);

    /// <summary>Creates the factory of connections to a pipe.</summary>
    /// <param name="server">The machine; "." is this one.</param>
    /// <param name="name">The name of the pipe.</param>
    public static StreamFactory Factory(string server, string name) => new(
        (_, _, token) => Open(server, name, pipe =>
        {
            // A blocking connect cannot be interrupted; it ends only with its own time-out.
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
                    // Retry until the token is cancelled.
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
