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

    /// <summary>
    /// Which of the two sql_modes it is, is not known: a quote is doubled, which both understand, and what holds a backslash becomes hexadecimal digits.
    /// </summary>
    EitherMode = 4,

    /// <summary>
    /// The session was told that its client speaks another character set than UTF-8: in GBK and its like a backslash may be the second half of a character.
    /// What is not plain ASCII becomes hexadecimal digits, too.
    /// </summary>
    ForeignCharacters = 8,

    /// <summary>
    /// What the server says of its sql_mode contradicts itself: where a string of the text ends that holds an escaped quote, and so which parameter stands
    /// where, is not known.
    /// </summary>
    DoubtfulMode = 16,

    /// <summary>What is safe however the server will read it.</summary>
    Unknown = EitherMode | NoBackslashEscapes,
}
