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

/// <summary>The words of the targets in connection strings.</summary>
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
}
