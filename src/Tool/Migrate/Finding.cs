namespace Slipstream.Tool.Migrate;

/// <summary>Who makes a change.</summary>
internal enum FindingKind
{
    /// <summary><c>migrate --apply</c> makes it.</summary>
    Automatic,

    /// <summary>The user must make it: the program does not compile, or the driver refuses something.</summary>
    Manual,

    /// <summary>The driver behaves differently here. Whether that matters depends on the program.</summary>
    Review,
}

/// <summary>A place that changes when the solution moves to Slipstream.</summary>
/// <param name="File">The path, relative to the folder that was searched, with forward slashes.</param>
/// <param name="Line">The line, from 1 on.</param>
/// <param name="Column">The column, from 1 on.</param>
/// <param name="Kind">Who makes the change.</param>
/// <param name="Rule">The name of the rule, which stays the same between versions.</param>
/// <param name="What">What changes.</param>
/// <param name="Docs">The page that explains it, such as <c>migrating.md#parameters</c>; null if the text says everything.</param>
internal sealed record Finding(string File, int Line, int Column, FindingKind Kind, string Rule, string What, string? Docs)
{
    /// <summary>Gets whether this run has made the change.</summary>
    public bool Applied { get; init; }
}
