namespace Pomelo.EntityFrameworkCore.MySql.Infrastructure;

/// <summary>The kinds of servers. The namespace is Pomelo's, so that programs written for its provider compile.</summary>
public enum ServerType
{
    /// <summary>Another server that speaks MySQL's protocol.</summary>
    Custom = -1,

    /// <summary>MySQL.</summary>
    MySql = 0,

    /// <summary>MariaDB.</summary>
    MariaDb = 1,
}
