namespace Slipstream.MySql;

/// <summary>Kinds of names of spans' attributes, as MySqlConnector has them. Here the stable ones are used always and alone.</summary>
[Flags]
public enum MySqlConnectorSemanticConventionsKinds
{
    /// <summary>Neither.</summary>
    [Obsolete("The stable names are always used.")]
    None = 0,

    /// <summary>The names of before 2025; never used here.</summary>
    Experimental = 1,

    /// <summary>The stable names.</summary>
    Stable = 2,
}
