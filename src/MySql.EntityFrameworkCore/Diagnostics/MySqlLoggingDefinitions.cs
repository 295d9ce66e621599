using Microsoft.EntityFrameworkCore.Diagnostics;

namespace Slipstream.MySql.EntityFrameworkCore.Diagnostics;

/// <summary>The cache of EF Core's log messages for this provider, which has none of its own.</summary>
internal sealed class MySqlLoggingDefinitions : RelationalLoggingDefinitions;
