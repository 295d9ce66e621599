using System.Diagnostics;
using System.Text;

namespace Slipstream.Lab;

/// <summary>The output and the exit code of a program.</summary>
internal readonly record struct ShellResult(int ExitCode, string Output)
{
    /// <summary>Returns the last lines of the output, where programs usually write why they failed.</summary>
    public string Tail(int lines = 8) => string.Join('\n', Output.TrimEnd().Split('\n').TakeLast(lines));
}

/// <summary>Runs other programs without a shell: the arguments are a list.</summary>
internal static class Shell
{
    public static ShellResult Run(string program, IEnumerable<string> arguments, string? input = null,
        IReadOnlyDictionary<string, string>? environment = null, CancellationToken ct = default)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = "/",
        };
        start.Environment["LC_ALL"] = "C.UTF-8";
        start.Environment["DEBIAN_FRONTEND"] = "noninteractive";
        foreach (var (name, value) in environment ?? new Dictionary<string, string>())
            start.Environment[name] = value;

        var output = new StringBuilder();
        void Append(string? line)
        {
            if (line is null)
                return;
            lock (output)
                output.Append(line).Append('\n');
        }

        using var process = new Process { StartInfo = start };
        process.OutputDataReceived += (_, e) => Append(e.Data);
        process.ErrorDataReceived += (_, e) => Append(e.Data);
        try
        {
            process.Start();
        }
        catch (System.ComponentModel.Win32Exception e)
        {
            return new ShellResult(127, $"{program}: {e.Message}");
        }

        using var stop = ct.Register(() =>
        {
            try
            {
                process.Kill(entireProcessTree: true);
            }
            catch (InvalidOperationException)
            {
                // It has ended in the meantime.
            }
        });
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        try
        {
            if (input is not null)
                process.StandardInput.Write(input);
            process.StandardInput.Close();
        }
        catch (IOException)
        {
            // It ended without reading its input; the exit code shows the reason.
        }

        process.WaitForExit();
        ct.ThrowIfCancellationRequested();
        return new ShellResult(process.ExitCode, output.ToString());
    }

    /// <summary>Runs a program. Throws if it fails.</summary>
    public static string Must(string program, IEnumerable<string> arguments, string? input = null, CancellationToken ct = default)
    {
        var list = arguments.ToArray();
        var result = Run(program, list, input, ct: ct);
        // mariadb-install-db writes the error before twenty-five lines of advice.
        return result.ExitCode == 0
            ? result.Output
            : throw new InvalidOperationException($"{program} {string.Join(' ', list)} ended with {result.ExitCode}:\n{result.Tail(60)}");
    }
}
