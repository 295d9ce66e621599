namespace Slipstream.MySql.Codecs;

/// <summary>What a literal in SQL text must mind where it will stand.</summary>
[Flags]
internal enum LiteralRules : byte
{
    None = 0,

    /// <summary>sql_mode NO_BACKSLASH_ESCAPES: only the quote is doubled.</summary>
    NoBackslashEscapes = 1,

    /// <summary>Inside <c>/*! … */</c>: a server that skips it looks for the end without understanding strings.</summary>
    InComment = 2,

    /// <summary>Which of the two sql_modes it is, is not known: a quote is doubled, which both understand, and what holds a backslash becomes hexadecimal digits.</summary>
    EitherMode = 4,
}
