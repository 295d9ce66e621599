namespace Slipstream.Core.Diagnostics;

/// <summary>What the commands of a data source do, counted while somebody listens: how many run, their bytes, how many were prepared.</summary>
/// <param name="provider">The provider's instruments.</param>
/// <param name="pool">The pool's name in metrics.</param>
internal sealed class OperationCounts(ProviderTelemetry provider, string pool)
{
    private readonly KeyValuePair<string, object?> _pool = new("db.client.connection.pool.name", pool);
    private long _executed;
    private long _prepared;

    /// <summary>Whether anybody listens.</summary>
    public bool IsListening =>
        provider.Executing.Enabled || provider.BytesRead.Enabled || provider.BytesWritten.Enabled || provider.PreparedRatio.Enabled;

    /// <summary>The pool's name as an attribute.</summary>
    internal KeyValuePair<string, object?> Pool => _pool;

    /// <summary>The share of executions that were of prepared statements; null before the first one.</summary>
    internal double? PreparedShare => Volatile.Read(ref _executed) is > 0 and var executed ? Volatile.Read(ref _prepared) / (double)executed : null;

    /// <summary>A command begins.</summary>
    public void Begin() => provider.Executing.Add(1, _pool);

    /// <summary>The command has ended.</summary>
    /// <param name="read">The bytes that came since it began.</param>
    /// <param name="written">The bytes that left since it began.</param>
    /// <param name="isPrepared">Whether it was the execution of a prepared statement; null for what could be none, as COMMIT.</param>
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
