using System.Data.Common;
using System.Diagnostics;
using System.Globalization;
using Slipstream.Core.Data;
using Slipstream.Core.Errors;
using Slipstream.Soak.Checks;

namespace Slipstream.Soak.Work;

/// <summary>
/// A user of the driver: executes one operation after another, checks every answer and failure, and repeats what failed with a transient error.
/// </summary>
internal sealed class Worker(Scene scene, int number, Verbs verbs, ProviderDataSource source)
{
    // The maximum number of consecutive failed attempts without a fault. Only locks of other workers can cause them.
    private const int MostCalmAttempts = 12;

    // ER_OPTION_PREVENTS_STATEMENT: the server is read-only.
    private const string ReadOnlyServer = "1290";

    private long _stepBegan;
    private long _stepLimit;
    private string _step = "";
    private DbCommand? _stored;
    private readonly IReadOnlyList<Operation> _possible = Operation.For(verbs, scene.Store is PgStore, scene.Options.Work);

    public Random Random { get; } = new(HashCode.Combine(scene.Options.Seed, number));

    public Scene Scene => scene;
    public Verbs Verbs => verbs;
    public ProviderDataSource Source => source;
    public Store Store => scene.Store;
    public WorkLog WorkLog => scene.WorkLog;

    /// <summary>Gets the time limit of a call that opens a connection, in seconds.</summary>
    public double OpenSeconds => scene.Options.OpenSeconds;

    /// <summary>Gets or sets whether the operation interrupts itself.</summary>
    public bool InterruptsItself { get; set; }

    /// <summary>Gets or sets whether the operation sends a command that, as far as the driver knows, may be larger than the server accepts.</summary>
    public bool SendsLargeCommand { get; set; }

    public string Name => string.Create(CultureInfo.InvariantCulture, $"{(verbs.IsAsync ? "async" : "blocking")} worker {number}");

    /// <summary>Gets a command of the data source that is created once and executed repeatedly.</summary>
    public DbCommand Stored => _stored ??= source.CreateCommand(Store.Echo);

    public async Task Live()
    {
        while (!scene.IsCompleted)
        {
            await scene.Gate.Pass(verbs);
            await verbs.Pause(TimeSpan.FromMilliseconds(Random.Next(scene.LongestPause)));
            if (scene.IsCompleted)
                return;
            var operation = Operation.Choose(Random, _possible);
            if (await Try(operation))
                await Again(operation);
        }
    }

    /// <summary>Repeats the operation until it succeeds.</summary>
    private async ValueTask Again(Operation operation)
    {
        scene.Tally.WillRetry();
        for (var calmAttempts = 0; !scene.IsCompleted;)
        {
            await verbs.Pause(TimeSpan.FromMilliseconds(50 + Random.Next(200)));
            var began = Stopwatch.GetTimestamp();
            if (!await Try(operation))
            {
                scene.Tally.Retry();
                return;
            }

            if (scene.Line.WasCalm(began) && ++calmAttempts > MostCalmAttempts)
            {
                scene.Journal.Violation($"{Name}: {operation.Name} failed {calmAttempts} times with transient errors while no fault was near");
                return;
            }
        }

        scene.Journal.Violation($"{Name}: {operation.Name} failed with a transient error and had not succeeded again when the run ended");
    }

    /// <summary>Executes the operation, and returns true if it failed with a transient error.</summary>
    private async ValueTask<bool> Try(Operation operation)
    {
        InterruptsItself = SendsLargeCommand = false;
        var began = Stopwatch.GetTimestamp();
        try
        {
            await operation.Run(this);
            scene.Tally.Done(operation.Name);
            return false;
        }
        catch (Exception exception)
        {
            var failure = Failure.Of(exception);
            scene.Tally.Done(operation.Name);
            scene.Tally.Fail(failure);
            Judge(operation, failure, began);
            // An operation that interrupts itself would be interrupted again.
            return failure.IsTransient && !InterruptsItself;
        }
        finally
        {
            Leave();
        }
    }

    private void Judge(Operation operation, Failure failure, long began)
    {
        if (!failure.IsDocumented)
        {
            scene.Journal.Violation($"{Name}: {operation.Name} threw an undocumented exception: {failure.Exception}");
            return;
        }

        if (failure.IsCanceled && !InterruptsItself)
            scene.Journal.Violation($"{Name}: {operation.Name} was cancelled, but its own token was not: {failure.Exception}");
        // The server may refuse a large command again, so its error is not transient.
        if (failure is { Kind: ErrorKind.ConnectionLost, IsTransient: false } && !(SendsLargeCommand && failure.SuspectsSize))
            scene.Journal.Violation($"{Name}: {operation.Name} lost its session, but the error is not transient: {failure.Sort}");
        // Any other refusal by the server, which neither a fault nor another worker explains, means that the operation is wrong. A server that leaves its
        // cluster refuses with various errors.
        if (
            failure.Safety == RetrySafety.NotApplicable
                && !failure.IsCanceled
                && !(scene.Options.Cluster is not null && failure.IsTransient && !scene.Line.WasCalm(began))
                && failure.Kind is not (ErrorKind.Deadlock or ErrorKind.LockTimeout or ErrorKind.SerializationFailure
                or ErrorKind.Interrupted or ErrorKind.ConnectionLost or ErrorKind.ReadOnly or ErrorKind.TooManyConnections) && failure.Code != ReadOnlyServer)
        {
            scene.Journal.Violation($"{Name}: {operation.Name} was refused: {failure.Exception}");
        }

        // MySQL reports the same number for a statement that KILL stops and for a cancelled one; PostgreSQL has a code for each.
        if (failure is { Kind: ErrorKind.Interrupted, Safety: RetrySafety.NotApplicable }
            && !InterruptsItself
            && !failure.IsCanceled
            && (Store is PgStore || scene.Line.WasCalm(began)))
            scene.Journal.Violation($"{Name}: {operation.Name} was stopped by the server without a request: {failure.Exception}");
        // A session that its own user interrupts may be closed afterwards.
        if (InterruptsItself || !scene.Line.WasCalm(began))
            return;
        if (failure.Kind is ErrorKind.ConnectionLost or ErrorKind.AuthenticationFailed or ErrorKind.ReadOnly or ErrorKind.TooManyConnections)
            scene.Journal.Violation($"{Name}: {operation.Name} failed while no fault was near: {failure.Exception}");
    }

    public void Wrong(string what) => scene.Journal.Violation($"{Name}: {what}");

    /// <summary>Records the next call of the driver and its time limit.</summary>
    public void Step(string what, double seconds)
    {
        Leave();
        Volatile.Write(ref _step, what);
        Volatile.Write(ref _stepLimit, (long)(seconds * Stopwatch.Frequency));
        Volatile.Write(ref _stepBegan, Stopwatch.GetTimestamp());
    }

    public void Leave()
    {
        if (Interlocked.Exchange(ref _stepBegan, 0) is var began and not 0)
            scene.Tally.Waited(Stopwatch.GetElapsedTime(began), _step);
    }

    /// <summary>Returns the call that has exceeded its time limit; null if none has.</summary>
    public (string What, TimeSpan Since, TimeSpan Late)? Overdue(long now)
    {
        if (Volatile.Read(ref _stepBegan) is var began and not 0 && now - began - Volatile.Read(ref _stepLimit) is var late and > 0)
            return (
                Volatile.Read(ref _step), TimeSpan.FromSeconds((now - began) / (double)Stopwatch.Frequency),
                TimeSpan.FromSeconds(late / (double)Stopwatch.Frequency));
        return null;
    }
}
