namespace Slipstream.PostgreSql.State;

/// <summary>
/// How far a replication is: the locations that status updates report, each that of the last byte + 1. The application sets two of them from any thread.
/// </summary>
internal sealed class ReplicationProgress
{
    private ulong _received;
    private ulong _flushed;
    private ulong _applied;

    /// <summary>Gets the greatest location that the server has mentioned.</summary>
    public ulong Received => Volatile.Read(ref _received);

    /// <summary>Gets or sets the location that is stored durably.</summary>
    public ulong Flushed
    {
        get => Volatile.Read(ref _flushed);
        set => Volatile.Write(ref _flushed, value);
    }

    /// <summary>Gets or sets the location that was applied.</summary>
    public ulong Applied
    {
        get => Volatile.Read(ref _applied);
        set => Volatile.Write(ref _applied, value);
    }

    /// <summary>Records a location that the server has mentioned. Only the thread that receives calls this method.</summary>
    public void Reached(ulong location)
    {
        if (location > _received)
            Volatile.Write(ref _received, location);
    }

    /// <summary>Begins another replication: nothing has been received, stored or applied.</summary>
    public void Restart()
    {
        Volatile.Write(ref _received, 0);
        Flushed = 0;
        Applied = 0;
    }
}
