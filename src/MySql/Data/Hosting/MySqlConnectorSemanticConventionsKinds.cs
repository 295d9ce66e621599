namespace Slipstream.MySql;

/// <summary>Conventions for the names of spans' attributes, as in MySqlConnector. This driver always uses only the stable names.</summary>
[Flags]
public enum MySqlConnectorSemanticConventionsKinds
{
    /// <summary>Neither.</summary>
    [Obsolete("The stable names are always used.")]
    None = 0,

    /// <summary>The names used before 2025; never used by this driver.</summary>
    Experimental = 1,

    /// <summary>The stable names.</summary>
    Stable = 2,
}
