using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;

namespace Slipstream.Core.Sessions;

/// <summary>
/// Runs after an interrupted operation. It waits until no further request is sent to the server. Then one empty command absorbs a cancellation that arrived
/// late, so that it never hits the next user's query.
/// </summary>
internal sealed class Drain : Conversation
{
    private readonly Cancellation _cancellation;
    private readonly Session _session;
    private Conversation? _absorbQuery;

    /// <summary>Creates the conversation that settles the interruption, after the last answer.</summary>
    public Drain(Cancellation cancellation, Session session)
    {
        _cancellation = cancellation;
        _session = session;
        cancellation.OperationEnded.Set();
    }

    /// <inheritdoc/>
    public override ExternalSource ExternalSource => _cancellation.RequestEnded;

    /// <inheritdoc/>
    public override Step Advance(Wire wire)
    {
        if (!_cancellation.RequestEnded.IsSet)
            return Step.WaitExternal;
        if (_session.IsBroken)
            return Step.Completed;
        _absorbQuery ??= _session.CreateAbsorbQuery();
        return _absorbQuery.Advance(wire);
    }
}
