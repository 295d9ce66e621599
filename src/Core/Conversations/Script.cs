using Slipstream.Core.Wires;

namespace Slipstream.Core.Conversations;

/// <summary>
/// An infrequent conversation (connect, authenticate, prepare), written as a C# iterator that reads from top to bottom like the protocol document. Each message
/// is copied out of the buffer: the cost does not matter here, and an iterator cannot keep spans.
/// </summary>
internal abstract class Script : Conversation
{
    private IEnumerator<Step>? _steps;
    private bool _waitsForMessage;

    /// <summary>The connection's buffers.</summary>
    protected Wire Wire { get; private set; } = null!;

    /// <summary>The message received after <c>yield return Step.Receive</c>.</summary>
    protected byte[] Message { get; private set; } = [];

    /// <summary>The exchange. <see cref="Step.Receive"/> waits for one whole message; the other steps have their usual meaning.</summary>
    protected abstract IEnumerable<Step> Run();

    /// <summary>Takes one whole message off the wire, in the provider's framing. Returns null if bytes are missing.</summary>
    protected abstract byte[]? TryTake(Wire wire);

    /// <inheritdoc/>
    public sealed override Step Advance(Wire wire)
    {
        Wire = wire;
        _steps ??= Run().GetEnumerator();
        while (true)
        {
            if (_waitsForMessage)
            {
                if (TryTake(wire) is not { } message)
                    return Step.Receive;
                Message = message;
                _waitsForMessage = false;
            }

            if (!_steps.MoveNext())
                return Step.Completed;
            if (_steps.Current != Step.Receive)
                return _steps.Current;
            _waitsForMessage = true;
        }
    }
}
