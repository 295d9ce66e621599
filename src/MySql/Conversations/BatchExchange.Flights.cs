using Slipstream.Core.Errors;

namespace Slipstream.MySql.Conversations;

// The flights after the first one.
internal sealed partial class BatchExchange
{
    private void BeginReceiving()
    {
        _receivedBefore = session.Wire.Received;
        session.Wire.ArrivedLate = false;
        (_measured, _takenThen, _recentLength) = (0, 0, 0);
    }

    // A value that cannot be written ends a batch of which a part has run, as an error of the server would. The commands before it in the same flight run
    // first.
    private bool EncodeNext()
    {
        while (_plan.Value.HasMore)
        {
            _current = one;
            CanResendAsText = false;
            ForgetFlight();
            var mark = session.Wire.Out.Length;
            try
            {
                _plan.Value.EncodeNext(session, this);
                BeginReceiving();
                return true;
            }
            catch (Exception exception)
            {
                session.Wire.Out.Truncate(mark);
                ForgetFlight();
                _plan.Value.StopAtRefusal(exception);
            }
        }

        ScalarFailure ??= _plan.Value.Refusal;
        return false;
    }

    // What was written of the flight will not leave, and what has been answered is no longer needed.
    private void ForgetFlight()
    {
        for (var i = _answer; i < _answers.Count; i++)
            _answers[i].Prepared?.ForgetSent();
        _answers.Clear();
        _items.Clear();
        _answer = _item = 0;
    }

    // The caller does not see this answer. It only makes the error the last one of the session.
    private bool EncodeAgain()
    {
        var command = _repeated;
        _course = Course.Stopped;
        ForgetFlight();
        var mark = session.Wire.Out.Length;
        try
        {
            if (!_plan.Value.EncodeAgain(session, this, command))
                return false;
            BeginReceiving();
            return true;
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            // A value that can be written only once. The caller gets the server's error.
            session.Wire.Out.Truncate(mark);
            ForgetFlight();
            return false;
        }
    }
}
