using Microsoft.EntityFrameworkCore.Design;
using Microsoft.EntityFrameworkCore.Design.Internal;
using Microsoft.EntityFrameworkCore.Scaffolding;
using Microsoft.Extensions.DependencyInjection;
using Slipstream.MySql.EntityFrameworkCore.Design;
using Slipstream.MySql.EntityFrameworkCore.Scaffolding;

[assembly: DesignTimeProviderServices("Slipstream.MySql.EntityFrameworkCore.Design.MySqlDesignTimeServices")]

namespace Slipstream.MySql.EntityFrameworkCore.Design;

/// <summary>Registers what <c>dotnet ef</c> needs: migrations as code, and contexts from databases.</summary>
public sealed class MySqlDesignTimeServices : IDesignTimeServices
{
    /// <summary>Registers the services.</summary>
    /// <param name="serviceCollection">The services.</param>
    public void ConfigureDesignTimeServices(IServiceCollection serviceCollection)
    {
        serviceCollection.AddEntityFrameworkMySql();
#pragma warning disable EF1001 // the builder has no public counterpart
        new EntityFrameworkRelationalDesignServicesBuilder(serviceCollection)
            .TryAdd<IAnnotationCodeGenerator, MySqlAnnotationCodeGenerator>()
            .TryAdd<ICSharpRuntimeAnnotationCodeGenerator, MySqlRuntimeAnnotationCodeGenerator>()
            .TryAdd<IDatabaseModelFactory, MySqlDatabaseModelFactory>()
            .TryAdd<IProviderConfigurationCodeGenerator, MySqlCodeGenerator>()
            .TryAddCoreServices();
#pragma warning restore EF1001
    }
}
