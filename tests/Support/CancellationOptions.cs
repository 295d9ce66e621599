using Slipstream.Lab;

namespace Slipstream.Testing;

/// <summary>Connection-string options for cancellation, for tests that interrupt commands.</summary>
public static class CancellationOptions
{
    /// <summary>
    /// Returns the option of both providers that gives a server 30 seconds to stop an interrupted command. Tests use it if a busy machine must not cost the
    /// session.
    /// </summary>
    public static string PatientCancellation(this ServerKind kind) =>
        kind.IsPostgreSql() ? "Cancellation Timeout=30000;" : "Cancellation Timeout=30;";
}
