using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>
/// A session's conversations in the order of their answers: prefixes first (reset, BEGIN), then the user's command. Their bytes leave in one send, and their
/// answers are read one after the other. No other mechanism prepends messages. If the operation was interrupted, the exchange that settles the interruption
/// comes last, before the caller is resumed.
/// </summary>
internal sealed class ConversationQueue(Session session) : Conversation
{
    private readonly Queue<SimpleExchange> _prefixes = new(4);
    private Conversation _last = null!;
    private ResultExchange? _results;
    private Conversation? _settling;
    private Conversation? _trailer;
    private SimpleExchange? _suffix;
    private bool _suffixIsNext;
    private bool _isAnswered;
    private bool _sends;
    private bool _isSeparate;
    private bool _separatesPrefixes;
    // Whether the last command waits for its source. A prefix of the next command may already be queued then, but what the last command still sends comes
    // first.
    private bool _lastProduces;
    private int _answeredSeparately;

    /// <summary>Whether answers of prefixes are outstanding.</summary>
    public bool HasPrefixes => _prefixes.Count > 0;

    /// <summary>
    /// Whether a prefix is outstanding that is answered separately, before the command. A cancellation must not be sent now: it could hit the prefix alone.
    /// Read by other threads.
    /// </summary>
    public bool HasOutstandingPrefix => Volatile.Read(ref _answeredSeparately) > 0;

    /// <summary>Whether <paramref name="prefix"/> alone waits for the next command, because encoding the command that was to carry it has failed.</summary>
    public bool HoldsOnly(SimpleExchange prefix) => _prefixes.Count == 1 && ReferenceEquals(_prefixes.Peek(), prefix);

    /// <summary>Whether <paramref name="prefix"/> has not been answered.</summary>
    public bool Holds(SimpleExchange prefix) => _prefixes.Contains(prefix);

    /// <summary>Whether the last command may have reached the server. False while only its prefixes have been sent.</summary>
    public bool HasSent { get; private set; } = true;

    /// <summary>The results of the last command; null if it was one without results.</summary>
    public ResultExchange? Results => _results;

    /// <summary>The last conversation that was begun: a command, or an exchange of the driver.</summary>
    public Conversation Last => _last;

    /// <inheritdoc/>
    public override ExternalSource ExternalSource =>
        _settling?.ExternalSource
            ?? _trailer?.ExternalSource
            ?? (!_lastProduces && _prefixes.TryPeek(out var prefix) ? prefix.ExternalSource : _last.ExternalSource);

    private bool SendsTogether => session.MayPipeline && !_separatesPrefixes;

    /// <summary>Sends the prefixes of the next command separately, before it, unless the bytes of one have been appended already.</summary>
    public void SeparatePrefixes() => _separatesPrefixes |= !HasPrefixes;

    /// <summary>Adds a prefix before the next command. Its bytes are appended now, or sent separately.</summary>
    public void Prepend(SimpleExchange prefix, Wire wire)
    {
        prefix.IsPrefix = true;
        if (SendsTogether)
            prefix.Encode(wire);
        _prefixes.Enqueue(prefix);
        if (prefix.IsAnsweredSeparately)
            Volatile.Write(ref _answeredSeparately, _answeredSeparately + 1);
    }

    /// <summary>Removes a prefix whose bytes have been removed from the writer.</summary>
    public void TakeBack(SimpleExchange prefix)
    {
        for (var left = _prefixes.Count; left > 0; left--)
        {
            var next = _prefixes.Dequeue();
            if (!ReferenceEquals(next, prefix))
                _prefixes.Enqueue(next);
            else if (prefix.IsAnsweredSeparately)
                Volatile.Write(ref _answeredSeparately, _answeredSeparately - 1);
        }
    }

    /// <summary>Begins the user's command, whose bytes have been appended or which will append them itself. One send carries everything.</summary>
    public void Begin(Conversation last)
    {
        _last = last;
        _lastProduces = false;
        _trailer = _suffix = null;
        _suffixIsNext = _isAnswered = false;
        _results = last as ResultExchange;
        _sends = true;
        HasSent = false;
        session.LastConversationBegins(last);
    }

    /// <summary>
    /// Adds a question after the command that was begun last, in the same send. Its error is ignored. Returns false if commands are not sent together.
    /// </summary>
    public bool TryAppend(SimpleExchange suffix, Wire wire)
    {
        if (!SendsTogether || !_sends || wire.Out.Length == 0)
            return false;
        suffix.Encode(wire);
        _suffix = suffix;
        return true;
    }

