namespace Slipstream.MySql.Statements;

/// <summary>How a session's server reads quotes, and what an <c>@name</c> may mean.</summary>
[Flags]
internal enum QuotingRules
{
    /// <summary>The server's defaults.</summary>
    None = 0,

    /// <summary>sql_mode NO_BACKSLASH_ESCAPES: a backslash in a string is an ordinary character.</summary>
    NoBackslashEscapes = 1,

    /// <summary>sql_mode ANSI_QUOTES: "…" is an identifier, not a string.</summary>
    AnsiQuotes = 2,

    /// <summary>An <c>@name</c> without a parameter of that name is a user variable.</summary>
    AllowUserVariables = 4,
}
