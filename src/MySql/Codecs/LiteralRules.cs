namespace Slipstream.MySql.Codecs;

/// <summary>Rules for writing a literal into SQL text, depending on its place and on the session.</summary>
[Flags]
internal enum LiteralRules : byte
{
    None = 0,

    /// <summary>sql_mode NO_BACKSLASH_ESCAPES: only the quote is doubled.</summary>
    NoBackslashEscapes = 1,

    /// <summary>The literal is inside <c>/*! … */</c>: a server that skips the comment finds its end without parsing strings.</summary>
    InComment = 2,

    /// <summary>
    /// It is not known whether sql_mode contains NO_BACKSLASH_ESCAPES. A quote is doubled, which both modes accept, and a value with a backslash is written in
    /// hexadecimal digits.
    /// </summary>
    EitherMode = 4,

    /// <summary>
    /// The application has set another character set than UTF-8 for the client. In GBK and similar sets, a backslash may be the second half of a character.
    /// Values that are not plain ASCII are written in hexadecimal digits too.
    /// </summary>
    ForeignCharacters = 8,

    /// <summary>
    /// The server's reports of its sql_mode contradict each other. If a string in the text contains an escaped quote, it is not known where the string ends,
    /// and so which parameter is at which place.
    /// </summary>
    UncertainMode = 16,

    /// <summary>The literal is safe however the server reads it.</summary>
    Unknown = EitherMode | NoBackslashEscapes,
}
