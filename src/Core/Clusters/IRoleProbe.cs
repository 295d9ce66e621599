using Slipstream.Core.Causality;
using Slipstream.Core.Errors;
using Slipstream.Core.Sessions;
using Slipstream.Core.Topology;

namespace Slipstream.Core.Clusters;

/// <summary>What a provider knows about the roles of its servers.</summary>
internal interface IRoleProbe
{
    /// <summary>Asks a server what it says about itself. Blocks.</summary>
    /// <param name="session">The monitor's own session.</param>
    /// <exception cref="ServerRefusedException">The server refused the question.</exception>
    RoleAnswer Ask(Session session);

    /// <summary>Returns what a refused login or question means.</summary>
    ProbeFailure FailureOf(ServerError error);

    /// <summary>
    /// Returns whether a server that has refused the question will refuse it again: the user may not ask it, or the server does not know what it asks for.
    /// </summary>
    bool IsLasting(ServerError error);

    /// <summary>Returns what the refusal of a command means for the server; null if it means nothing.</summary>
    /// <param name="session">The session of a pool.</param>
    /// <param name="error">The error.</param>
    HostDoubt? DoubtOf(Session session, ServerError error);

    /// <summary>Returns whether a new session has reported at its login that its server cannot be the primary.</summary>
    bool IsReplicaAtLogin(Session session);

    /// <summary>
    /// Creates the question that waits on the server until it has executed what a caller must see. Null if the server cannot answer it: it counts as stale.
    /// </summary>
    /// <param name="session">The session of a pool.</param>
    /// <param name="need">What the caller must see.</param>
    /// <param name="milliseconds">The longest wait, in milliseconds.</param>
    /// <param name="writers">Which servers of the cluster accept writes, as this server has stated it.</param>
    PositionWait? CreateWait(Session session, LogPosition need, long milliseconds, WriterRule writers);
}
