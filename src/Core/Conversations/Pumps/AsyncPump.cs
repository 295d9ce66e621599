using System.Runtime.CompilerServices;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Conversations;

/// <summary>Waits by completing a task. The caller is resumed once per exchange, however many receives it needed.</summary>
internal static class AsyncPump
{
    /// <summary>Runs the conversation to its next outcome. Completes synchronously, without a state machine, if no wait is needed.</summary>
    public static ValueTask<Step> RunAsync(Conversation conversation, Wire wire)
    {
        var step = conversation.Advance(wire);
        return step >= Step.Metadata ? new(step) : WaitAsync(conversation, wire, step);
    }

    /// <summary>Continues after a step that needs a wait.</summary>
    // Pooled: in steady state, an exchange that waits allocates nothing.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public static async ValueTask<Step> WaitAsync(Conversation conversation, Wire wire, Step step)
    {
        while (true)
        {
            switch (step)
            {
                case Step.Receive:
                    if (wire.Pending is { } pending)
                        wire.AdvancePending(await pending.Bytes.ConfigureAwait(false));
                    else if (wire.ExpectedSoon > 0 && wire.Optimizations.AdaptsReceives)
                    {
                        wire.Advance(await ReceiveBatch(wire).ConfigureAwait(false));
                        wire.ArrivedLate = wire.Transport.HasGatheredLate;
                    }
                    else
                        wire.Advance(await wire.Transport.ReceiveAsync(wire.FreeMemory()).ConfigureAwait(false));
                    break;
                case Step.Send:
                    if (wire.Out.HasGathered)
                        await SendGatheredAsync(wire).ConfigureAwait(false);
                    else if (wire.IsAnsweredEarly && wire.Out.Length > BlockingPump.SafeAhead)
                        await SendWhileReceivingAsync(wire, wire.Out.WrittenMemory).ConfigureAwait(false);
                    else
                        await wire.Transport.SendAsync(wire.Out.WrittenMemory).ConfigureAwait(false);
                    wire.Left();
                    break;
                case Step.Upgrade:
                    BlockingPump.RefuseEarlyBytes(wire);
                    wire.Transport = await wire.Transport.UpgradeAsync().ConfigureAwait(false);
                    break;
                case Step.WaitExternal:
                    await conversation.ExternalSource.WaitAsync().ConfigureAwait(false);
                    break;
                default:
                    return step;
            }

            step = conversation.Advance(wire);
        }
    }

    private static ValueTask<int> ReceiveBatch(Wire wire)
    {
        var room = wire.FreeMemory();
        wire.Transport.GatherNext(Math.Min(wire.ExpectedSoon, room.Length));
        wire.ExpectedSoon = 0;
        return wire.Transport.ReceiveAsync(room);
    }

    // See BlockingPump.FlushGathered.
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    private static async ValueTask SendGatheredAsync(Wire wire)
    {
        for (var i = 0; i < wire.Out.Segments; i++)
        {
            var segment = wire.Out.Segment(i);
            if (segment.IsEmpty)
                continue;
            if (wire.IsAnsweredEarly)
                await SendWhileReceivingAsync(wire, segment).ConfigureAwait(false);
            else
                await wire.Transport.SendAsync(segment).ConfigureAwait(false);
        }
    }

    // See BlockingPump.FlushWhileReceiving. A receive that is still running when everything has been sent stays pending: the next receive takes its bytes.
    private static async ValueTask SendWhileReceivingAsync(Wire wire, ReadOnlyMemory<byte> bytes)
    {
        var send = wire.Transport.SendAsync(bytes);
        if (send.IsCompleted)
        {
            await send.ConfigureAwait(false);
            return;
        }

        var sent = send.AsTask();
        while (!sent.IsCompleted)
        {
            var pending = wire.Pending ??= new(wire.Transport.ReceiveAsync(wire.FreeMemory()).AsTask());
            if (await Task.WhenAny(sent, pending.Bytes).ConfigureAwait(false) == pending.Bytes)
                wire.AdvancePending(await pending.Bytes.ConfigureAwait(false));
        }

        await sent.ConfigureAwait(false);
    }
}
