using System.Data.Common;
using System.Diagnostics;
using System.Text.RegularExpressions;
using Slipstream.Core.Data;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live;

/// <summary>
/// The system calls of one synchronous command: one send, one receive, and none for the time limit. Counted by strace, where it is installed and allowed.
/// </summary>
[Collection(nameof(AllocationTests))]
public partial class SystemCallTests
{
    private const int Commands = 100;

    public static TheoryData<ServerKind, string, bool> Ways => new()
    {
        { ServerKind.MySql, "", false }, { ServerKind.MariaDb, "", false }, { ServerKind.PostgreSql, "", false },
        { ServerKind.MySql, OwnEngine.Option, false }, { ServerKind.MariaDb, OwnEngine.Option, true }, { ServerKind.PostgreSql, OwnEngine.Option, true },
    };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task A_synchronous_command_is_one_send_and_one_receive(ServerKind kind, string options, bool afterAsynchronousUse)
    {
        var server = await LiveServers.GetAsync(kind);
        var text = ConnectionStrings.Of(server, $"Application Name=calls;{options}");
        await using DbConnection connection = kind.IsPostgreSql() ? new PgConnection(text) : new MySqlConnection(text);
        // ReSharper disable once MethodHasAsyncOverload
        connection.Open();
        await using var command = (ProviderCommand)connection.CreateCommand();
        command.CommandText = "SELECT 9";
        command.CommandTimeout = 20;
        if (afterAsynchronousUse)
            for (var i = 0; i < 10; i++)
                await command.ExecuteScalarAsync<long>();
        for (var i = 0; i < 100; i++)
            command.ExecuteScalar<long>();

        var calls = await Task.Factory.StartNew(
            () => Count(() => command.ExecuteScalar<long>()), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

        Assert.Equal(Commands, calls.GetValueOrDefault("sendto") + calls.GetValueOrDefault("sendmsg"));
        Assert.Equal(Commands, calls.GetValueOrDefault("recvfrom") + calls.GetValueOrDefault("recvmsg"));
        // Occasional calls of the runtime (memory, a lock that it shares with the collector) are not per command.
        Assert.DoesNotContain(calls, call => call.Key is not ("sendto" or "sendmsg" or "recvfrom" or "recvmsg") && call.Value >= Commands / 2);
        Assert.DoesNotContain(
            calls.Keys,
            name =>
                name.StartsWith("epoll", StringComparison.Ordinal)
                    || name.Contains("timer", StringComparison.Ordinal)
                    || name.Contains("poll", StringComparison.Ordinal));
    }

    /// <summary>Counts the system calls of this thread in the given number of runs.</summary>
    private static Dictionary<string, int> Count(Action action)
    {
        var self = File.ResolveLinkTarget("/proc/thread-self", false)?.FullName ?? "";
        var log = Path.GetTempFileName();
        using var strace = StartStrace(Path.GetFileName(self), log);
        try
        {
            // strace is attached when the kernel reports the tracer; the read for this check is this thread's own, and belongs to the warm-up below.
            for (var waited = 0; Tracer(self) == 0; waited++)
            {
                if (strace.HasExited || waited > 1000)
                    Assert.Skip("strace may not attach to this process.");
                Thread.Sleep(10);
            }

            File.Exists("/begin-counting");
            for (var i = 0; i < Commands; i++)
                action();
            File.Exists("/end-counting");
        }
        finally
        {
            using var interrupt = Process.Start("kill", ["-INT", $"{strace.Id}"]);
            interrupt.WaitForExit();
            strace.WaitForExit();
        }

        var lines = File.ReadAllLines(log);
        File.Delete(log);
        var begin = Array.FindIndex(lines, line => line.Contains("/begin-counting", StringComparison.Ordinal));
        var end = Array.FindIndex(lines, line => line.Contains("/end-counting", StringComparison.Ordinal));
        Assert.True(begin >= 0 && end > begin, string.Join('\n', lines.TakeLast(20)));
        return lines[(begin + 1)..end]
            .Select(line => Call().Match(line))
            .Where(match => match.Success)
            .GroupBy(match => match.Groups[1].Value)
            .ToDictionary(group => group.Key, group => group.Count());
    }

    private static Process StartStrace(string thread, string log)
    {
        try
        {
            var start = new ProcessStartInfo("strace", ["-p", thread, "-o", log]) { RedirectStandardError = true };
            var process = Process.Start(start)!;
            process.ErrorDataReceived += static (_, _) => { };
            process.BeginErrorReadLine();
            return process;
        }
        catch (System.ComponentModel.Win32Exception)
        {
            Assert.Skip("strace is not installed.");
            throw;
        }
    }

    private static int Tracer(string self) =>
        File.ReadLines(self + "/status")
            .Where(line => line.StartsWith("TracerPid:", StringComparison.Ordinal))
            .Select(line => int.Parse(line[10..].Trim(), null))
            .FirstOrDefault();

    [GeneratedRegex(@"^(\w+)\(")]
    private static partial Regex Call();
}
