using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Tests.Fakes;

/// <summary>
/// A session of a protocol with one-byte messages: every request is a letter, its answer is the same letter in lower case, or '!' for an error.
/// </summary>
internal sealed class FakeSession : Session
{
    public FakeSession(MemoryTransport transport)
        : base(new Wire(transport), new Endpoint("memory", 1)) => Memory = transport;

    public MemoryTransport Memory { get; }

    /// <summary>Called when the session asks the server to cancel.</summary>
    public Action? OnCancel { get; set; }

    public int CancelsAsked { get; private set; }

    public override LetterExchange Exchange { get; } = new('Q');

    public override long ServerId => 1;

    public override string ServerVersion => "1.0";

    public override bool IsInTransaction => false;

    public override SimpleExchange CreateSimple(string sql) => new Letter(sql[0]);

    public override SimpleExchange CreatePing() => new Letter('P');

    public override SimpleExchange CreateChangeDatabase(string database) => new Letter('D');

    public List<int> Patience { get; } = [];

    public override void CancelOnServer(int milliseconds)
    {
        CancelsAsked++;
        Patience.Add(milliseconds);
        OnCancel?.Invoke();
    }

    public override Conversation CreateAbsorbQuery() => new Letter('S').Encoded(Wire);

    protected override void PrependReset() => Queue.Prepend(new Letter('R'), Wire);

    /// <summary>Encodes the hot exchange after the owed prefixes, as a command does.</summary>
    public void BeginQuery(long milliseconds = 0)
    {
        Operation.Begin(milliseconds);
        PrependPending();
        Exchange.Encode(Wire);
        Queue.Begin(Exchange);
    }
}

/// <summary>Sends one letter, and receives the same letter in lower case.</summary>
internal sealed class Letter(char letter) : SimpleExchange
{
    private bool _sends;

    public override string Description => letter.ToString();

    public override void Encode(Wire wire) => wire.Out.Byte((byte)letter);

    public Letter Encoded(Wire wire)
    {
        Encode(wire);
        _sends = true;
        return this;
    }

    public override Step Advance(Wire wire)
    {
        if (_sends)
        {
            _sends = false;
            return Step.Send;
        }

        if (wire.Buffered == 0)
            return Step.Receive;
        var answer = (char)wire.In[wire.Start++];
        if (answer == '!')
            Error = new ServerError(7, "42000", "no");
        else if (answer != char.ToLowerInvariant(letter))
            throw new ProtocolException($"the answer to {letter}", answer.ToString());
        return Step.Completed;
    }
}

/// <summary>The same as a hot exchange, which ends with one letter.</summary>
internal sealed class LetterExchange(char letter) : ResultExchange
{
    public override Row Row => throw new NotSupportedException();

    public void Encode(Wire wire)
    {
        Error = null;
        IsCompleted = false;
        wire.Out.Byte((byte)letter);
    }

    public override Step Advance(Wire wire)
    {
        if (IsCompleted)
            return Step.Completed;
        if (wire.Buffered == 0)
            return Step.Receive;
        var answer = (char)wire.In[wire.Start++];
        if (answer == '!')
            Error = new ServerError(1317, "70100", "interrupted");
        else if (answer != char.ToLowerInvariant(letter))
            throw new ProtocolException($"the answer to {letter}", answer.ToString());
        IsCompleted = true;
        return Step.Completed;
    }

    public override void NextResult() => throw new NotSupportedException();

    public override void LeaveRow()
    {
    }

    public override void SkipRest()
    {
    }
}
