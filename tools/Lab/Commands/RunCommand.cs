using System.ComponentModel;
using System.Diagnostics;

namespace Slipstream.Lab;

internal static class RunCommand
{
    // The shells' exit code for a command that was not found.
    private const int NotFound = 127;

    /// <summary>Runs a program while the servers are up. A server that is unavailable is reported, and the program runs nevertheless.</summary>
    public static async Task<int> RunAsync(IReadOnlyList<ServerKind> kinds, IReadOnlyList<string> command, CancellationToken ct)
    {
        var servers = new List<LabServer>();
        foreach (var kind in kinds)
        {
            LabServer.Progress = text => Console.Error.WriteLine($"{kind.Word()}: {text}");
            try
            {
                servers.Add(await LabServer.StartAsync(kind, ct));
            }
            catch (LabUnavailableException e)
            {
                await Console.Error.WriteLineAsync($"{kind.Word()}: {e.Reason}\n  What to do: {e.Command}");
            }
        }

        try
        {
            using var process = Process.Start(new ProcessStartInfo(command[0], command.Skip(1)))!;
            // Ctrl-C reaches the program directly, and the program decides how to react.
            await process.WaitForExitAsync(CancellationToken.None);
            return process.ExitCode;
        }
        catch (Win32Exception e)
        {
            await Console.Error.WriteLineAsync($"lab: {command[0]} cannot be run: {e.Message}");
            return NotFound;
        }
        finally
        {
            foreach (var server in servers)
                await server.DisposeAsync();
        }
    }
}
