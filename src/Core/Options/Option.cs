namespace Slipstream.Core.Options;

/// <summary>
/// One connection-string option, with everything that describes it, declared once. The builder, the parser, the documentation and the pool key of a connection
/// string read it from here.
/// </summary>
/// <remarks>
/// The builder keeps values as canonical text, so that printing, comparing and parsing use the same form. There is one class per kind of value, and none is
/// generic: code with a number or another assembly's enumeration as type argument is not compiled ahead of time, and a ReadyToRun program would compile about a
/// hundred methods of it at every start.
/// </remarks>
internal abstract class Option
{
    private protected Option(string name, string[] aliases, string doc)
    {
        Name = name;
        Aliases = aliases;
        Doc = doc;
    }

    /// <summary>The keyword in connection strings. Spaces, hyphens, underscores and case are ignored when it is read.</summary>
    public string Name { get; }

    /// <summary>Other keywords for the same option.</summary>
    public IReadOnlyList<string> Aliases { get; }

    /// <summary>Description for people, without unit, default and range: these have properties of their own.</summary>
    public string Doc { get; }

    /// <summary>The unit of a number, in the plural ("seconds"); empty without one.</summary>
    public virtual string Unit => "";

    /// <summary>Whether the value is secret (a password): it appears in no message and in no printed connection string.</summary>
    public bool IsSecret { get; init; }

    /// <summary>The default, as written in a connection string; empty without one.</summary>
    public abstract string DefaultText { get; }

    /// <summary>The allowed values: a range, or words.</summary>
    public abstract string Allowed { get; }

    /// <summary>The allowed values in short form, for a column of a table.</summary>
    public virtual string AllowedInShort => Allowed;

    /// <summary>The canonical text of a value that the application wrote or assigned.</summary>
    /// <exception cref="ArgumentException">The value is not allowed. The message contains the keyword, the value (never a secret) and the allowed
    /// values.</exception>
    public abstract string Canonical(object value);

    /// <summary>Why this version does not support the canonical value, and what to do instead; null if it does.</summary>
    public abstract string? Refusal(string canonical);

    /// <summary>The typed value of a canonical text.</summary>
    public abstract object ValueOf(string canonical);

    /// <summary>Whether the canonical text has the same effect as leaving the option out.</summary>
    public bool IsDefault(string canonical) => canonical == DefaultText;

    private protected ArgumentException NotAllowed(object value) => new(
        IsSecret
            ? $"The value given for the option '{Name}' is not allowed: it must be {Allowed}."
            : $"'{value}' is not a value for the option '{Name}': it must be {Allowed}.");
}
