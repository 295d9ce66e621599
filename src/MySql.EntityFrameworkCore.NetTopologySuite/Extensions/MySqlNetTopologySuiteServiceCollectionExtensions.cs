using System.ComponentModel;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Query;
using Microsoft.EntityFrameworkCore.Storage;
using NetTopologySuite;
using Slipstream.MySql.EntityFrameworkCore.Spatial.Query;
using Slipstream.MySql.EntityFrameworkCore.Spatial.Storage;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Registers the services of the package.</summary>
public static class MySqlNetTopologySuiteServiceCollectionExtensions
{
    /// <summary>Registers the services of the package, for an internal service provider of the caller's own.</summary>
    /// <param name="serviceCollection">The services.</param>
    /// <returns>The services.</returns>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public static IServiceCollection AddEntityFrameworkMySqlNetTopologySuite(this IServiceCollection serviceCollection)
    {
        new EntityFrameworkRelationalServicesBuilder(serviceCollection)
            .TryAdd<IRelationalTypeMappingSourcePlugin, GeometryTypeMappingPlugin>()
            .TryAdd<IMethodCallTranslatorPlugin, GeometryMethodPlugin>()
            .TryAdd<IMemberTranslatorPlugin, GeometryMemberPlugin>()
            .TryAddProviderSpecificServices(static services => services.TryAddSingleton(NtsGeometryServices.Instance));
        return serviceCollection;
    }
}
