using System.Data.Common;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers;

/// <summary>
/// Cancellations that are still on their way when their command ends: whenever they arrive, they must not hit another caller's command. The server here delays
/// them as a slow network or a proxy would.
/// </summary>
[Collection("late cancellations")]
public sealed class LateCancellationTests
{
    public static TheoryData<string, bool> Ways => new() { { "MySQL", false }, { "MySQL", true }, { "PostgreSQL", false }, { "PostgreSQL", true } };

    // The server has received the cancellation but delays its execution: until then, no caller gets the session.
    [Theory, MemberData(nameof(Ways))]
    public async Task A_cancellation_that_takes_long_is_waited_for_and_swallowed(string provider, bool asynchronously)
    {
        var (log, _) = await Interrupted(provider, asynchronously, "Cancel Seconds=30", static (_, answered) =>
        {
            answered.Wait(30_000);
            // The answer has arrived, and the command is about to end.
            Thread.Sleep(300);
        });
        var cancelled = log.FindIndex(static line => line == "1: cancelled");
        var answered = log.FindIndex(static line => line == "answered");
        var behind = log.FindIndex(answered, static line => line.StartsWith("0:", StringComparison.Ordinal));
        var next = log.FindIndex(static line => line.EndsWith("SELECT 'next'", StringComparison.Ordinal));
        Assert.True(answered < cancelled, string.Join('\n', log));
        Assert.True(cancelled < behind, "The session said something before the cancellation was over:\n" + string.Join('\n', log));
        Assert.True(
            provider == "PostgreSQL" ? log[behind] == "0: " : log[behind] == "0: DO 0", "Nothing swallows the cancellation:\n" + string.Join('\n', log));
        Assert.True(behind < next && log[next].StartsWith("0:", StringComparison.Ordinal), string.Join('\n', log));
    }

    // The driver cannot know whether and when the cancellation arrives, so the session is never used again.
    [Theory, MemberData(nameof(Ways))]
    public async Task A_cancellation_that_is_never_confirmed_ends_the_session(string provider, bool asynchronously)
    {
        var (log, server) = await Interrupted(provider, asynchronously, "Cancel Seconds=2", static (peer, _) => peer.Stall());
        UsesAnother(log, server);
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task A_cancellation_whose_connection_is_cut_before_it_is_confirmed_ends_the_session(bool asynchronously)
    {
        var (log, server) = await Interrupted("MySQL", asynchronously, "Cancel Seconds=30", static (peer, answered) =>
        {
            answered.Wait(30_000);
            // The answer has arrived, and the command is about to end or has ended.
            Thread.Sleep(300);
            peer.Reset();
            throw new HungUpException();
        });
        UsesAnother(log, server);
    }

    [Fact]
    public async Task A_cancellation_of_a_command_that_has_ended_hits_no_commit()
    {
        using var heard = new ManualResetEventSlim();
        using var waited = new ManualResetEventSlim();
        var talk = Talk.Of("MySQL", (_, text) =>
        {
            if (text != "COMMIT")
                return;
            heard.Set();
            waited.Wait(30_000);
        });
        using var server = FakeServer.Start(talk.Serve);
        await using var source = talk.Connect(server.Port, "Connect Seconds=20");
        await using var connection = await source.OpenConnectionAsync();
        await using var transaction = await connection.BeginTransactionAsync();
        await using var command = connection.CreateCommand();
        (command.CommandText, command.Transaction) = ("SELECT 'done'", transaction);
        Assert.Equal("SELECT 'done'", await command.ExecuteScalarAsync());
        var committing = Task.Factory.StartNew(transaction.Commit, TaskCreationOptions.LongRunning);
        Assert.True(heard.Wait(30_000));
        for (var i = 0; i < 5; i++)
        {
            command.Cancel();
            // Longer than the sweeper takes to notice it.
            await Task.Delay(60);
        }

        waited.Set();
        await committing.WaitAsync(TimeSpan.FromSeconds(60));
        Assert.DoesNotContain(talk.Received, static line => line[0] != '0');
        server.ThrowIfScriptFailed();
    }

    private static void UsesAnother(List<string> log, FakeServer server)
    {
        var answered = log.IndexOf("answered");
        Assert.DoesNotContain(log.Skip(answered), static line => line.StartsWith("0:", StringComparison.Ordinal));
        Assert.Contains(log, static line => line.EndsWith("SELECT 'next'", StringComparison.Ordinal) && line[0] != '0');
        Assert.True(server.Peers[0].ClientHasClosed.Wait(30_000), "The session that was given up is still connected.");
    }

    // One command that is cancelled but answered nevertheless, and one command of the next user of the pool, whose maximum size is 1.
    private static async Task<(List<string> Log, FakeServer Server)> Interrupted(
        string provider, bool asynchronously, string options, Action<FakePeer, ManualResetEventSlim> cancels)
    {
        using var asked = new ManualResetEventSlim();
        using var heard = new ManualResetEventSlim();
        using var answered = new ManualResetEventSlim();
        Talk talk = null!;
        talk = Talk.Of(
            provider,
            (_, text) =>
            {
                if (!text.Contains("slow", StringComparison.Ordinal))
                    return;
                heard.Set();
                asked.Wait(30_000);
                talk.Received.Enqueue("answered");
                answered.Set();
            },
            peer =>
            {
                asked.Set();
                cancels(peer, answered);
            });
        using var server = FakeServer.Start(talk.Serve);
        await using var source = talk.Connect(server.Port, $"Maximum Pool Size=1;Connect Seconds=20;{options}");
        await using (var connection = await source.OpenConnectionAsync())
        await using (var command = connection.CreateCommand())
        {
            command.CommandText = "SELECT 'slow'";
            using var patience = new CancellationTokenSource();
            var running =
                asynchronously
                    ? Task.Run(() => command.ExecuteScalarAsync(patience.Token))
                    : Task.Factory.StartNew(command.ExecuteScalar, TaskCreationOptions.LongRunning);
            Assert.True(heard.Wait(30_000));
            if (asynchronously)
                patience.Cancel();
            else
                command.Cancel();
            // Cancelled, answered or lost: the test checks what happens after it.
            var failure = await Record.ExceptionAsync(() => running.WaitAsync(TimeSpan.FromSeconds(60)));
            Assert.True(failure is null or DbException or OperationCanceledException, failure?.ToString());
        }

        await using (var connection = await source.OpenConnectionAsync())
        await using (var command = connection.CreateCommand())
        {
            command.CommandText = "SELECT 'next'";
            Assert.Equal("SELECT 'next'", await command.ExecuteScalarAsync());
        }

        server.ThrowIfScriptFailed();
        return ([.. talk.Received], server);
    }
}
