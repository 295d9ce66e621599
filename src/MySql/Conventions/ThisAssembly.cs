namespace Slipstream.MySql.Conventions;

/// <summary>
/// The conventions of the assembly that these sources are compiled into. The package Slipstream.Compat.MySqlConnector has another file in place of this one.
/// </summary>
internal static class ThisAssembly
{
    public static readonly DriverConventions Conventions = new("Slipstream.MySql");
}
