namespace Slipstream.PostgreSql;

/// <summary>Specifies which of several servers a connection may use, by the server's role.</summary>
public enum TargetSessionAttributes : byte
{
    /// <summary>Any server. The default.</summary>
    Any = 0,

    /// <summary>A primary whose transactions are read-write by default.</summary>
    ReadWrite = 1,

    /// <summary>A standby, or a primary whose transactions are read-only by default.</summary>
    ReadOnly = 2,

    /// <summary>A primary: a server that is not in recovery.</summary>
    Primary = 3,

    /// <summary>A standby: a server in hot standby.</summary>
    Standby = 4,

    /// <summary>A primary; if none can be used, any server.</summary>
    PreferPrimary = 5,

    /// <summary>A standby; if none can be used, any server.</summary>
    PreferStandby = 6,
}

/// <summary>The role of a server, as far as it is known.</summary>
internal enum ServerRole : byte
{
    /// <summary>Not known, or not known any longer.</summary>
    Unknown,

    /// <summary>The last attempt to open a session failed.</summary>
    Offline,

    /// <summary>A primary whose transactions are read-write by default.</summary>
    Primary,

    /// <summary>A primary whose transactions are read-only by default.</summary>
    ReadOnlyPrimary,

    /// <summary>A server in hot standby.</summary>
    Standby,
}

/// <summary>Which roles a target allows, and its words in connection strings.</summary>
internal static class Targets
{
    private static readonly (string Word, TargetSessionAttributes Target)[] Words =
    [
        ("any", TargetSessionAttributes.Any), ("read-write", TargetSessionAttributes.ReadWrite), ("read-only", TargetSessionAttributes.ReadOnly),
        ("primary", TargetSessionAttributes.Primary), ("standby", TargetSessionAttributes.Standby),
        ("prefer-primary", TargetSessionAttributes.PreferPrimary), ("prefer-standby", TargetSessionAttributes.PreferStandby),
    ];

    /// <summary>Gets the number of targets.</summary>
    public static int Count => Words.Length;

    /// <summary>Returns the target of a word; null if the word is not one.</summary>
    public static TargetSessionAttributes? Parse(string word)
    {
        if (word.Length == 0)
            return TargetSessionAttributes.Any;
        foreach (var (known, target) in Words)
        {
            if (known.Equals(word, StringComparison.OrdinalIgnoreCase))
                return target;
        }

        return null;
    }

    /// <summary>Returns the word of a target.</summary>
    public static string WordOf(TargetSessionAttributes target) => Array.Find(Words, one => one.Target == target).Word;

    /// <summary>Returns whether a role is what the target asks for first.</summary>
    public static bool Wants(this TargetSessionAttributes target, ServerRole role) => target switch
    {
        TargetSessionAttributes.ReadWrite => role == ServerRole.Primary,
        TargetSessionAttributes.ReadOnly => role is ServerRole.ReadOnlyPrimary or ServerRole.Standby,
        TargetSessionAttributes.Primary or TargetSessionAttributes.PreferPrimary => role is ServerRole.Primary or ServerRole.ReadOnlyPrimary,
        TargetSessionAttributes.Standby or TargetSessionAttributes.PreferStandby => role == ServerRole.Standby,
        _ => role is ServerRole.Primary or ServerRole.ReadOnlyPrimary or ServerRole.Standby,
    };

    /// <summary>Returns whether the target is only a preference.</summary>
    public static bool IsPreference(this TargetSessionAttributes target) =>
        target is TargetSessionAttributes.PreferPrimary or TargetSessionAttributes.PreferStandby;
}
