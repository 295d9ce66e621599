namespace Slipstream.Equivalence.Language;

/// <summary>The .NET type that is mapped to the enumeration mapped_mood.</summary>
internal enum Mood
{
    Sad,
    Ok,
    Happy,
}

/// <summary>The .NET type that is mapped to the composite type mapped_addr.</summary>
internal sealed record Address(string? Street, int? No);

/// <summary>A type that is read and sent as a json document.</summary>
internal sealed record Note(int A, string? B);
