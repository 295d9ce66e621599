using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol.Responses;

namespace Slipstream.MySql.Conversations;

// An execution of which the server's error proves that nothing was executed, and what is sent in its place.
internal sealed partial class CommandExchange
{
    /// <summary>Appends the repetition of a refused execution. False if the answer counts.</summary>
    private bool Repeats(Wire wire, ReadOnlySpan<byte> message)
    {
        switch (ErrorIn(message) is { } error ? ProofOf(error) : RefusalProof.None)
        {
            case RefusalProof.StatementLost when _repeats is not null:
                PrepareAgain(_repeats);
                return true;
            case RefusalProof.ValueUnconverted when TextInstead is not null:
                return SendsAsText(wire, TextInstead);
            default:
                return false;
        }
    }

    // The session outlives the command and its values. A forgotten connection is found only if nothing in the pool leads to it.
    private void ForgetRepetition()
    {
        _repeats = null;
        TextInstead = null;
    }

    // What a procedure has executed before it failed, it may have executed in SQL: EXECUTE fails with the same message.
    private RefusalProof ProofOf(ServerError error)
    {
        if (!IsFirstResult || _prepared is not { } prepared)
            return RefusalProof.None;
        if (_statement.KeepsPrepared && LostStatement.IsProven(error, prepared.Id))
            return RefusalProof.StatementLost;
        return UnconvertedValue.IsProven(error) ? RefusalProof.ValueUnconverted : RefusalProof.None;
    }

    private ServerError? ErrorIn(ReadOnlySpan<byte> message)
    {
        var reader = new ByteReader(message);
        if (reader.Byte() != Err.Header || _session.Operation.Interruption != Interruption.None)
            return null;
        var err = Err.Read(ref reader);
        return reader.Failed ? null : new(err.Number, err.SqlState, err.Message);
    }

    // False if the values cannot be written as text either: the server's error is the answer.
    private bool SendsAsText(Wire wire, IExecution execution)
    {
        _session.RefuseLeftovers();
        var (at, mark) = (wire.Out.TotalLength, wire.Out.Length);
        try
        {
            execution.EncodeText(_session);
        }
        catch (Exception exception) when (exception is not ProtocolException)
        {
            wire.Out.Truncate(mark);
            return false;
        }

        ForgetRepetition();
        _prepared!.ForgetSent();
        _prepared = null;
        _form = CommandForm.Query;
        _commandLength = wire.Out.TotalLength - at;
        _awaiting = Awaiting.Answer;
        return true;
    }

    // The statement is prepared and executed again, once. If the server refuses that, the answer to the text counts.
    private void PrepareAgain(IExecution execution)
    {
        _repeats = null;
        _session.Prepared.Forget(_statement);
        _prepared = null;
        _execution.Begin(_statement, execution.PrepareAgain(_session), execution, sentLength: 0, isAutomatic: true);
        _awaiting = Awaiting.Prepared;
    }
}
