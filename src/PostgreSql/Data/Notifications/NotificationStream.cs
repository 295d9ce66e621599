using System.Data.Common;
using System.Text;
using Slipstream.Core.Statements;

namespace Slipstream.PostgreSql;

/// <summary>
/// The notifications of some channels as a sequence that outlives the loss of a connection. One task reads them, so that the consumer's pace does not matter to
/// the server.
/// </summary>
internal sealed class NotificationStream : IAsyncEnumerable<PgNotification>
{
    /// <summary>The most notifications that wait for the consumer. The buffer also limits their characters.</summary>
    public const int Capacity = 1000;

    // A network may drop a connection without a message. A silent one is checked after this time.
    private const int CheckMilliseconds = 30_000;
    private const int CheckSeconds = 10;
    private const int FirstDelayMilliseconds = 200;
    private const int MaxDelayMilliseconds = 30_000;

    private readonly PgDataSource _source;
    private readonly string _listen;
    private readonly CancellationToken _token;

    public NotificationStream(PgDataSource source, string[] channels, CancellationToken token)
    {
        if (channels.Length == 0)
            throw new ArgumentException("There is no channel to listen to: name at least one.", nameof(channels));
        var text = new StringBuilder();
        foreach (var channel in channels)
        {
            ArgumentException.ThrowIfNullOrEmpty(channel, nameof(channels));
            var name = Names.Checked(channel, "channel's name", nameof(channels));
            text.Append("LISTEN \"").Append(name.Replace("\"", "\"\"", StringComparison.Ordinal)).Append("\";");
        }

        (_source, _listen, _token) = (source, text.ToString(0, text.Length - 1), token);
    }

    public async IAsyncEnumerator<PgNotification> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _token);
        var buffer = new NotificationBuffer(Capacity);
        Task reading;
        // The connection outlives the consumer's current span, and must not join its ambient transaction.
        using (ExecutionContext.SuppressFlow())
            reading = Task.Run(() => ReadAsync(buffer, stop.Token), CancellationToken.None);
        try
        {
            while (await buffer.TakeAsync(stop.Token).ConfigureAwait(false) is { } next)
                yield return next;
            stop.Token.ThrowIfCancellationRequested();
        }
        finally
        {
            await stop.CancelAsync().ConfigureAwait(false);
            await reading.ConfigureAwait(false);
        }
    }

    // Never throws: the consumer gets the failure.
    private async Task ReadAsync(NotificationBuffer buffer, CancellationToken stop)
    {
        using var pause = new SemaphoreSlim(0);
        var delay = 0;
        var hasListened = false;
        while (true)
        {
            try
            {
                if (delay > 0)
                    await pause.WaitAsync(delay, stop).ConfigureAwait(false);
                delay = Math.Min(Math.Max(FirstDelayMilliseconds, delay * 2), MaxDelayMilliseconds);
                await ListenAsync().ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (stop.IsCancellationRequested)
            {
                buffer.End(null);
                return;
            }
            catch (DbException exception) when (hasListened && Passes(exception))
            {
                // The next attempt follows.
            }
            catch (Exception exception)
            {
                buffer.End(exception);
                return;
            }
        }

        async Task ListenAsync()
        {
            var connection = _source.CreateConnection();
            await using var closing = connection.ConfigureAwait(false);
            await connection.OpenAsync(stop).ConfigureAwait(false);
            connection.Notification += (_, e) => buffer.Add(new(e.PID, e.Channel, e.Payload));
            await RunAsync(connection, _listen, stop).ConfigureAwait(false);
            hasListened = true;
            delay = FirstDelayMilliseconds;
            buffer.Add(PgNotification.Gap);
            try
            {
                while (true)
                {
                    if (!await connection.WaitAsync(CheckMilliseconds, stop).ConfigureAwait(false))
                        await connection.RunAsync(connection.Session.CreatePing(), CheckSeconds, stop).ConfigureAwait(false);
                }
            }
            finally
            {
                // An idle connection that listens would be closed by the pool, because the server keeps sending to it.
                if (stop.IsCancellationRequested && connection.State == System.Data.ConnectionState.Open)
                    await StopListeningAsync(connection).ConfigureAwait(false);
            }
        }
    }

    private static async Task StopListeningAsync(PgConnection connection)
    {
        try
        {
            await RunAsync(connection, "UNLISTEN *", default).ConfigureAwait(false);
        }
        catch (DbException)
        {
            // The connection is lost; it need not stop.
        }
    }

    private static async Task RunAsync(PgConnection connection, string sql, CancellationToken cancellationToken)
    {
        var command = new PgCommand(sql, connection);
        await using var disposing = command.ConfigureAwait(false);
        await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }

    // A login that the server rejects will be rejected again. A standby rejects LISTEN, but the next attempt may find the new primary.
    private static bool Passes(DbException exception) =>
        exception is PgException { SqlState: null or "" or PgErrorCodes.ReadOnlySqlTransaction } || exception.IsTransient
            || exception.SqlState?.StartsWith("57P", StringComparison.Ordinal) == true;
}
