using System.Globalization;
using Slipstream.Core.Errors;
using Slipstream.Soak.Checks;

namespace Slipstream.Soak.Work;

/// <summary>Work that is ended from outside: by a token, by Cancel, by its time.</summary>
internal static class Interruptions
{
    public static async ValueTask CanceledQuery(Worker worker)
    {
        using var cancellation = Soon(worker);
        await Expecting(worker, () => worker.WithConnection(async connection =>
        {
            var (marker, count) = (Queries.Question.NewMarker(worker.Random), worker.Random.Next(1, 400));
            if (worker.Random.Next(2) == 0)
            {
                await using var sleep = connection.Ask(worker.Store.Sleep(2));
                worker.Step("ExecuteScalar, cancelled", Calls.Command);
                await worker.Verbs.Scalar(sleep, cancellation.Token);
            }

            await using var command = connection.Ask(worker.Store.Rows, ("@m", marker), ("@n", count));
            await worker.Read(command, reader => Queries.ReadRows(worker, reader, marker, count, count + 1, cancellation.Token), cancellation.Token);
        }, cancellation.Token));
    }

    public static async ValueTask CanceledInsert(Worker worker)
    {
        using var cancellation = Soon(worker);
        await Expecting(worker, () => Changes.Insert(worker, cancellation.Token));
    }

    public static async ValueTask CanceledTransfer(Worker worker)
    {
        using var cancellation = Soon(worker);
        await Expecting(worker, () => Changes.Transfer(worker, cancellation.Token));
    }

    /// <summary>Cancel from another thread, behind which the same session answers the next question.</summary>
    public static ValueTask Cancel(Worker worker) => Expecting(worker, () => worker.WithConnection(async connection =>
    {
        await using var sleep = connection.Ask(worker.Store.Sleep(1));
        var canceller = Task.Run(async () =>
        {
            await Task.Delay(worker.Random.Next(30));
            sleep.Cancel();
        });
        try
        {
            worker.Step("ExecuteScalar, cancelled by Cancel", 1 + Calls.Command);
            await worker.Verbs.Scalar(sleep, default);
            worker.Leave();
        }
        catch (Exception exception) when (Failure.Of(exception).Kind == ErrorKind.Interrupted)
        {
            worker.Leave();
        }
        finally
        {
            canceller.Wait();
        }

        if (connection.State != System.Data.ConnectionState.Open)
            return;
        var question = new Queries.Question(worker);
        await using var command = connection.Ask(worker.Store.Echo, ("@m", question.Marker), ("@t", question.Text));
        try
        {
            await worker.Read(command, reader => question.Check(reader, default));
        }
        // Its own time may be over, too, when a fault is near: what a late cancellation stops is stopped by the server, and that is the server's error.
        catch (Exception exception) when (Failure.Of(exception) is { Kind: ErrorKind.Interrupted, Safety: RetrySafety.NotApplicable })
        {
            worker.Wrong($"the question behind a cancelled one was stopped in its place: {exception.Message}");
            throw;
        }
    }));

    public static ValueTask TimedOut(Worker worker) => Expecting(worker, () => worker.WithConnection(async connection =>
    {
        await using var sleep = connection.Ask(worker.Store.Sleep(4));
        sleep.CommandTimeout = 1;
        worker.Step("ExecuteScalar, with a time-out of 1 s", 1 + SoakOptions.CancellationSeconds);
        var answer = await worker.Verbs.Scalar(sleep, default);
        // MySQL's SLEEP answers 1 at once when the server is stopped.
        if (Convert.ToInt32(answer, CultureInfo.InvariantCulture) == 0)
            worker.Wrong("a query of 4 s with a time-out of 1 s was answered");
    }));

    // Its end is no failure of the driver's, and nothing is to be done again.
    private static async ValueTask Expecting(Worker worker, Func<ValueTask> work)
    {
        worker.InterruptsItself = true;
        await work();
    }

    private static CancellationTokenSource Soon(Worker worker) => new(TimeSpan.FromMilliseconds(worker.Random.Next(60)));
}
