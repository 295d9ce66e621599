using Slipstream.Lab;
using Slipstream.Recorder;
using Slipstream.Recorder.Replay;
using Slipstream.Recorder.Scenarios;

namespace Slipstream.Transcripts;

/// <summary>
/// Replays conversations that were recorded from the three real servers through the whole provider: however the server's bytes are split, and with synchronous
/// and asynchronous methods, the client sends and receives what was recorded. <c>tools/Recorder</c> creates the recordings again.
/// </summary>
public sealed class ReplayTests
{
    private static readonly string Folder = Path.Combine(AppContext.BaseDirectory, "recordings");

    /// <summary>Server, scenario, synchronous or asynchronous, size of the pieces.</summary>
    public static TheoryData<ServerKind, string, bool, int> Plays
    {
        get
        {
            var plays = new TheoryData<ServerKind, string, bool, int>();
            foreach (var kind in ServerKinds.All)
            {
                foreach (var scenario in RecordingSession.ScenariosOf(kind))
                {
                    foreach (var piece in (int[])[0, 3, 1])
                    {
                        plays.Add(kind, scenario.Name, false, piece);
                        plays.Add(kind, scenario.Name, true, piece);
                    }
                }
            }

            return plays;
        }
    }

    [Theory]
    [MemberData(nameof(Plays))]
    public async Task A_recording_plays_as_it_was(ServerKind kind, string name, bool asynchronously, int piece)
    {
        var scenario = RecordingSession.ScenariosOf(kind).Single(scenario => scenario.Name == name);
        var recording = RecordingText.Load(Path.Combine(Folder, RecordingSession.PathOf(kind, name)));

        var (account, difference) = await RecordingSession.ReplayAsync(kind, scenario, recording, asynchronously, piece);

        Assert.True(difference is null, $"{difference}\n{string.Join('\n', account)}");
        Assert.Equal(recording.Account, account);
    }

    [Fact]
    public void Every_recording_has_its_scenario()
    {
        var files = Directory.EnumerateFiles(Folder, "*.txt", SearchOption.AllDirectories)
            .Select(file => Path.GetRelativePath(Folder, file))
            .Order(StringComparer.Ordinal);
        var expected = ServerKinds.All.SelectMany(
            static kind => RecordingSession.ScenariosOf(kind).Select(scenario => RecordingSession.PathOf(kind, scenario.Name))).Order(StringComparer.Ordinal);
        Assert.Equal(expected, files);
    }
}
