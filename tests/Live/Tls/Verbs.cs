using System.Data.Common;

namespace Slipstream.Live.Tls;

/// <summary>The blocking verbs on a thread of their own: somebody in the middle, who is in the same program, needs those of the pool.</summary>
internal static class Verbs
{
    public static Task OpenBy(this DbConnection connection, bool asynchronous) => asynchronous ? connection.OpenAsync() : OnOwnThread(connection.Open);

    public static Task OnOwnThread(Action action) => Task.Factory.StartNew(action, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
