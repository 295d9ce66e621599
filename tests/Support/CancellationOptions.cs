using Slipstream.Lab;

namespace Slipstream.Testing;

/// <summary>What a connection string says of cancellation, for tests that interrupt commands.</summary>
public static class CancellationOptions
{
    /// <summary>
    /// The option of both providers with which a server has half a minute to stop what was interrupted: for tests in which a busy machine must not cost the session.
    /// </summary>
    public static string PatientCancellation(this ServerKind kind) => kind == ServerKind.PostgreSql ? "Cancellation Timeout=30000;" : "Cancellation Timeout=30;";
}
