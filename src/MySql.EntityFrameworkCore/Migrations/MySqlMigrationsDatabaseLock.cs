using System.Security.Cryptography;
using System.Text;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Storage;
using Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>A lock by name (GET_LOCK), which the session holds until it is released or ends.</summary>
internal sealed class MySqlMigrationsDatabaseLock(
    IHistoryRepository historyRepository, MigrationProgress progress, IRelationalCommand release, RelationalCommandParameterObject parameters)
    : MigrationsDatabaseLock(historyRepository, progress)
{
    // MariaDB takes a negative time-out for an error, which it answers with NULL; both take three days.
    private const int Seconds = 72 * 60 * 60;
    private const string Prefix = "__EFMigrationsLock_";

    // MySQL Reference Manual, "Locking Functions": names have up to 64 characters.
    private const int LongestName = 64;

    public static string NameFor(IRelationalConnection connection)
    {
        var name = Prefix + ((MySqlRelationalConnection)connection).Database;
        return name.Length <= LongestName ? name : Prefix + Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(name)))[..32];
    }

    public static string AcquireSql(string name) => $"SELECT GET_LOCK({MySqlStringTypeMapping.Literal(name, false)}, {Seconds})";

    public static string ReleaseSql(string name) => $"SELECT RELEASE_LOCK({MySqlStringTypeMapping.Literal(name, false)})";

    /// <exception cref="InvalidOperationException">The lock was not acquired.</exception>
    public static void Check(string name, object? result)
    {
        if (result is null or DBNull || Convert.ToInt64(result, null) != 1)
            throw new InvalidOperationException(
                $"The lock '{name}' for migrations was not acquired: GET_LOCK returned {(result is null or DBNull ? "NULL" : result)}. "
                    + "Another migrator has held it for three days (0), or the server ended the wait (NULL).");
    }

    protected override void Release() => release.ExecuteScalar(parameters);

    protected override Task ReleaseAsync() => release.ExecuteScalarAsync(parameters);
}
