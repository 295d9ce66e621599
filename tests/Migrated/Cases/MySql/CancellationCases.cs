namespace Slipstream.Migrated;

public static class CancellationCases
{
    // Runs long enough on any machine, and ends at once when it is cancelled.
    private const string Slow = "SELECT COUNT(*) FROM information_schema.columns a, information_schema.columns b, information_schema.columns c, "
        + "information_schema.columns d WHERE SLEEP(20) = 0";

    // A busy server may take a while to stop a statement.
    private const string Patient = "Cancellation Timeout=60";

    public static void By_its_time_limit(Trial t)
    {
        using var c = t.Open(Patient);
        using var command = new MySqlCommand(Slow, c) { CommandTimeout = 1 };
        try
        {
            command.ExecuteScalar();
        }
        catch (MySqlException e)
        {
            t.Say("ended with", $"{e.ErrorCode} {e.Number} {e.InnerException?.GetType().Name}");
        }

        t.Say("still open", c.State);
        t.Say("works", c.Scalar("SELECT 1"));
    }

    public static async Task By_a_token(Trial t)
    {
        await using var c = t.Open(Patient);
        using var source = new CancellationTokenSource();
        await using var command = new MySqlCommand(Slow, c);
        var running = command.ExecuteScalarAsync(source.Token);
        Await(t, c);
        source.Cancel();
        try
        {
            await running;
        }
        catch (OperationCanceledException e)
        {
            t.Say("ended with", $"{e.CancellationToken == source.Token} {(e.InnerException as MySqlException)?.ErrorCode}");
        }

        t.Say("still open", c.State);
        t.Say("works", c.Scalar("SELECT 1"));
        await t.TryAsync("cancelled before", async () => await command.ExecuteScalarAsync(new CancellationToken(true)));
        await t.TryAsync("cancelled before opening", async () =>
        {
            await using var other = new MySqlConnection(t.ConnectionString);
            await other.OpenAsync(new CancellationToken(true));
            return other.State;
        });
    }

    public static async Task By_hand(Trial t)
    {
        await using var c = t.Open(Patient);
        await using var command = new MySqlCommand(Slow, c);
        var running = Task.Run(() => command.ExecuteScalar());
        Await(t, c);
        command.Cancel();
        try
        {
            await running;
        }
        catch (MySqlException e)
        {
            t.Say("ended with", $"{e.ErrorCode} {e.Number} {e.SqlState}");
        }

        t.Say("works", c.Scalar("SELECT 1"));
        t.Try("with nothing to cancel", () => command.Cancel());
        t.Say("works on", c.Scalar("SELECT 2"));
    }

    // The statement runs on the server, so a cancellation after this stops this statement and no other.
    private static void Await(Trial t, MySqlConnection connection)
    {
        using var watcher = t.Open();
        const string Running = "SELECT 1 FROM information_schema.processlist WHERE id = @id AND info LIKE '%SLEEP(20)%'";
        while (watcher.Scalar(Running, ("@id", connection.ServerThread)) is null)
            Thread.Yield();
    }
}
