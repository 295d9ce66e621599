namespace Slipstream.Core.Topology;

/// <summary>The members of a cluster as one of its servers knows them. It contains only addresses that may be used.</summary>
/// <param name="Addresses">The addresses.</param>
internal sealed record MemberList(IReadOnlyList<string> Addresses)
{
    /// <summary>The address under which the list has the server itself; null if unknown. The data source may know it under another one.</summary>
    public string? Self { get; init; }

    /// <summary>Why the list, or a part of it, was refused; null if nothing was.</summary>
    public string? Refusal { get; init; }
}
