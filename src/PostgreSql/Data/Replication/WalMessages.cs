using System.Runtime.CompilerServices;
using Slipstream.Core.Errors;

namespace Slipstream.PostgreSql.Replication;

/// <summary>The messages of a replication stream as they are sent. Each enumeration begins a stream.</summary>
/// <param name="connection">The connection.</param>
/// <param name="command">The START_REPLICATION.</param>
/// <param name="token">Ends the stream.</param>
internal sealed class WalMessages(ReplicationConnection connection, string command, CancellationToken token) : IAsyncEnumerable<XLogDataMessage>
{
    public IAsyncEnumerator<XLogDataMessage> GetAsyncEnumerator(CancellationToken cancellationToken = default) =>
        Enumerate<XLogDataMessage>(static operation =>
        {
            var data = new WalDataStream(operation.Buffer);
            var message = new XLogDataMessage { Data = data };
            return () =>
            {
                data.At(operation.Start, operation.End - operation.Start);
                return message;
            };
        }, cancellationToken).GetAsyncEnumerator(CancellationToken.None);

    /// <summary>Begins the stream, and returns its decoded messages.</summary>
    /// <param name="createDecoder">Creates the function that decodes the current message. It runs on the data in the buffer, without waiting.</param>
    /// <param name="cancellationToken">Ends the stream, like the token of the constructor.</param>
    public async IAsyncEnumerable<TMessage> Enumerate<TMessage>(
        Func<ReplicationOperation, Func<TMessage>> createDecoder, [EnumeratorCancellation] CancellationToken cancellationToken)
        where TMessage : ReplicationMessage
    {
        using var both = token.CanBeCanceled && cancellationToken.CanBeCanceled
            ? CancellationTokenSource.CreateLinkedTokenSource(token, cancellationToken)
            : null;
        var stop = both?.Token ?? (token.CanBeCanceled ? token : cancellationToken);
        if (await ReplicationOperation.BeginAsync(connection, connection.Connection, command, Cancelled, stop).ConfigureAwait(false) is not { } operation)
            yield break;
        try
        {
            var decode = createDecoder(operation);
            while (await operation.NextAsync().ConfigureAwait(false))
            {
                TMessage message;
                try
                {
                    message = decode();
                    var current = operation.Current;
                    message.Set(new(current.WalStart), new(current.WalEnd), ReplicationClock.Read(current.ServerClock));
                }
                catch (ProtocolException exception)
                {
                    throw await operation.RefusedAsync(exception).ConfigureAwait(false);
                }

                yield return message;
            }
        }
        finally
        {
            await operation.AbandonAsync().ConfigureAwait(false);
        }

        CancellationToken Cancelled() => token.IsCancellationRequested ? token : cancellationToken;
    }
}
