namespace Slipstream.Core.Causality;

/// <summary>The writes that a caller must see.</summary>
/// <param name="Position">Their position.</param>
/// <param name="Writer">The server that has executed all of them first; null if there are several, or if it is not known.</param>
internal sealed record CausalNeed(LogPosition Position, ICausalServer? Writer)
{
    /// <summary>Returns both needs.</summary>
    public CausalNeed Join(CausalNeed? other) =>
        other is null ? this : new(Position.Join(other.Position), ReferenceEquals(Writer, other.Writer) ? Writer : null);
}
