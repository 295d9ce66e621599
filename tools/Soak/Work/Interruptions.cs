using System.Globalization;
using Slipstream.Core.Errors;
using Slipstream.Soak.Checks;

namespace Slipstream.Soak.Work;

/// <summary>Operations that a token, Cancel or a time-out interrupts.</summary>
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

    /// <summary>Calls Cancel from another thread; the same session must then answer the next query.</summary>
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
        // During a fault, its own time-out may also expire. If instead a late cancellation stops it, the error is the server's.
        catch (Exception exception) when (Failure.Of(exception) is { Kind: ErrorKind.Interrupted, Safety: RetrySafety.NotApplicable })
        {
            worker.Wrong($"the query after a cancelled one was stopped instead: {exception.Message}");
            throw;
        }
    }));

    public static ValueTask TimedOut(Worker worker) => Expecting(worker, () => worker.WithConnection(async connection =>
    {
        await using var sleep = connection.Ask(worker.Store.Sleep(4));
        sleep.CommandTimeout = 1;
        worker.Step("ExecuteScalar, with a time-out of 1 s", 1 + SoakOptions.CancellationSeconds);
        var answer = await worker.Verbs.Scalar(sleep, default);
        // MySQL's SLEEP returns 1 at once if the server is stopped.
        if (Convert.ToInt32(answer, CultureInfo.InvariantCulture) == 0)
            worker.Wrong("a query of 4 s with a time-out of 1 s was answered");
    }));

    // The interruption is not a failure of the driver, and the operation is not repeated.
    private static async ValueTask Expecting(Worker worker, Func<ValueTask> work)
    {
        worker.InterruptsItself = true;
        await work();
    }

    private static CancellationTokenSource Soon(Worker worker) => new(TimeSpan.FromMilliseconds(worker.Random.Next(60)));
}
