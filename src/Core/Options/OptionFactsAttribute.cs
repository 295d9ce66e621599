namespace Slipstream.Core.Options;

/// <summary>
/// Facts about an option that only the generated code and docs/options.md need. The tests that generate them read this attribute; the driver never does. On the
/// field of a group, it applies to all options of the group.
/// </summary>
[AttributeUsage(AttributeTargets.Field)]
internal sealed class OptionFactsAttribute : Attribute
{
    /// <summary>How the comparable driver differs, as a sentence; empty if it has the same option.</summary>
    public string Peer { get; init; } = "";

    /// <summary>The kind of property that the connection-string builder has for the option.</summary>
    public OptionProperty Property { get; init; }

    /// <summary>
    /// Whether the driver uses the value unchanged, so that the setting is generated. Settings with logic (another unit, several options in one) are written by
    /// hand.
    /// </summary>
    public bool IsSetting { get; init; }
}

/// <summary>The property of the connection-string builder for an option.</summary>
internal enum OptionProperty
{
    /// <summary>A property with the name of the option's field.</summary>
    Current = 0,

    /// <summary>A property that is marked as obsolete because it has no effect.</summary>
    Obsolete = 1,

    /// <summary>No property: the option is only a keyword.</summary>
    None = 2,
}
