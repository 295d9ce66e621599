using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>A conversation whose bytes can stand in front of another's in the same send.</summary>
public abstract class Prefix : Conversation
{
    /// <summary>Appends what is to be said. Called once, before the bytes of what follows.</summary>
    public abstract void Encode(Wire wire);
}

/// <summary>
/// A session's conversations in the order of their answers: prefixes first (reset, BEGIN), then the user's command. Their bytes leave
/// in one send; their answers are consumed one after the other. There is no other mechanism for "prepended" messages.
/// </summary>
public sealed class ConversationQueue : Conversation
{
    private readonly Queue<Prefix> _prefixes = new(4);
    private Conversation _last = null!;
    private bool _sends;

    /// <summary>True while answers of prefixes are outstanding: no KILL may be sent now, it could hit the wrong one.</summary>
    public bool HasPrefixes => _prefixes.Count > 0;

    public override Producer Producer => _prefixes.TryPeek(out var prefix) ? prefix.Producer : _last.Producer;

    /// <summary>Puts a prefix in front of the next command: its bytes are appended now.</summary>
    public void Glue(Prefix prefix, Wire wire)
    {
        prefix.Encode(wire);
        _prefixes.Enqueue(prefix);
    }

    /// <summary>The user's command, whose bytes have been appended; one send carries all.</summary>
    public void Begin(Conversation last)
    {
        _last = last;
        _sends = true;
    }

    /// <summary>Forgets everything, after a failure that broke the session.</summary>
    public void Clear() => _prefixes.Clear();

    public override Step Advance(Wire wire)
    {
        if (_sends)
        {
            _sends = false;
            if (wire.Out.Length > 0)
                return Step.Send;
        }

        while (_prefixes.TryPeek(out var prefix))
        {
            var step = prefix.Advance(wire);
            if (step != Step.Over)
                return step;
            _prefixes.Dequeue();
        }

        return _last.Advance(wire);
    }
}
