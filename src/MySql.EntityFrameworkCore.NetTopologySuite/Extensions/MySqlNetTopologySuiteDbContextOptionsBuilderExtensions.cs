using Microsoft.EntityFrameworkCore.Infrastructure;
using Slipstream.MySql.EntityFrameworkCore.Spatial.Extensions;

namespace Microsoft.EntityFrameworkCore;

/// <summary>Adds NetTopologySuite to the options of <c>UseMySql</c>.</summary>
public static class MySqlNetTopologySuiteDbContextOptionsBuilderExtensions
{
    /// <summary>Maps geometries of NetTopologySuite to the spatial types of MySQL and MariaDB, and translates their members in queries.</summary>
    /// <param name="optionsBuilder">The options of <c>UseMySql</c>.</param>
    /// <returns>The options.</returns>
    public static MySqlDbContextOptionsBuilder UseNetTopologySuite(this MySqlDbContextOptionsBuilder optionsBuilder)
    {
        ArgumentNullException.ThrowIfNull(optionsBuilder);
        var builder = ((IRelationalDbContextOptionsBuilderInfrastructure)optionsBuilder).OptionsBuilder;
        var extension = builder.Options.FindExtension<NetTopologySuiteOptionsExtension>() ?? new NetTopologySuiteOptionsExtension();
        ((IDbContextOptionsBuilderInfrastructure)builder).AddOrUpdateExtension(extension);
        return optionsBuilder;
    }
}
