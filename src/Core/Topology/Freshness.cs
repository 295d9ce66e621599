namespace Slipstream.Core.Topology;

/// <summary>Whether a server has executed writes that a caller must see.</summary>
internal enum Freshness
{
    /// <summary>It has.</summary>
    Fresh,

    /// <summary>It may have, or may do so soon: it must be asked.</summary>
    MayCatchUp,

    /// <summary>It cannot be shown that it has.</summary>
    Stale,
}
