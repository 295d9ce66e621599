namespace Slipstream.Lab;

/// <summary>What a cut network does with a packet.</summary>
public enum CutKind
{
    /// <summary>Nothing: open connections hang, and new ones get no answer.</summary>
    Drop,

    /// <summary>It answers with a reset: open connections end with their next packet, and new ones are refused.</summary>
    Reset,
}
