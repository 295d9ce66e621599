using Slipstream.Core.Bytes;
using Slipstream.Core.Conversations;
using Slipstream.Core.Errors;
using Slipstream.Core.Wires;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Responses;
using Slipstream.MySql.State;

namespace Slipstream.MySql.Conversations;

/// <summary>
/// A command whose answer is OK or ERR: a statement of the driver's own (or several, each with its OK up to the first ERR), COM_PING,
/// COM_INIT_DB, COM_RESET_CONNECTION.
/// </summary>
/// <param name="state">Learns the server's state from the OK; null for a wire without a session (the one that carries a KILL).</param>
/// <param name="what">The command's name in messages.</param>
/// <param name="write">Appends the command.</param>
internal sealed class SimpleCommand(ServerState? state, string what, Action<ByteWriter> write) : SimpleExchange
{
    private bool _answering;

    public override string Description => what;

    /// <summary>Gets the number of the error that counts as success; 0 for none.</summary>
    public int ToleratedError { get; init; }

    /// <summary>Gets whether the command switches the session tracker on. A refusal only means that there is no tracker.</summary>
    public bool IsTracker { get; init; }

    /// <summary>Gets what takes the number of warnings, if that number answers a question. A refusal is then dropped.</summary>
    public Action<int>? Answered { get; init; }

    private bool Commits => what.StartsWith("COMMIT", StringComparison.Ordinal) || what.StartsWith("XA COMMIT", StringComparison.Ordinal);

    public override void Encode(Wire wire) => write(wire.Out);

    public override Step Advance(Wire wire)
    {
        if (!_answering)
        {
            IncomingPackets.BeginAnswer(wire);
            _answering = true;
        }

        while (IncomingPackets.TryTakeAnswer(wire, out var at, out var length))
            if (!Take(wire, at, length))
                return Step.Completed;
        return Step.Receive;
    }

    // True if the answer to one more statement follows.
    private bool Take(Wire wire, int at, int length)
    {
        var hasMore = false;
        var reader = new ByteReader(wire.In.AsSpan(at, length));
        switch (reader.Byte())
        {
            case Ok.Header:                                     // S: OK
                var ok = Ok.Read(ref reader);
                hasMore = (ok.Status & ServerStatus.MoreResultsExist) != 0;
                if (!reader.Failed)
                {
                    state?.UpdateOwn(ok, ref reader, IsTracker);
                    if (Answered is null)
                        state?.LeftWarnings(ok.Warnings);
                    Answered?.Invoke(ok.Warnings);
                }

                break;
            case Err.Header:                                    // S: ERR
                var err = Err.Read(ref reader);
                var error = new ServerError(err.Number, err.SqlState, err.Message);
                error = state?.Refused(error, Commits) ?? error;
                if (err.Number == ToleratedError || IsTracker || Answered is not null)
                    break;
                state?.MarkDirty();
                Error = error;
                break;
            default:
                reader.Fail();
                break;
        }

        if (reader.Failed)
            throw new ProtocolException($"OK or ERR in answer to {what}", $"a packet of {length} bytes beginning with 0x{wire.In[at]:X2}");
        return hasMore;
    }
}
