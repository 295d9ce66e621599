namespace Slipstream.Core.Options;

/// <summary>
/// One connection-string option: everything there is to know about it, said once. Builder, parser, documentation and the key that tells
/// two connection strings apart all read it from here.
/// </summary>
/// <remarks>
/// Values are kept as canonical text by the builder, so that what is printed, compared and parsed is one thing. There is one class per kind of value and
/// none is generic: code over a number or another assembly's enumeration as type argument is not compiled ahead of time, and a ReadyToRun program would
/// compile a hundred methods of it at every start.
/// </remarks>
internal abstract class Option
{
    private protected Option(string name, string[] aliases, string doc)
    {
        Name = name;
        Aliases = aliases;
        Doc = doc;
    }

    /// <summary>The keyword as it is written into connection strings. Spaces, hyphens, underscores and case do not matter when it is read.</summary>
    public string Name { get; }

    /// <summary>Other keywords for the same option.</summary>
    public IReadOnlyList<string> Aliases { get; }

    /// <summary>What it does, for people. The unit, default and range are facts of their own; nothing repeats them here.</summary>
    public string Doc { get; }

    /// <summary>What a number counts, in the plural ("seconds"); empty for none.</summary>
    public virtual string Unit => "";

    /// <summary>True for passwords: the value is in no message and in no printed connection string.</summary>
    public bool IsSecret { get; init; }

    /// <summary>The default as it would be written in a connection string; empty for none.</summary>
    public abstract string DefaultText { get; }

    /// <summary>What may be written: a range, or words.</summary>
    public abstract string Allowed { get; }

    /// <summary>The same for a column of a table.</summary>
    public virtual string AllowedInShort => Allowed;

    /// <summary>The canonical text of what somebody wrote or assigned.</summary>
    /// <exception cref="ArgumentException">The value is not allowed; the message names the keyword, the value (never a secret) and what is allowed.</exception>
    public abstract string Canonical(object value);

    /// <summary>Why the canonical value cannot be had in this version, and what to do instead; null when it can.</summary>
    public abstract string? Refusal(string canonical);

    /// <summary>The typed value of a canonical text.</summary>
    public abstract object ValueOf(string canonical);

    /// <summary>True when the canonical text says what saying nothing says.</summary>
    public bool IsDefault(string canonical) => canonical == DefaultText;

    private protected ArgumentException NotAllowed(object value) => new(
        IsSecret
            ? $"The value given for the option '{Name}' is not allowed: it must be {Allowed}."
            : $"'{value}' is not a value for the option '{Name}': it must be {Allowed}.");
}
