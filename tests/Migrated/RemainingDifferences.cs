namespace Slipstream.Migrated;

/// <summary>The rows of docs/migrating.md that hold under the name MySqlConnector, too, with the reasons.</summary>
internal static class RemainingDifferences
{
    public static IReadOnlyDictionary<string, string> Rows { get; } = new Dictionary<string, string>
    {
        ["connection strings of a data source"] = "SECURITY.md: no password is shown after the connection was made",
        ["column metadata"] = "more of it is filled; nothing that MySqlConnector fills is missing",
        ["`DeriveParameters`"] = "on MariaDB, JSON is LONGTEXT: MySqlConnector reads the procedure's text",
        ["misuse"] = "a mapping to a column that the table does not have is found before a row is sent",
        ["getters"] = "a value instead of an exception",
        ["bytes in an output parameter for text"] = "there, the value is the name of a type",
        ["a token that is already cancelled"] = "nothing is begun that nobody waits for",
        ["procedures"] = "a call that works instead of an exception",
    };
}
