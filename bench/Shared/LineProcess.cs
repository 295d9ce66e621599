using System.Diagnostics;

namespace Slipstream.Bench;

/// <summary>A process that answers each line that it is sent with one.</summary>
/// <param name="process">The process, with its standard input and output redirected.</param>
internal sealed class LineProcess(Process process) : IAsyncDisposable
{
    /// <summary>The time for an answer, and for the end.</summary>
    public static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>Gets the number of the process.</summary>
    public int Id => process.Id;

    /// <summary>Sends a line, and returns the answer.</summary>
    /// <exception cref="InvalidOperationException">The process has ended. Its error output says why.</exception>
    /// <exception cref="TimeoutException">It does not answer in time.</exception>
    public async Task<string> AskAsync(string line, TimeSpan patience)
    {
        await process.StandardInput.WriteLineAsync(line);
        await process.StandardInput.FlushAsync();
        return await ReadAsync(patience) ?? throw new InvalidOperationException("its program ended");
    }

    /// <summary>Reads a line; null after the end.</summary>
    /// <exception cref="TimeoutException">None comes in time.</exception>
    public Task<string?> ReadAsync(TimeSpan patience) => process.StandardOutput.ReadLineAsync().WaitAsync(patience);

    /// <summary>Ends the process at once.</summary>
    public void Kill()
    {
        if (!process.HasExited)
            process.Kill(entireProcessTree: true);
        process.Dispose();
    }

    /// <summary>Lets the process end, which it does when its input ends.</summary>
    public async ValueTask DisposeAsync()
    {
        process.StandardInput.Close();
        try
        {
            await process.WaitForExitAsync().WaitAsync(Patience);
        }
        catch (TimeoutException)
        {
            process.Kill(entireProcessTree: true);
        }

        process.Dispose();
    }
}
