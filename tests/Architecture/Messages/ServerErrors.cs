using Slipstream.Core.Errors;

namespace Slipstream.Architecture.Messages;

/// <summary>The servers' errors that the drivers tell apart, written down a second time from the servers' documents: a change of the tables must be meant.</summary>
internal static class ServerErrors
{
    /// <summary>Numbers of MariaDB and of MySQL 8 for which MySqlConnector's enumeration has no name.</summary>
    public static int[] NumbersWithoutName { get; } = [1927, 1969, 3024, 3101, 3530, 3819, 4025];

    /// <summary>States and classes that mean something to the driver, and neighbours that do not.</summary>
    public static string[] States { get; } =
    [
        "08…", "08000", "08001", "08003", "08004", "08006", "08007", "08P01", "23001", "23502", "23503", "23505", "23514", "25006", "28000", "28P01", "3D000", "3F000", "40001", "40P01",
        "42501", "42601", "42703", "42704", "42883", "42P01", "42P02", "53…", "53000", "53100", "53200", "53300", "53400", "55000", "55006", "55P03", "57014", "57P01", "57P02", "57P03", "57P05",
        "58000", "58030",
    ];
}
