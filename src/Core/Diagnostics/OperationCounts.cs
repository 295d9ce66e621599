namespace Slipstream.Core.Diagnostics;

/// <summary>Counts the commands of a data source while a listener exists: running commands, bytes, share of prepared statements.</summary>
/// <param name="provider">The provider's instruments.</param>
/// <param name="pool">The pool's name in metrics.</param>
internal sealed class OperationCounts(ProviderTelemetry provider, string pool)
{
    private readonly KeyValuePair<string, object?> _pool = new("db.client.connection.pool.name", pool);
    private long _executed;
    private long _prepared;

    /// <summary>Whether a listener exists.</summary>
    public bool HasListeners =>
        provider.Executing.Enabled || provider.BytesRead.Enabled || provider.BytesWritten.Enabled || provider.PreparedRatio.Enabled;

    /// <summary>The pool's name as an attribute.</summary>
    internal KeyValuePair<string, object?> Pool => _pool;

    /// <summary>Share of executions that used prepared statements; null before the first execution.</summary>
    internal double? PreparedShare => Volatile.Read(ref _executed) is > 0 and var executed ? Volatile.Read(ref _prepared) / (double)executed : null;

    /// <summary>Records the beginning of a command.</summary>
    public void Begin() => provider.Executing.Add(1, _pool);

    /// <summary>Records the end of a command.</summary>
    /// <param name="read">Number of bytes received since it began.</param>
    /// <param name="written">Number of bytes sent since it began.</param>
    /// <param name="isPrepared">Whether it executed a prepared statement; null for operations that never do, such as COMMIT.</param>
    public void End(long read, long written, bool? isPrepared)
    {
        provider.Executing.Add(-1, _pool);
        provider.BytesRead.Add(read, _pool);
        provider.BytesWritten.Add(written, _pool);
        if (isPrepared is null)
            return;
        Interlocked.Increment(ref _executed);
        if (isPrepared == true)
            Interlocked.Increment(ref _prepared);
    }
}
