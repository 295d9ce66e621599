namespace Slipstream.PostgreSql;

/// <summary>
/// The notifications between the task that reads them and their consumer. The reader never waits for the consumer: a session that does not read would in the
/// end keep all sessions of the server from sending notifications. If the buffer is full, its content is replaced by the signal that some are missing.
/// </summary>
internal sealed class NotificationBuffer(int capacity)
{
    // A server allows payloads of 8000 bytes, but may have been changed; a message may have 16 MiB.
    private const int MaxCharacters = 8 << 20;

    private readonly Lock _gate = new();
    private readonly Queue<PgNotification> _queue = new();
    private long _characters;
    private TaskCompletionSource? _waiter;
    private Exception? _failure;
    private bool _hasEnded;

    /// <summary>Adds a notification.</summary>
    public void Add(PgNotification notification)
    {
        lock (_gate)
        {
            var length = LengthOf(notification);
            if (_queue.Count >= capacity || _characters + length > MaxCharacters)
            {
                _queue.Clear();
                _queue.Enqueue(PgNotification.Gap);
                _characters = 0;
            }
            else if (!notification.MayHaveMissed || !_queue.TryPeek(out var last) || _queue.Count > 1 || !last.MayHaveMissed)
            {
                _queue.Enqueue(notification);
                _characters += length;
            }

            Wake();
        }
    }

    /// <summary>Ends the sequence after the notifications that were added.</summary>
    /// <param name="failure">The exception for the consumer; null if it has ended the sequence itself.</param>
    public void End(Exception? failure)
    {
        lock (_gate)
        {
            (_hasEnded, _failure) = (true, failure);
            Wake();
        }
    }

    /// <summary>Takes the next notification; null at the end of the sequence.</summary>
    public async ValueTask<PgNotification?> TakeAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            Task arrival;
            lock (_gate)
            {
                if (_queue.TryDequeue(out var next))
                {
                    _characters -= LengthOf(next);
                    return next;
                }

                if (_hasEnded)
                    return _failure is { } failure ? throw failure : null;
                _waiter ??= new(TaskCreationOptions.RunContinuationsAsynchronously);
                arrival = _waiter.Task;
            }

            await arrival.WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private static int LengthOf(PgNotification notification) => notification.Channel.Length + notification.Payload.Length;

    private void Wake()
    {
        _waiter?.TrySetResult();
        _waiter = null;
    }
}
