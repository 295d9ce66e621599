using System.Data.Common;

namespace Slipstream.Live.Tls;

/// <summary>Runs the blocking methods on a separate thread: the middleman is in the same program and needs the threads of the pool.</summary>
internal static class Verbs
{
    public static Task OpenBy(this DbConnection connection, bool asynchronous) => asynchronous ? connection.OpenAsync() : OnOwnThread(connection.Open);

    public static Task OnOwnThread(Action action) =>
        Task.Factory.StartNew(action, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
