namespace Slipstream.Tool.Migrate;

/// <summary>The drivers that a solution may move away from. Slipstream stands for code that has moved.</summary>
[Flags]
internal enum Drivers
{
    None = 0,
    MySqlConnector = 1,
    MySqlData = 2,
    Npgsql = 4,
    Pomelo = 8,
    SlipstreamMySql = 16,
    SlipstreamPostgreSql = 32,
    MySql = MySqlConnector | MySqlData | Pomelo | SlipstreamMySql,
    PostgreSql = Npgsql | SlipstreamPostgreSql,
}
