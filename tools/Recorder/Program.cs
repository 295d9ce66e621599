using Slipstream.Lab;
using Slipstream.Recorder;
using Slipstream.Recorder.Replay;

// Records the transcripts that the tests replay: runs each scenario on each server of the lab, and writes to tests/Transcripts/recordings.
if (args is ["--help" or "-h", ..] || args.Any(static word => !ServerKinds.All.Any(kind => kind.Word() == word)))
{
    Console.WriteLine("usage: dotnet run --project tools/Recorder -- [mysql] [mariadb] [postgresql]");
    Console.WriteLine("Records the bytes between this client and the lab's servers in tests/Transcripts/recordings. Without a server, it records all.");
    return args is ["--help" or "-h", ..] ? 0 : 2;
}

var folder = new DirectoryInfo(AppContext.BaseDirectory);
while (!File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
    folder = folder.Parent ?? throw new DirectoryNotFoundException("The repository is not above this program's folder.");

foreach (var kind in ServerKinds.All)
{
    if (args.Length > 0 && !args.Contains(kind.Word()))
        continue;
    await using var server = await LabServer.StartAsync(kind);
    foreach (var scenario in RecordingSession.ScenariosOf(kind))
    {
        var path = Path.Combine(folder.FullName, "tests", "Transcripts", "recordings", RecordingSession.PathOf(kind, scenario.Name));
        RecordingText.Save(await RecordingSession.RecordAsync(server, scenario), path);
        Console.WriteLine($"{kind.Word()} {scenario.Name}: {new FileInfo(path).Length:N0} bytes");
    }
}

return 0;
