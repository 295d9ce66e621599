using System.Data.Common;
using System.Globalization;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Running;

/// <summary>
/// Executes a statement whose outcome depends on timing. The reported outcome must match what was executed: reported as done, it was done; reported as refused,
/// it was not. Only "may have completed" and a lost connection leave it open.
/// </summary>
internal sealed class Stopping(World world, Side side, Trace trace, int step)
{
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(20);

    // In the driver's message if the outcome is unknown.
    private const string MayBeDone = "may have completed";

    public async Task Do(Lease lease, StoppedStep stopped)
    {
        // An earlier step has closed the connection: an error in the rest of a batch, which Close of a reader reports.
        if (lease.Connection.State != System.Data.ConnectionState.Open)
            return;
        var question = string.Create(CultureInfo.InvariantCulture, $"SELECT n FROM {world.Database}.mark WHERE m = {stopped.Mark}");
        var before = Convert.ToInt64(await world.AskAsync(question), CultureInfo.InvariantCulture);
        var session = side.Driver.SessionId(lease.Connection);
        await using var command = lease.Connection.CreateCommand();
        command.CommandText = stopped.Sql;
        command.Transaction = lease.Transaction;
        using var token = new CancellationTokenSource();
        if (stopped.By == Stop.TimeOut)
            command.CommandTimeout = 1;
        var running = stopped.Async ? command.ExecuteNonQueryAsync(token.Token) : Task.Run(() => command.ExecuteNonQuery());
        if (stopped.By != Stop.TimeOut)
        {
            await Task.WhenAny(running, Task.Delay(stopped.AfterMilliseconds));
            switch (stopped.By)
            {
                case Stop.Token when stopped.Async: await token.CancelAsync(); break;
                case Stop.Token or Stop.Cancel: command.Cancel(); break;
                default: await world.KillAsync(session); break;
            }
        }

        if (await Task.WhenAny(running, Task.Delay(Longest)) != running)
        {
            trace.Violation(step, $"stopped by {stopped.By}: it did not end within {Longest.TotalSeconds:0} s");
            return;
        }

        long? told = null;
        var isOpen = false;
        var words = "done";
        try
        {
            told = await running;
        }
        catch (Exception exception) when (exception is OperationCanceledException or DbException)
        {
            words = Canonical.Error(side.Driver, exception);
            isOpen = lease.Connection.State != System.Data.ConnectionState.Open || exception.Message.Contains(MayBeDone, StringComparison.Ordinal);
            told = 0;
        }

        // A statement with an unknown outcome may still be running.
        if (isOpen)
            return;
        var after = Convert.ToInt64(await world.AskAsync(question), CultureInfo.InvariantCulture);
        if (after - before != told)
            trace.Violation(step, $"stopped by {stopped.By}: the driver reported {words} ({told} rows), but the row was changed by {after - before}");
    }
}
