using Slipstream.Core.Errors;

namespace Slipstream.MySql.Conversations;

// The flights behind the first one.
internal sealed partial class BatchExchange
{
    private void BeginReceiving()
    {
        _receivedBefore = session.Wire.Received;
        session.Wire.CameLate = false;
    }

    // A value that cannot be written ends a batch of which a part has run, as an error of the server would: what stands in front of it in the same flight runs
    // first.
    private bool EncodeNext()
    {
        while (_plan.HasMore)
        {
            _current = one;
            MayBeSaidAsText = false;
            ForgetFlight();
            var mark = session.Wire.Out.Length;
            try
            {
                _plan.EncodeNext(session, this);
                BeginReceiving();
                return true;
            }
            catch (Exception exception)
            {
                session.Wire.Out.Truncate(mark);
                ForgetFlight();
                _plan.StopAtRefusal(exception);
            }
        }

        ScalarFailure ??= _plan.Refusal;
        return false;
    }

    // What was written of it will not leave. (And what has been answered needs to be known no more.)
    private void ForgetFlight()
    {
        for (var i = _answer; i < _answers.Count; i++)
            _answers[i].Prepared?.ForgetSent();
        _answers.Clear();
        _items.Clear();
        _answer = _item = 0;
    }

    // Nobody is told of this answer: it only makes the error the session's last.
    private bool EncodeAgain()
    {
        var command = _again;
        _again = -1;
        ForgetFlight();
        var mark = session.Wire.Out.Length;
        try
        {
            if (!_plan.EncodeAgain(session, this, command))
                return false;
            BeginReceiving();
            return true;
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            // A value that could be written once only. The error that the caller hears is the server's.
            session.Wire.Out.Truncate(mark);
            ForgetFlight();
            return false;
        }
    }
}
