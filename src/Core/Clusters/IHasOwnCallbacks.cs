namespace Slipstream.Core.Clusters;

/// <summary>A holder of sessions that may have callbacks of its own for their opening, in place of those of its data source.</summary>
internal interface IHasOwnCallbacks
{
    /// <summary>Whether the holder has any.</summary>
    bool HasOwnCallbacks { get; }
}
