using System.Runtime.InteropServices;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.Conversations;

// What the end of a result or of an answer means for the commands.
internal sealed partial class BatchExchange
{
    void IResultListener.ResultEnded(in StatementOutcome outcome)
    {
        var (withRows, affected) = (outcome.HasResultSet, outcome.Rows);
        if (_course == Course.Passing)
            return;
        if (withRows)
            EndScalar();
        if (HasStopped || _item == _answers[_answer].ItemsEnd)
            return;
        Outcomes.Add(outcome);
        ref var item = ref CollectionsMarshal.AsSpan(_items)[_item];
        if (!withRows)
        {
            // A bulk execution of MariaDB also counts the rows that triggers changed.
            affected = item.Count > 1 ? Math.Min(affected, item.Count) : affected;
            item.Affected = Math.Max(item.Affected, 0) + affected;
            RecordsAffected = Math.Max(RecordsAffected, 0) + affected;
        }

        if (item.Ends != BatchItemEnd.Result && (item.Ends != BatchItemEnd.Ok || withRows))
            return;
        EndItem();
        if (_item < _answers[_answer].ItemsEnd)
            one.RowsAreOf(_plan.Value.TextOf(_items[_item].First));
    }

    private void EndScalar() => (_wanted, _use) = (_wanted.WithoutScalar(), _use.WithoutScalar());

    private void EndAnswer()
    {
        ScalarFailure ??= _current.ScalarFailure;
        if (_current == procedure)
            EndCall();
        var (statement, prepared, _, end) = _answers[_answer++];
        // After a prepared statement in the pipeline there are only reads, and a read can be sent again: it leaves no trace.
        if (_course == Course.Passing)
            return;
        // What follows an error in the same text has not been executed. What follows one in the pipeline has, but the caller is not told.
        if (MayRepeat && one.Proof == RefusalProof.StatementLost)
            PassFrom(_items[Math.Min(_item, end - 1)].First);
        else if (MayRepeat && one.Proof == RefusalProof.ValueUnconverted && !_plan.Value.IsPreparedByUser)
        {
            statement.StaysText = true;
            session.Prepared.Forget(statement);
            PassFrom(_items[Math.Min(_item, end - 1)].First);
        }
        else if (CanResendAsText && one.Error is { Number: UnsupportedPrepared, Message: UnsupportedPreparedMessage })
            _plan.Value.ResendAsText(_items[0].First);
        else if (_current.Error is { } error && !HasStopped)
        {
            var command = _items[Math.Min(_item, end - 1)].First;
            // In another language the message proves nothing: a trigger may have raised it. The next batch is sent as text.
            if (CanResendAsText && error.Number == UnsupportedPrepared)
                statement.RefusesBulk = true;
            if (_current == procedure || ContinuesAfterErrors || !_plan.Value.TryResendCall(command, error))
                Refused(command, error);
        }
        else if (!HasStopped)
            while (_item < end)
                EndItem();
        _item = end;
    }

    private bool MayRepeat => _current == one && !HasStopped && session.Operation.Interruption == Interruption.None;

    private void PassFrom(int command) => (_course, _repeated) = (Course.Passing, command);

    // A value that is missing, or one that came back and is not of its parameter's type, ends a batch as it would end the call alone.
    private void EndCall()
    {
        if (procedure.ScalarFailure is not null)
            _course = Course.Stopped;
        if (Scalar is { HasValue: true })
            EndScalar();
        for (var i = 0; i < procedure.Outcomes.Count; i++)
            Outcomes.Add(procedure.Outcomes[i]);
        if (procedure.RecordsAffected < 0)
            return;
        CollectionsMarshal.AsSpan(_items)[_item].Affected = procedure.RecordsAffected;
        RecordsAffected = Math.Max(RecordsAffected, 0) + procedure.RecordsAffected;
    }

    private void Refused(int command, ServerError error)
    {
        if (_first is null)
            FirstRefused = command;
        _first ??= error;
        _plan.Value.Refused(command, error);
        if (ContinuesAfterErrors)
            return;
        // What followed the command has been executed, or prepared, and was the session's last statement instead.
        (_course, _repeated) = (_answer < _answers.Count || _preparation is not null ? Course.StoppedBeforeRepeat : Course.Stopped, command);
    }

    private void EndItem()
    {
        var item = _items[_item++];
        if (item.Affected < 0)
            return;
        if (item.Count == 1)
            _plan.Value.Changed(item.First, item.Affected);
        else
            for (var i = 0; i < item.Count; i++)
                _plan.Value.Changed(item.First + i, 1);
    }
}
