using Slipstream.Core.Errors;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Sessions;

/// <content>What large results and large commands ask for.</content>
internal sealed partial class MySqlSession
{
    // Answers of prefixes: the tracker's, which repeats its settings, is the longest.
    private const int SmallAnswers = 4096;

    // No server's max_allowed_packet is smaller by default, and the driver's own statements are: a lost connection has another reason up to here.
    private const int SurelyTaken = 1 << 20;

    private SimpleCommand? _limitQuestion;

    public override void GlueQuestion()
    {
        OwesQuestion = false;
        SendBuffer.Asked();
        _limitQuestion = Commands.AsksPacketLimit(State, SendBuffer.Answered);
        Queue.Glue(_limitQuestion, Wire);
    }

    public override void TakeQuestionBack()
    {
        if (_limitQuestion is null || !SendBuffer.TakeQuestionBack())
            return;
        Queue.TakeBack(_limitQuestion);
        _limitQuestion = null;
        OwesQuestion = true;
    }

    protected override void WriteUnanswered() => SendBuffer.Write(Wire.Out);

    void ISessionHost.OweQuestion() => OwesQuestion = true;

    void ISessionHost.OwePacket() => OwesUnanswered = true;

    // A server reads the beginning of a packet that is too large, and closes the connection under the rest: that it has said why is often not seen any more.
    // What it says under the rest of a compressed command has a frame number in the midst of those sent, which no answer has.
    protected override Exception Explain(Exception failure)
    {
        var bytes = Wire.Unanswered(SmallAnswers);
        return bytes <= SurelyTaken || (failure is ProtocolException && !Wire.IgnoresSequence)
            ? failure
            : new WireException(
                WireFailure.LostOnLargeRequest,
                $"The connection was lost during a command of {bytes:N0} bytes, which may be more than the server's max_allowed_packet: raise that above the size, on the server and for new connections, or send less at once. If the server takes as much, the connection was lost for another reason. ({failure.Message})",
                failure.InnerException) { RetrySafety = SafetyOf(failure) };
    }
}
