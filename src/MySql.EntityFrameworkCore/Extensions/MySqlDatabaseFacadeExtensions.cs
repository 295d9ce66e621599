using Microsoft.EntityFrameworkCore.Infrastructure;

namespace Microsoft.EntityFrameworkCore;

/// <summary>Asks which provider a context uses.</summary>
public static class MySqlDatabaseFacadeExtensions
{
    /// <summary>Returns whether the context uses this provider.</summary>
    /// <param name="database">The context's database.</param>
    /// <returns>Whether it does.</returns>
    public static bool IsMySql(this DatabaseFacade database)
    {
        ArgumentNullException.ThrowIfNull(database);
        return database.ProviderName == typeof(MySqlDatabaseFacadeExtensions).Assembly.GetName().Name;
    }
}
