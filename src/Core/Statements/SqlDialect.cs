namespace Slipstream.Core.Statements;

/// <summary>How a dialect of SQL writes names, strings and comments, as far as a summary of a text must tell them apart.</summary>
[Flags]
internal enum SqlDialect
{
    /// <summary>The SQL standard, but for names: <c>"…"</c> is a string.</summary>
    None = 0,

    /// <summary><c>`…`</c> is a name.</summary>
    BacktickNames = 1,

    /// <summary><c>"…"</c> is a name.</summary>
    DoubleQuotedNames = 2,

    /// <summary>A comment begins with <c>#</c>, too.</summary>
    HashComments = 4,

    /// <summary><c>--</c> begins a comment only in front of a blank.</summary>
    BlankAfterDashes = 8,

    /// <summary>Comments nest.</summary>
    NestedComments = 16,

    /// <summary><c>$$…$$</c> and <c>$tag$…$tag$</c> are strings.</summary>
    DollarQuotes = 32,
}
