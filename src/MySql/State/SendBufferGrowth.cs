using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.State;

/// <summary>
/// When the packet leaves that lets the server's send buffer grow: once in a session. What the user has asked for leaves with the first command. Unasked, it is
/// owed after a large result: the next command carries the question whether the server takes such a packet, the one behind it the packet.
/// </summary>
internal sealed class SendBufferGrowth
{
    private enum Stage : byte
    {
        /// <summary>The packet has been sent, or never will be.</summary>
        Completed,

        /// <summary>A large result would show that it pays.</summary>
        AwaitsLargeResult,

        /// <summary>Such a result came: the server is to be asked whether it takes the packet.</summary>
        QuestionPending,

        /// <summary>The question is on its way, or waits for its command.</summary>
        Asks,

        /// <summary>The packet stands in front of the next command.</summary>
        PacketPending,

        /// <summary>The packet was sent, and the command behind it is not over.</summary>
        Sent,
    }

    private readonly ISessionHost _session;
    private readonly ServerSendBuffer? _packet;
    private Stage _stage;

    /// <param name="session">Owes what is to be sent.</param>
    /// <param name="packet">The data source's; null for none.</param>
    public SendBufferGrowth(ISessionHost session, ServerSendBuffer? packet)
    {
        _session = session;
        _packet = packet;
        _stage = packet switch
        {
            null => Stage.Completed,
            { IsAdaptive: true } => Stage.AwaitsLargeResult,
            _ => Stage.PacketPending,
        };
    }

    /// <summary>Whether the packet stands in front of the next command.</summary>
    public bool IsOwed => _stage == Stage.PacketPending;

    /// <summary>A command's answers are at their end: after a large one the server is to send the next in larger pieces.</summary>
    public void Delivered(long bytes)
    {
        if (_stage == Stage.Sent)
            _stage = Stage.Completed;
        else if (_stage == Stage.AwaitsLargeResult && bytes > ServerSendBuffer.LargeResult && _packet is { IsOff: false } && _session.MayPipeline)
        {
            _stage = Stage.QuestionPending;
            _session.OweQuestion();
        }
    }

    /// <summary>The question is glued in front of a command.</summary>
    public void Asked() => _stage = Stage.Asks;

    /// <summary>The command behind the question could not be written. True when the question has not been answered: it is owed again.</summary>
    public bool TakeQuestionBack()
    {
        if (_stage != Stage.Asks)
            return false;
        _stage = Stage.QuestionPending;
        return true;
    }

    /// <summary>The server has answered the question.</summary>
    /// <param name="warnings">One when it takes the packet.</param>
    public void Answered(int warnings)
    {
        _stage = warnings > 0 ? Stage.PacketPending : Stage.Completed;
        if (IsOwed)
            _session.OwePacket();
    }

    /// <summary>Appends the packet.</summary>
    public void Write(ByteWriter writer)
    {
        if (!IsOwed || _packet is not { IsOff: false })
            return;
        // A reset does not take the buffer back (tested).
        _stage = Stage.Sent;
        _packet.Write(writer);
    }

    /// <summary>
    /// Finds out a proxy that answers what no server answers, and what stands in front of the command: its answer would pass for the command's.
    /// </summary>
    /// <param name="error">The command's first answer.</param>
    /// <exception cref="ProtocolException">It is such an answer. No session of the data source will ask for it again.</exception>
    public void CheckUnanswered(ServerError error)
    {
        // ER_UNKNOWN_COM_ERROR, ER_UNKNOWN_STMT_HANDLER. The number in brackets is the statement's: EXECUTE in SQL fails in the same way, with a name.
        if (_stage != Stage.Sent || error.Number != 1047 && (error.Number != 1243 || !error.Message.Contains("(0)", StringComparison.Ordinal)))
            return;
        _packet!.IsOff = true;
        throw new ProtocolException(
            "no answer to COM_STMT_SEND_LONG_DATA (the peer is a proxy, not a server: set ServerSendBuffer=0)", $"error {error.Number}");
    }
}
