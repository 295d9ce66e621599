namespace Slipstream.MySql.EntityFrameworkCore.Query.Expressions;

/// <summary>Where a LIKE looks for a text.</summary>
internal enum LikePlace
{
    Start,
    End,
    Anywhere,
}

/// <summary>The patterns of LIKE.</summary>
internal static class LikePatterns
{
    public const char Escape = '\\';
    public const string EscapeText = @"\";

    /// <summary>Returns the pattern that finds a text at a place. The wildcards of LIKE are ordinary characters in the text.</summary>
    public static string Pattern(string sought, LikePlace place)
    {
        var escaped = sought.Replace(EscapeText, @"\\", StringComparison.Ordinal).Replace("%", @"\%", StringComparison.Ordinal)
            .Replace("_", @"\_", StringComparison.Ordinal);
        return (place == LikePlace.Start ? "" : "%") + escaped + (place == LikePlace.End ? "" : "%");
    }
}
