using Slipstream.Core.Errors;

namespace Slipstream.MySql;

/// <summary>The packet that lets the server's send buffer grow: owed after a large result, sent once.</summary>
internal sealed partial class MySqlSession
{
    private readonly ServerSendBuffer? _sendBuffer;
    private bool _sendBufferHasGrown;
    private bool _sentUnanswered;

    /// <summary>A command's answers are at their end: after a large one the server is to send the next in larger pieces.</summary>
    public void Delivered(long bytes)
    {
        _sentUnanswered = false;
        if (bytes > ServerSendBuffer.LargeResult && !_sendBufferHasGrown && _sendBuffer is { IsOff: false })
            OwesUnanswered = true;
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
        throw new ProtocolException("no answer to COM_STMT_SEND_LONG_DATA (the peer is no server but a proxy: set ServerSendBuffer=0)", $"error {error.Number}");
    }

    protected override void WriteUnanswered()
    {
        if (_sendBuffer is not { IsOff: false } || _sendBufferHasGrown)
            return;
        // A reset does not take the buffer back (tested).
        _sendBufferHasGrown = _sentUnanswered = true;
        _sendBuffer.Write(Wire.Out);
    }
}
