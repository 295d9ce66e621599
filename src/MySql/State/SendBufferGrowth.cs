using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;

namespace Slipstream.MySql.State;

/// <summary>
/// Decides when to send the packet that makes the server's send buffer grow, once in a session. If the user requested it, it is sent with the first command.
/// Otherwise it is pending after a large result: the next command carries a query whether the server accepts such a packet, and the command after that the
/// packet.
/// </summary>
internal sealed class SendBufferGrowth
{
    private enum Stage : byte
    {
        /// <summary>The packet has been sent, or will never be sent.</summary>
        Completed,

        /// <summary>A large result will show that the packet pays.</summary>
        AwaitsLargeResult,

        /// <summary>A large result arrived: the driver must query whether the server accepts the packet.</summary>
        QuestionPending,

        /// <summary>The query has been sent, or waits for its command.</summary>
        Asks,

        /// <summary>The packet will be sent before the next command.</summary>
        PacketPending,

        /// <summary>The packet was sent, and the command after it has not ended.</summary>
        Sent,
    }

    private readonly ISessionHost _session;
    private readonly ServerSendBuffer? _packet;
    private Stage _stage;

    /// <param name="session">The session that sends the query and the packet.</param>
    /// <param name="packet">The data source's packet; null for none.</param>
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

    /// <summary>Gets whether the packet will be sent before the next command.</summary>
    public bool IsPacketPending => _stage == Stage.PacketPending;

    /// <summary>Records the end of a command's answers. After a large result, the server should send the next one in larger pieces.</summary>
    public void Delivered(long bytes)
    {
        if (_stage == Stage.Sent)
            _stage = Stage.Completed;
        else if (_stage == Stage.AwaitsLargeResult && bytes > ServerSendBuffer.LargeResult && _packet is { IsOff: false } && _session.MayPipeline)
        {
            _stage = Stage.QuestionPending;
            _session.RequestQuestion();
        }
    }

    /// <summary>Records that the query was prepended to a command.</summary>
    public void Asked() => _stage = Stage.Asks;

    /// <summary>Makes the query pending again because its command could not be written. Returns false if the query has been answered.</summary>
    public bool RestoreQuestion()
    {
        if (_stage != Stage.Asks)
            return false;
        _stage = Stage.QuestionPending;
        return true;
    }

    /// <summary>Records the server's answer to the query.</summary>
    /// <param name="warnings">The number of warnings; 1 if the server accepts the packet.</param>
    public void Answered(int warnings)
    {
        _stage = warnings > 0 ? Stage.PacketPending : Stage.Completed;
        if (IsPacketPending)
            _session.RequestPacket();
    }

    /// <summary>Appends the packet.</summary>
    public void Write(ByteWriter writer)
    {
        if (!IsPacketPending || _packet is not { IsOff: false })
            return;
        // A reset does not shrink the buffer (tested).
        _stage = Stage.Sent;
        _packet.Write(writer);
    }

    /// <summary>
    /// Detects a proxy that answers the packet before the command, which no server does. Otherwise its answer would be read as the command's.
    /// </summary>
    /// <param name="error">The command's first answer.</param>
    /// <exception cref="ProtocolException">The error is such an answer. No other session of the data source will send the packet.</exception>
    public void CheckUnanswered(ServerError error)
    {
        // ER_UNKNOWN_COM_ERROR, ER_UNKNOWN_STMT_HANDLER. The number in parentheses is the statement ID: EXECUTE in SQL fails with the same error and a name.
        if (_stage != Stage.Sent || error.Number != 1047 && (error.Number != 1243 || !error.Message.Contains("(0)", StringComparison.Ordinal)))
            return;
        _packet!.IsOff = true;
        throw new ProtocolException(
            "no answer to COM_STMT_SEND_LONG_DATA (the peer is a proxy, not a server: set Server Send Buffer=0)", $"error {error.Number}");
    }
}
