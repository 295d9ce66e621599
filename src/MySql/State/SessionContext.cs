using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;

namespace Slipstream.MySql.State;

/// <summary>The parts of a session that its exchanges use.</summary>
/// <param name="host">The session, to which the exchanges report.</param>
/// <param name="wire">The session's connection.</param>
/// <param name="operation">The session's current operation.</param>
/// <param name="state">The reported state of the server and the session.</param>
/// <param name="prepared">The prepared statements.</param>
/// <param name="sendBuffer">The packet that makes the server's send buffer grow.</param>
internal sealed class SessionContext(
    ISessionHost host, Wire wire, Operation operation, ServerState state, PreparedStatements prepared, SendBufferGrowth sendBuffer)
{
    /// <summary>Gets the session. An exchange returns it to the code that began the exchange and knows its type.</summary>
    public ISessionHost Host { get; } = host;

    public Wire Wire { get; } = wire;

    public Operation Operation { get; } = operation;

    public ServerState State { get; } = state;

    public PreparedStatements Prepared { get; } = prepared;

    public SendBufferGrowth SendBuffer { get; } = sendBuffer;

    /// <summary>Gets whether several commands may be sent at once.</summary>
    public bool MayPipeline => Host.MayPipeline;

    /// <summary>Throws if bytes have arrived that do not answer a command.</summary>
    public void RefuseLeftovers() => Host.RefuseLeftovers();
}
