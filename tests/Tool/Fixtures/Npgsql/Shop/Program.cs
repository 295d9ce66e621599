using Microsoft.Extensions.DependencyInjection;

namespace Shop;

public static class Program
{
    public static void Main()
    {
        var services = new ServiceCollection();
        services.AddNpgsqlDataSource("Host=localhost;Username=app;Password=fixture-secret;Database=shop", builder => builder.EnableParameterLogging());
        services.AddSingleton<ProductStore>();
    }
}
