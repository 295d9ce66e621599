namespace Slipstream.Core.Statements;

/// <summary>The syntax of names, strings and comments in a dialect of SQL, as far as a summary depends on it.</summary>
[Flags]
internal enum SqlDialect
{
    /// <summary>The SQL standard, except that <c>"…"</c> is a string.</summary>
    None = 0,

    /// <summary><c>`…`</c> is a name.</summary>
    BacktickNames = 1,

    /// <summary><c>"…"</c> is a name.</summary>
    DoubleQuotedNames = 2,

    /// <summary><c>#</c> also begins a comment.</summary>
    HashComments = 4,

    /// <summary><c>--</c> begins a comment only before a blank.</summary>
    BlankAfterDashes = 8,

    /// <summary>Comments nest.</summary>
    NestedComments = 16,

    /// <summary><c>$$…$$</c> and <c>$tag$…$tag$</c> are strings.</summary>
    DollarQuotes = 32,
}
