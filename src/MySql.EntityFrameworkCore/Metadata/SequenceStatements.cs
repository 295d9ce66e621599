using System.Globalization;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Slipstream.MySql.EntityFrameworkCore.Infrastructure;

namespace Slipstream.MySql.EntityFrameworkCore.Metadata;

/// <summary>Sequences in SQL: MariaDB documentation, "CREATE SEQUENCE" and "ALTER SEQUENCE".</summary>
internal static class SequenceStatements
{
    // The server keeps the very first and the very last number for itself.
    private const long Least = long.MinValue + 1;
    private const long Most = long.MaxValue - 1;

    /// <summary>What stands after the name and the start value.</summary>
    public static string Options(SequenceOperation operation, Type? type)
    {
        var (least, most) = (operation.MinValue ?? LeastOf(operation, type), operation.MaxValue ?? MostOf(operation, type));
        return $" INCREMENT BY {Number(operation.IncrementBy)}" + (least is { } from ? $" MINVALUE {Number(from)}" : " NOMINVALUE")
            + (most is { } to ? $" MAXVALUE {Number(to)}" : " NOMAXVALUE") + (operation.IsCyclic ? " CYCLE" : " NOCYCLE");
    }

    /// <summary>A number in SQL.</summary>
    public static string Number(long value) => value.ToString(CultureInfo.InvariantCulture);

    /// <summary>Returns whether a bound is the one that a sequence has without a bound of the model's.</summary>
    public static bool IsLeast(long value, long increment, Type? type) => value == (increment < 0 ? LowestOf(type) : 1);

    /// <inheritdoc cref="IsLeast"/>
    public static bool IsMost(long value, long increment, Type? type) =>
        value == HighestOf(type) || value == HighestOf(type) - 1 || (increment < 0 && value == -1);

    /// <summary>The refusal of a sequence that the server does not have.</summary>
    public static NotSupportedException Missing(string name, MySqlSingletonOptions options) => new(options.IsVersionAssumed
        ? $"The sequence '{name}' needs MariaDB, and the version of the server is unknown: it is not asked for at design time, or without a connection string. "
            + "Give UseMySql a ServerVersion, such as ServerVersion.Parse(\"11.8.0-mariadb\")."
        : $"The sequence '{name}' is not possible: {options.ServerVersion} has no sequences. Use AUTO_INCREMENT, or MariaDB.");

    // NOMINVALUE is 1, and NOMAXVALUE the largest number of 64 bits, whatever the direction and the type.
    private static long? LeastOf(SequenceOperation operation, Type? type) => operation.IncrementBy < 0 ? LowestOf(type) : null;

    private static long? MostOf(SequenceOperation operation, Type? type) => operation.IncrementBy < 0 || HighestOf(type) != Most ? HighestOf(type) : null;

    private static long LowestOf(Type? type) => Type.GetTypeCode(type) switch
    {
        TypeCode.Byte => 0,
        TypeCode.Int16 => short.MinValue,
        TypeCode.Int32 => int.MinValue,
        _ => Least,
    };

    private static long HighestOf(Type? type) => Type.GetTypeCode(type) switch
    {
        TypeCode.Byte => byte.MaxValue,
        TypeCode.Int16 => short.MaxValue,
        TypeCode.Int32 => int.MaxValue,
        _ => Most,
    };
}
