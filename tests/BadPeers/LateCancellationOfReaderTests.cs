using System.Data;
using System.Data.Common;
using Slipstream.BadPeers.Peers;

namespace Slipstream.BadPeers;

/// <summary>
/// A command is cancelled, its rows arrive nevertheless, and the cancellation's connection is lost before the cancellation is confirmed, so the driver closes
/// the session. A caller that reads to the end gets the error and its reason from the reader, not from the next command, which could only report that the
/// connection is closed.
/// </summary>
public sealed class LateCancellationOfReaderTests
{
    [Theory, InlineData(false), InlineData(true)]
    public Task The_read_at_the_end_of_the_rows_says_that_the_session_was_given_up(bool asynchronously) => Lost(async (connection, reader) =>
    {
        Assert.True(asynchronously ? await reader.ReadAsync() : reader.Read());
        Assert.Equal("SELECT 'slow'", reader.GetString(0));
        return asynchronously ? await Assert.ThrowsAnyAsync<DbException>(reader.ReadAsync) : Assert.ThrowsAny<DbException>(() => reader.Read());
    });

    [Theory, InlineData(false), InlineData(true)]
    public Task The_step_behind_the_last_result_says_that_the_session_was_given_up(bool asynchronously) => Lost(async (connection, reader) =>
        asynchronously ? await Assert.ThrowsAnyAsync<DbException>(reader.NextResultAsync) : Assert.ThrowsAny<DbException>(() => reader.NextResult()));

    private static async Task Lost(Func<DbConnection, DbDataReader, Task<DbException>> reads)
    {
        using var asked = new ManualResetEventSlim();
        using var heard = new ManualResetEventSlim();
        var talk = Talk.Of(
            "MySQL",
            (_, text) =>
            {
                if (!text.Contains("slow", StringComparison.Ordinal))
                    return;
                heard.Set();
                asked.Wait(30_000);
            },
            peer =>
            {
                asked.Set();
                // The rows have arrived, and the reader waits for the cancellation or has not reached its end yet.
                Thread.Sleep(300);
                peer.Reset();
                throw new HungUpException();
            });
        using var server = FakeServer.Start(talk.Serve);
        await using var source = talk.Connect(server.Port, "Maximum Pool Size=1;Connect Seconds=20;Cancel Seconds=30");
        await using var connection = await source.OpenConnectionAsync();
        await using var command = connection.CreateCommand();
        command.CommandText = "SELECT 'slow'";
        var running = Task.Factory.StartNew(command.ExecuteReader, TaskCreationOptions.LongRunning);
        Assert.True(heard.Wait(30_000));
        command.Cancel();
        DbException failure;
        await using (var reader = await running.WaitAsync(TimeSpan.FromSeconds(60)))
            failure = await reads(connection, reader);

        Assert.Contains("cancel an operation", failure.Message, StringComparison.Ordinal);
        Assert.True(failure.IsTransient, failure.Message);
        Assert.Equal(ConnectionState.Closed, connection.State);
        Assert.Equal((0, 0), (source.Statistics.Busy, source.Statistics.Idle));
        server.ThrowIfScriptFailed();
    }
}
