using System.Diagnostics;
using Slipstream.Testing;

namespace Slipstream.Lab.Tests;

/// <summary>The command as a developer types it, in its own lab folder.</summary>
public sealed class LabCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("lab-command-").FullName;
    private readonly Dictionary<string, string> _environment;

    public LabCommandTests()
    {
        File.SetUnixFileMode(_folder, LabFolder.Everyone);
        _environment = new Dictionary<string, string> { [LabFolder.Variable] = _folder, ["SLIPSTREAM_POSTGRESQL"] = "", ["SLIPSTREAM_MYSQL"] = "" };
    }

    private static string Program => Path.Combine(AppContext.BaseDirectory, "Slipstream.Lab.dll");

    public void Dispose()
    {
        Lab("down", "--force");
        Directory.Delete(_folder, recursive: true);
    }

    private ShellResult Lab(params string[] arguments) => Shell.Run("dotnet", [Program, .. arguments], environment: _environment);

    private LabInstance PostgreSql => LabInstance.Shared(LabFolder.At(_folder), ServerKind.PostgreSql);

    [Fact]
    public async Task Up_status_env_and_down_tell_one_story()
    {
        await LiveServers.GetAsync(ServerKind.PostgreSql);
        Assert.Contains("not running", Lab("status", "postgresql").Output, StringComparison.Ordinal);
        Assert.Equal(1, Lab("env", "postgresql").ExitCode);

        var up = Lab("up", "postgresql");
        Assert.True(up.ExitCode == 0, up.Output);
        Assert.True(PostgreSql.IsRunning);

        var connection = PostgreSql.ReadSettings().ToConnectionString();
        Assert.Contains("\n  " + connection + "\n", up.Output, StringComparison.Ordinal);

        var status = Lab("status", "pg").Output;
        Assert.Contains("  connect " + connection, status, StringComparison.Ordinal);
        Assert.Contains("kept up", status, StringComparison.Ordinal);
        Assert.Contains("used by no program", status, StringComparison.Ordinal);
        var lines = Lab("env", "postgresql").Output.Trim().Split('\n');
        Assert.StartsWith("export SLIPSTREAM_POSTGRESQL='postgresql://slipstream:", lines[0], StringComparison.Ordinal);
        var settings = ServerSettings.Parse(ServerKind.PostgreSql, lines[0].Split('\'')[1]);
        Assert.True(File.Exists(settings.CaFile));
        Assert.Equal($"export SLIPSTREAM_POSTGRESQL_CONNECTION='{settings.ToConnectionString()}'", lines[1]);

        var down = Lab("down", "postgresql");
        Assert.True(down.ExitCode == 0, down.Output);
        Assert.Contains("stopped", down.Output, StringComparison.Ordinal);
        Assert.False(PostgreSql.IsRunning);
        Assert.Contains("not running", Lab("down", "postgresql").Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_ends_with_its_last_user_even_when_that_is_killed()
    {
        await LiveServers.GetAsync(ServerKind.PostgreSql);
        var start = new ProcessStartInfo("dotnet", [Program, "run", "--kind", "postgresql", "--", "sleep", "600"]) { RedirectStandardError = true };
        foreach (var (name, value) in _environment)
            start.Environment[name] = value;
        // A killed process cannot remove the sockets that the runtime opens in the temporary folder for debuggers.
        start.Environment["DOTNET_EnableDiagnostics"] = "0";
        using var user = Process.Start(start)!;
        await Eventually.TrueAsync(() => PostgreSql.IsRunning && PostgreSql.Users().Count > 0);
        var server = PostgreSql.Server;

        user.Kill(entireProcessTree: true);
        await Eventually.TrueAsync(() => !server.IsAlive && !PostgreSql.Watcher.IsAlive);
    }

    [Fact]
    public async Task A_watcher_that_is_killed_takes_its_server_along()
    {
        await LiveServers.GetAsync(ServerKind.PostgreSql);
        Assert.Equal(0, Lab("up", "postgresql").ExitCode);
        var server = PostgreSql.Server;
        PostgreSql.Watcher.Signal(Signal.Kill);
        await Eventually.TrueAsync(() => !server.IsAlive);

        var again = Lab("up", "postgresql");
        Assert.True(again.ExitCode == 0, again.Output);
    }

    [Fact]
    public async Task A_server_that_stays_up_keeps_no_file_of_its_caller_open()
    {
        await LiveServers.GetAsync(ServerKind.PostgreSql);
        var file = Path.Combine(_folder, "lock of the caller");
        File.WriteAllText(file, "");

        var up = Shell.Run(
            "bash", ["-c", "exec 17<\"$1\"; shift; exec \"$@\"", "bash", file, "dotnet", Program, "up", "postgresql"], environment: _environment);

        Assert.True(up.ExitCode == 0, up.Output);
        Assert.True(PostgreSql.IsRunning && PostgreSql.Keeper.IsAlive);
        Assert.Empty(RunningProcess.HoldersOf(file));
    }

    [Fact]
    public async Task A_server_in_use_is_not_taken_down_without_force()
    {
        await LiveServers.GetAsync(ServerKind.PostgreSql);
        var start = new ProcessStartInfo("dotnet", [Program, "run", "--kind", "postgresql", "--", "cat"])
        {
            RedirectStandardError = true,
            RedirectStandardInput = true
        };
        foreach (var (name, value) in _environment)
            start.Environment[name] = value;
        using var user = Process.Start(start)!;
        await Eventually.TrueAsync(() => PostgreSql.IsRunning && PostgreSql.Users().Count > 0);

        var down = Lab("down", "postgresql");
        Assert.Equal(1, down.ExitCode);
        Assert.Contains($"({user.Id})", down.Output, StringComparison.Ordinal);
        Assert.Contains("--force", down.Output, StringComparison.Ordinal);
        Assert.True(PostgreSql.IsRunning);

        Assert.Equal(0, Lab("down", "postgresql", "--force").ExitCode);
        Assert.False(PostgreSql.IsRunning);
        user.StandardInput.Close();
        await user.WaitForExitAsync(TestContext.Current.CancellationToken);
    }

    [Fact]
    public void Run_passes_the_command_s_exit_code_on()
    {
        _environment["SLIPSTREAM_MYSQL"] = "mysql://me@127.0.0.1:1/test";
        Assert.Equal(7, Lab("run", "--kind", "mysql", "--", "sh", "-c", "exit 7").ExitCode);
    }

    [Fact]
    public void Help_is_the_text_that_the_script_prints_without_a_build()
    {
        foreach (var words in (string[][])[["--help"], ["up", "--help"], ["up", "oracle", "-h"]])
        {
            var help = Lab(words);
            Assert.Equal((0, HelpText.Read("lab").Trim()), (help.ExitCode, help.Output.Trim()));
        }
    }

    [Fact]
    public void Help_tells_every_option_and_command() => HelpText.AssertComplete("lab", LabCommands.Create());

    [Fact]
    public void An_unknown_kind_is_answered_with_the_known_ones()
    {
        var result = Lab("up", "oracle");
        Assert.Equal(2, result.ExitCode);
        Assert.Contains(
            "There is no server kind 'oracle'. The kinds are mariadb, mariadb11, mysql, postgresql, postgresql18; "
            + "the clusters are galera, group-replication, pg-replication, mariadb-replication.",
            result.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Wrong_words_about_clusters_are_answered_with_the_right_ones()
    {
        Assert.Contains("There is no cluster 'mysql'. The clusters are galera,", Lab("cluster", "mysql", "kill", "1").Output, StringComparison.Ordinal);
        Assert.Contains("'first' is not the number of a node", Lab("cluster", "galera", "kill", "first").Output, StringComparison.Ordinal);
        Assert.Equal(2, Lab("cluster", "galera", "demolish", "1").ExitCode);
        var notRunning = Lab("cluster", "galera", "kill", "1");
        Assert.Equal(1, notRunning.ExitCode);
        Assert.Contains("galera is not running.\n  What to do: ./lab up galera", notRunning.Output, StringComparison.Ordinal);
        Assert.Contains("galera: not running", Lab("status", "galera").Output, StringComparison.Ordinal);
        Assert.Contains("galera: not running", Lab("down", "galera").Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_cluster_outlives_the_command_that_starts_it_and_takes_verbs()
    {
        await LiveServers.GetAsync(ServerKind.PostgreSql);
        var up = Lab("up", "pg-replication");
        Assert.True(up.ExitCode == 0, up.Output);
        Assert.Matches(@"(?m)^  node1   primary on 127\.0\.0\.1:\d+, process \d+$", up.Output);
        Assert.Matches(@"(?m)^  node3   standby on ", up.Output);
        Assert.Matches(@"(?m)^  all     Host=127\.0\.0\.1:\d+,127\.0\.0\.1:\d+,127\.0\.0\.1:\d+;", up.Output);

        Assert.Matches("(?m)^  node2   paused on ", Lab("cluster", "pg-replication", "pause", "2").Output);
        Assert.Matches("(?m)^  node2   standby on ", Lab("cluster", "pg-replication", "continue", "node2").Output);
        Assert.Matches("(?m)^  node1   not running on ", Lab("cluster", "pg-replication", "kill", "1").Output);
        Assert.Matches("(?m)^  node2   primary on ", Lab("cluster", "pg-replication", "promote", "2").Output);
        var started = Lab("cluster", "pg-replication", "start", "1").Output;
        Assert.Matches("(?m)^  node1   standby on ", started);
        // The status of the cluster is part of the status of everything.
        Assert.Contains(started[started.IndexOf("pg-replication: 1", StringComparison.Ordinal)..].Trim(), Lab("status").Output, StringComparison.Ordinal);

        var down = Lab("down", "pg-replication");
        Assert.Equal("pg-replication: stopped", down.Output.Trim());
        Assert.Contains("pg-replication: not running", Lab("status", "pg-replication").Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_variable_that_cannot_be_read_is_explained()
    {
        _environment["SLIPSTREAM_MYSQL"] = "localhost:3306";
        var result = Lab("up", "mysql");
        Assert.Equal(1, result.ExitCode);
        Assert.Contains("SLIPSTREAM_MYSQL cannot be read", result.Output, StringComparison.Ordinal);
        Assert.Contains("mysql://user:password@host:3306/database", result.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void An_existing_server_is_used_instead_and_not_started()
    {
        _environment["SLIPSTREAM_MYSQL"] = "mysql://me:pw@127.0.0.1:1/test";
        var result = Lab("up", "mysql");
        Assert.Equal(0, result.ExitCode);
        Assert.Contains("the lab starts none", result.Output, StringComparison.Ordinal);
        Assert.Contains("export SLIPSTREAM_MYSQL='mysql://me:pw@127.0.0.1:1/test'", Lab("env", "mysql").Output, StringComparison.Ordinal);
    }
}
