using Slipstream.Core.Wires;
using Slipstream.Recorder.Replay;

namespace Slipstream.Transcripts;

public sealed class RecordingTextTests
{
    [Fact]
    public void A_recording_is_the_same_after_it_was_saved_and_loaded()
    {
        var recording =
            new Recording { Server = "MySQL 9.7", Options = "User ID=a;Password=b: c", Trust = PeerTrust.UnixSocket, UpgradedTrust = PeerTrust.Encrypted };
        recording.Add(Speaker.Server, "greeting | with a bar"u8);
        recording.Add(Speaker.Client, [0]);
        recording.Add(Speaker.Upgrade, []);
        recording.Add(Speaker.Client, [.. "before"u8, .. new byte[1000], .. "x x 10"u8, .. Enumerable.Repeat((byte)'y', 63)]);
        recording.Add(Speaker.Server, [1, 2]);
        recording.Add(Speaker.Server, [.. Enumerable.Range(0, 300).Select(static i => (byte)i)]);
        recording.Account.AddRange(["String two\nlines and a \\ and \\n", "Int32 1", ""]);

        var path = Path.GetTempFileName();
        try
        {
            RecordingText.Save(recording, path);
            var loaded = RecordingText.Load(path);

            Assert.Equal(
                (recording.Server, recording.Options, recording.Trust, recording.UpgradedTrust),
                (loaded.Server, loaded.Options, loaded.Trust, loaded.UpgradedTrust));
            Assert.Equal(recording.Account, loaded.Account);
            Assert.Equal(recording.Passages.Select(static passage => passage.Speaker), loaded.Passages.Select(static passage => passage.Speaker));
            Assert.Equal(
                recording.Passages.Select(static passage => Convert.ToHexString(passage.Bytes)),
                loaded.Passages.Select(static passage => Convert.ToHexString(passage.Bytes)));
        }
        finally
        {
            File.Delete(path);
        }
    }

    [Fact]
    public void A_client_that_says_something_else_is_found_out()
    {
        var recording = new Recording();
        recording.Add(Speaker.Client, "ping"u8);
        recording.Add(Speaker.Server, "pong"u8);
        var room = new byte[16];

        using var honest = new ReplayTransport(recording, 0, null);
        honest.Send("pi"u8);
        honest.Send("ng"u8);
        Assert.Equal(4, honest.Receive(room));
        Assert.Null(honest.Difference);
        Assert.True(honest.IsCompleted);

        using var other = new ReplayTransport(recording, 0, null);
        other.Send("pang"u8);
        Assert.Equal(0, other.Receive(room));
        Assert.Contains("70616E67", other.Difference);

        using var early = new ReplayTransport(recording, 0, null);
        Assert.Equal(0, early.Receive(room));
        Assert.NotNull(early.Difference);

        var silent = new ReplayTransport(recording, 0, null);
        silent.Dispose();
        Assert.NotNull(silent.Difference);
    }
}
