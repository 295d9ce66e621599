using Microsoft.Extensions.DependencyInjection;

namespace Shop;

public static class Program
{
    public static void Main()
    {
        var services = new ServiceCollection();
        services.AddMySqlDataSource("Server=localhost;User ID=app;Password=fixture-secret;Database=shop");
        services.AddSingleton<ProductStore>();
    }
}
