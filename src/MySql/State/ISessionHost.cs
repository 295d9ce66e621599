using Slipstream.Core.Wires;

namespace Slipstream.MySql.State;

/// <summary>The session as what belongs to it may use it.</summary>
internal interface ISessionHost
{
    Wire Wire { get; }

    /// <summary>Whether several commands may travel in one send.</summary>
    bool MayPipeline { get; }

    /// <summary>How many leases have ended.</summary>
    int Leases { get; }

    /// <summary>Whether a lease starts with the state of a new session.</summary>
    bool ResetsBetweenLeases { get; }
}