    /// <inheritdoc/>
    public override Step Advance(Wire wire)
    {
        if (_sends && _prefixes.Count > 0 && !SendsTogether && AdvanceSeparately(wire) is { } apart)
            return apart;

        if (_sends)
        {
            _sends = _separatesPrefixes = false;
            if (wire.Out.Length > 0)
            {
                session.RefuseLeftovers();
                HasSent = true;
                return Step.Send;
            }

            HasSent = true;
        }

        if (_settling is not null)
            return Settle(wire);

        while (_prefixes.Count > 0)
        {
            var prefix = _prefixes.Peek();
            var answered = prefix.Advance(wire);
            if (answered != Step.Completed)
                return answered;
            Answered(prefix);
        }

        if (_trailer is null && !_isAnswered)
        {
            // The command has sent more, whose answer follows that of the suffix.
            if (_suffixIsNext)
            {
                if (AdvanceSuffix(wire) != Step.Completed)
                    return Step.Receive;
                session.Writes?.GoesOn();
            }

            var step = _last.Advance(wire);
            _lastProduces = step == Step.WaitExternal;
            _suffixIsNext = step == Step.Send && _suffix is not null;
            if (step != Step.Completed || _results is { IsCompleted: false })
                return step;
            if (session.SendsTrailer && TryBeginTrailer())
            {
                session.RefuseLeftovers();
                return Step.Send;
            }

            _isAnswered = true;
        }

        if (_trailer is null)
        {
            if (_suffix is not null && AdvanceSuffix(wire) != Step.Completed)
                return Step.Receive;
            if (session.Writes is { IsWanted: true } && TryAskForWrites())
            {
                session.RefuseLeftovers();
                return Step.Send;
            }
        }
        else if (_trailer.Advance(wire) is var asked && asked != Step.Completed)
            return asked;

        _trailer = null;
        session.SettleWrites();
        if (session.Operation.End())
            return Step.Completed;
        _settling = session.CreateDrain();
        return Settle(wire);
    }

    // Sends each prefix separately while the command's bytes wait. Null when all are answered.
    private Step? AdvanceSeparately(Wire wire)
    {
        while (_prefixes.TryPeek(out var prefix))
        {
            if (!_isSeparate)
            {
                session.RefuseLeftovers();
                _isSeparate = true;
                wire.SwapOut();
                prefix.Encode(wire);
                return Step.Send;
            }

            // Sent. Further messages that the answer triggers belong after the command.
            if (wire.IsOutSwapped)
                wire.SwapOut();
            var answered = prefix.Advance(wire);
            if (answered != Step.Completed)
                return answered;
            _isSeparate = false;
            Answered(prefix);
        }

        return null;
    }

    // Only after the results of a command have ended, and not while an interruption waits to be noticed.
    private bool TryBeginTrailer() =>
        _results is { Error: null }
            && session.Operation is { IsRunning: true, Interruption: Interruption.None }
            && (_trailer = session.CreateTrailer()) is not null;

    private Step AdvanceSuffix(Wire wire)
    {
        // The server has ended the session with its answer to the command.
        if (!session.IsBroken && _suffix!.Advance(wire) is var step && step != Step.Completed)
            return step;
        _suffix = null;
        _suffixIsNext = false;
        return Step.Completed;
    }

    private bool TryAskForWrites() =>
        !session.IsBroken && session.Operation is { IsRunning: true, Interruption: Interruption.None }
            && (_trailer = session.CreateWriteQuestion()) is not null;

    private void Answered(SimpleExchange prefix)
    {
        _prefixes.Dequeue();
        if (prefix.IsAnsweredSeparately)
            Volatile.Write(ref _answeredSeparately, _answeredSeparately - 1);
        if (prefix.Error is { } error)
        {
            throw new ServerRefusedException(
                error with { FailedPrefix = prefix.Description, Safety = HasSent && !prefix.PreventsCommand ? RetrySafety.Unknown : RetrySafety.NotSent });
        }
    }

    private Step Settle(Wire wire)
    {
        var step = _settling!.Advance(wire);
        if (step == Step.Completed)
        {
            _settling = null;
            session.Drained();
        }

        return step;
    }
}
