using Slipstream.Core.Errors;
using Slipstream.MySql.Conversations;

namespace Slipstream.MySql.Sessions;

/// <content>
/// The packet that lets the server's send buffer grow, sent once. What the user has asked for leaves with the first command. Unasked, it is owed after a large
/// result: the next command carries the question whether the server takes such a packet, the one behind it the packet.
/// </content>
internal sealed partial class MySqlSession
{
    // Answers of prefixes: the tracker's, which repeats its settings, is the longest.
    private const int SmallAnswers = 4096;

    // No server's max_allowed_packet is smaller by default, and the driver's own statements are: a lost connection has another reason up to here.
    private const int SurelyTaken = 1 << 20;

    private readonly ServerSendBuffer? _sendBuffer;
    private SimpleCommand? _limitQuestion;
    private bool _limitIsAsked;
    private bool _sendBufferHasGrown;
    private bool _sentUnanswered;

    /// <summary>A command's answers are at their end: after a large one the server is to send the next in larger pieces.</summary>
    public void Delivered(long bytes)
    {
        _sentUnanswered = false;
        if (bytes > ServerSendBuffer.LargeResult && !_limitIsAsked && !_sendBufferHasGrown && _sendBuffer is { IsOff: false, IsAdaptive: true })
            OwesQuestion = MayPipeline;
    }

    public override void GlueQuestion()
    {
        OwesQuestion = false;
        _limitIsAsked = true;
        _limitQuestion = Commands.AsksPacketLimit(this, LearnPacketLimit);
        Queue.Glue(_limitQuestion, Wire);
    }

    public override void TakeQuestionBack()
    {
        if (_limitQuestion is null)
            return;
        Queue.TakeBack(_limitQuestion);
        _limitQuestion = null;
        _limitIsAsked = false;
        OwesQuestion = true;
    }

    private void LearnPacketLimit(int warnings)
    {
        _limitQuestion = null;
        OwesUnanswered = warnings > 0;
    }

    /// <summary>
    /// Finds out a proxy that answers what no server answers, and what stands in front of the command: its answer would pass for the command's.
    /// </summary>
    /// <param name="error">The command's first answer.</param>
    /// <exception cref="ProtocolException">It is such an answer. No session of the data source will ask for it again.</exception>
    public void CheckUnanswered(ServerError error)
    {
        // ER_UNKNOWN_COM_ERROR, ER_UNKNOWN_STMT_HANDLER. The number in brackets is the statement's: EXECUTE in SQL fails in the same way, with a name.
        if (!_sentUnanswered || error.Number != 1047 && (error.Number != 1243 || !error.Message.Contains("(0)", StringComparison.Ordinal)))
            return;
        _sendBuffer!.IsOff = true;
        throw new ProtocolException("no answer to COM_STMT_SEND_LONG_DATA (the peer is a proxy, not a server: set ServerSendBuffer=0)", $"error {error.Number}");
    }

    protected override void WriteUnanswered()
    {
        if (_sendBuffer is not { IsOff: false } || _sendBufferHasGrown)
            return;
        // A reset does not take the buffer back (tested).
        _sendBufferHasGrown = _sentUnanswered = true;
        _sendBuffer.Write(Wire.Out);
    }

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
