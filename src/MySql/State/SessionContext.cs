using Slipstream.Core.Conversations;
using Slipstream.Core.Wires;

namespace Slipstream.MySql.State;

/// <summary>What the exchanges of a session know of it: objects of one subject each.</summary>
/// <param name="host">The session, as they report to it.</param>
/// <param name="wire">Its bytes.</param>
/// <param name="operation">What it is doing now.</param>
/// <param name="state">What the server has said of itself and of the session.</param>
/// <param name="prepared">What is prepared.</param>
/// <param name="sendBuffer">The packet that lets the server's send buffer grow.</param>
internal sealed class SessionContext(
    ISessionHost host, Wire wire, Operation operation, ServerState state, PreparedStatements prepared, SendBufferGrowth sendBuffer)
{
    /// <summary>The session. An exchange hands it back to whoever began the exchange, who knows what it is.</summary>
    public ISessionHost Host { get; } = host;

    public Wire Wire { get; } = wire;

    public Operation Operation { get; } = operation;

    public ServerState State { get; } = state;

    public PreparedStatements Prepared { get; } = prepared;

    public SendBufferGrowth SendBuffer { get; } = sendBuffer;

    /// <summary>Whether several commands may travel in one send.</summary>
    public bool MayPipeline => Host.MayPipeline;

    /// <summary>Throws when something has arrived that answers nothing.</summary>
    public void RefuseLeftovers() => Host.RefuseLeftovers();
}
