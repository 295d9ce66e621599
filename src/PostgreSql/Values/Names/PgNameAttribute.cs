namespace Slipstream.PostgreSql;

/// <summary>Sets the name that a mapped type, or a label or field of it, has in the database. It takes precedence over the name translator.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Enum | AttributeTargets.Property | AttributeTargets.Field
    | AttributeTargets.Parameter)]
public class PgNameAttribute : Attribute
{
    /// <summary>Creates the attribute.</summary>
    /// <param name="pgName">The name in the database.</param>
    public PgNameAttribute(string pgName) => PgName = pgName;

    /// <summary>Gets the name in the database.</summary>
    public string PgName { get; }
}
