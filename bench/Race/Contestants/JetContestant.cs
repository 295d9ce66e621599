using System.Diagnostics;
using System.Globalization;
using Slipstream.Lab;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Contestants;

/// <param name="Path">The compiled <c>bench/Race/Jet/jet.c</c>.</param>
/// <param name="Processor">The processor on which it stays, like synchronous contestants; −1 leaves the choice to the scheduler.</param>
internal sealed record JetOption(string Path, int Processor);

/// <summary>The insert race in C over libmariadb, in a separate process that reports its own figures. It never uses TLS, whatever the settings.</summary>
internal sealed class JetContestant(JetOption jet, string version) : Contestant("C", version, Dialect.MySql)
{
    /// <exception cref="PeerException">The program was not compiled; the message contains the reason and the remedy.</exception>
    public static JetContestant Load(JetOption jet)
    {
        if (!File.Exists(jet.Path))
        {
            var why = jet.Path + ".missing";
            throw new PeerException(
                "C does not take part: " + (File.Exists(why) ? File.ReadAllText(why).Trim() : "bench/Race/Jet/jet.c is compiled by ./race --jet"));
        }

        using var process = Process.Start(new ProcessStartInfo(jet.Path, "version") { RedirectStandardOutput = true })!;
        return new JetContestant(jet, process.StandardOutput.ReadToEnd().Trim());
    }

    public override bool Runs(Scenario scenario, Mode mode) => mode is Mode.Sync && scenario.Rule is { Wire: not JetWire.None };

    public override Operation Create(Scenario scenario, Track track, Mode mode) => new JetInsert(jet, track, scenario.Rule!);
}

internal sealed class JetInsert(JetOption jet, Track track, InsertRule rule) : Operation
{
    private Process? _process;

    private string Wire => rule.Wire switch
    {
        JetWire.Strict => "strict",
        JetWire.Load => "load",
        _ => track.Server is ServerKind.MariaDb ? "array" : "multi",
    };

    // The rows of one execution: a bulk operation over the wire form of the batches has many.
    private int Rows => rule.Wire is JetWire.Rows ? Catalogue.RowsPerBatch : rule.Rows;

    public override void Open()
    {
        var start = new ProcessStartInfo(jet.Path)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            Environment = { ["JET_PASSWORD"] = track.Password },
        };
        foreach (var argument in (ReadOnlySpan<string>)[track.Host, Text(track.Port), track.User, track.Database, Wire, Text(Rows), Text(jet.Processor)])
            start.ArgumentList.Add(argument);
        _process = Process.Start(start)!;
        Expect("ready");
    }

    public override Task BeforeAsync(Mode mode, int count)
    {
        _process!.StandardInput.WriteLine("begin");
        Expect("begun");
        return Task.CompletedTask;
    }

    public override Task AfterAsync(Mode mode)
    {
        _process!.StandardInput.WriteLine("end");
        Expect("ended");
        return Task.CompletedTask;
    }

    public override void Run(int count)
    {
        _process!.StandardInput.WriteLine("run " + Text(count * (rule.Rows / Rows)));
        var line = Answer();
        if (line.Split(' ') is not [var wall, var cpu] || !double.TryParse(wall, CultureInfo.InvariantCulture, out var took))
            throw new InvalidOperationException(line);
        OwnFigures = new Figures(took / count, double.Parse(cpu, CultureInfo.InvariantCulture) / count, null);
    }

    public override Task RunAsync(int count) => throw new NotSupportedException("libmariadb is synchronous here");

    // The process ends when its standard input ends. If it hangs while it waits for an answer, it is killed.
    protected override void Close()
    {
        if (_process is null)
            return;
        _process.StandardInput.Dispose();
        if (!_process.WaitForExit(TimeSpan.FromSeconds(5)))
            _process.Kill();
        _process.Dispose();
    }

    private void Expect(string word)
    {
        if (Answer() is var line && line != word)
            throw new InvalidOperationException(line);
    }

    private string Answer() => _process!.StandardOutput.ReadLine() ?? throw new InvalidOperationException("the C program ended without a word");

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
