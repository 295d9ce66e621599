namespace Slipstream.Core.Clusters;

/// <summary>A holder of sessions that may have callbacks of its own for their opening, in place of those of its data source.</summary>
internal interface IHasOwnCallbacks
{
    private static bool s_areUsed;

    /// <summary>Whether any holder has ever had any. Most programs have no such holder, so only the others ask each one.</summary>
    static bool AreUsed
    {
        get => Volatile.Read(ref s_areUsed);
        set => Volatile.Write(ref s_areUsed, value);
    }

    /// <summary>Whether the holder has any.</summary>
    bool HasOwnCallbacks { get; }
}
