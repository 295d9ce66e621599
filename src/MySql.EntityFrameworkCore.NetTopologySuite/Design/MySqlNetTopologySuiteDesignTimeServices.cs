using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Design;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Scaffolding;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using NetTopologySuite;
using Slipstream.MySql.EntityFrameworkCore.Spatial.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Spatial.Design;

/// <summary>Registers what <c>dotnet ef dbcontext scaffold</c> needs for spatial columns.</summary>
public sealed class MySqlNetTopologySuiteDesignTimeServices : IDesignTimeServices
{
    /// <summary>Registers the services.</summary>
    /// <param name="serviceCollection">The services.</param>
    public void ConfigureDesignTimeServices(IServiceCollection serviceCollection)
    {
        serviceCollection.TryAddSingleton(NtsGeometryServices.Instance);
        serviceCollection.AddSingleton<IRelationalTypeMappingSourcePlugin, GeometryTypeMappingPlugin>();
        serviceCollection.AddSingleton<IProviderCodeGeneratorPlugin, CodeGeneratorPlugin>();
    }

    /// <summary>Writes the call of UseNetTopologySuite into a context that is scaffolded.</summary>
    private sealed class CodeGeneratorPlugin : ProviderCodeGeneratorPlugin
    {
        private static readonly Func<MySqlDbContextOptionsBuilder, MySqlDbContextOptionsBuilder> Use =
            MySqlNetTopologySuiteDbContextOptionsBuilderExtensions.UseNetTopologySuite;

        public override MethodCallCodeFragment GenerateProviderOptions() => new(Use.Method);
    }
}
