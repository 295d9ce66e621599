using System.Diagnostics.CodeAnalysis;

namespace Slipstream.MySql;

/// <content>The options that only MySql.Data has: docs/options.md says of each at which value it is accepted.</content>
public sealed partial class MySqlConnectionStringBuilder
{
    /// <summary>Several statements in one command: always allowed here. (Of MySql.Data.)</summary>
    public bool AllowBatch { get => Get(MySqlOptions.AllowBatch); set => Set(MySqlOptions.AllowBatch, value); }

    /// <summary>Not supported: use GetString or CAST. (Of MySql.Data.)</summary>
    [AllowNull]
    public string BlobAsUTF8ExcludePattern { get => Get(MySqlOptions.BlobAsUtf8ExcludePattern); set => Set(MySqlOptions.BlobAsUtf8ExcludePattern, value); }

    /// <summary>Not supported: use GetString or CAST. (Of MySql.Data.)</summary>
    [AllowNull]
    public string BlobAsUTF8IncludePattern { get => Get(MySqlOptions.BlobAsUtf8IncludePattern); set => Set(MySqlOptions.BlobAsUtf8IncludePattern, value); }

    /// <summary>Ignored: server properties are never asked for. (Of MySql.Data.)</summary>
    public bool CacheServerProperties { get => Get(MySqlOptions.CacheServerProperties); set => Set(MySqlOptions.CacheServerProperties, value); }

    /// <summary>Ignored. (Of MySql.Data.)</summary>
    public bool CheckParameters { get => Get(MySqlOptions.CheckParameters); set => Set(MySqlOptions.CheckParameters, value); }

    /// <summary>Not supported: classes are never loaded by name. (Of MySql.Data.)</summary>
    [AllowNull]
    public string CommandInterceptors { get => Get(MySqlOptions.CommandInterceptors); set => Set(MySqlOptions.CommandInterceptors, value); }

    /// <summary>Ignored: the server names the user's method. (Of MySql.Data.)</summary>
    [AllowNull]
    public string DefaultAuthenticationPlugin { get => Get(MySqlOptions.DefaultAuthenticationPlugin); set => Set(MySqlOptions.DefaultAuthenticationPlugin, value); }

    /// <summary>Ignored: tables are never cached. (Of MySql.Data.)</summary>
    public uint DefaultTableCacheAge { get => (uint)Get(MySqlOptions.DefaultTableCacheAge); set => Set(MySqlOptions.DefaultTableCacheAge, value); }

    /// <summary>Not supported: name the servers in Server. (Of MySql.Data.)</summary>
    public bool DnsSrv { get => Get(MySqlOptions.DnsSrv); set => Set(MySqlOptions.DnsSrv, value); }

    /// <summary>Not supported: classes are never loaded by name. (Of MySql.Data.)</summary>
    [AllowNull]
    public string ExceptionInterceptors { get => Get(MySqlOptions.ExceptionInterceptors); set => Set(MySqlOptions.ExceptionInterceptors, value); }

    /// <summary>Not supported: use GetString or CAST. (Of MySql.Data.)</summary>
    public bool FunctionsReturnString { get => Get(MySqlOptions.FunctionsReturnString); set => Set(MySqlOptions.FunctionsReturnString, value); }

    /// <summary>Not supported: leave it out. (Of MySql.Data.)</summary>
    public bool IncludeSecurityAsserts { get => Get(MySqlOptions.IncludeSecurityAsserts); set => Set(MySqlOptions.IncludeSecurityAsserts, value); }

    /// <summary>Not supported: use a user with a password. (Of MySql.Data.)</summary>
    public bool IntegratedSecurity { get => Get(MySqlOptions.IntegratedSecurity); set => Set(MySqlOptions.IntegratedSecurity, value); }

    /// <summary>Ignored: give the data source an ILoggerFactory. (Of MySql.Data.)</summary>
    public bool Logging { get => Get(MySqlOptions.Logging); set => Set(MySqlOptions.Logging, value); }

    /// <summary>Not supported: use a user with a password. (Of MySql.Data.)</summary>
    [AllowNull]
    public string OciConfigFile { get => Get(MySqlOptions.OciConfigFile); set => Set(MySqlOptions.OciConfigFile, value); }

    /// <summary>Ignored. (Of MySql.Data.)</summary>
    [AllowNull]
    public string OciConfigProfile { get => Get(MySqlOptions.OciConfigProfile); set => Set(MySqlOptions.OciConfigProfile, value); }

    /// <summary>Not supported: use a user with a password. (Of MySql.Data.)</summary>
    [AllowNull]
    public string OpenIdIdentityToken { get => Get(MySqlOptions.OpenIdIdentityToken); set => Set(MySqlOptions.OpenIdIdentityToken, value); }

    /// <summary>Ignored. (Of MySql.Data.)</summary>
    public uint ProcedureCacheSize { get => (uint)Get(MySqlOptions.ProcedureCacheSize); set => Set(MySqlOptions.ProcedureCacheSize, value); }

    /// <summary>Not supported: name the servers in Server. (Of MySql.Data.)</summary>
    public bool Replication { get => Get(MySqlOptions.Replication); set => Set(MySqlOptions.Replication, value); }

    /// <summary>Binary columns are read as bytes: always, here. (Of MySql.Data.)</summary>
    public bool RespectBinaryFlags { get => Get(MySqlOptions.RespectBinaryFlags); set => Set(MySqlOptions.RespectBinaryFlags, value); }

    /// <summary>Ignored: shared memory is not supported. (Of MySql.Data.)</summary>
    [AllowNull]
    public string SharedMemoryName { get => Get(MySqlOptions.SharedMemoryName); set => Set(MySqlOptions.SharedMemoryName, value); }

    /// <summary>Not supported: quote names with backticks. (Of MySql.Data.)</summary>
    public bool SqlServerMode { get => Get(MySqlOptions.SqlServerMode); set => Set(MySqlOptions.SqlServerMode, value); }

    /// <summary>Not supported: leave it out. (Of MySql.Data.)</summary>
    public bool TableCaching { get => Get(MySqlOptions.TableCaching); set => Set(MySqlOptions.TableCaching, value); }

    /// <summary>Not supported: use GetString or CAST. (Of MySql.Data.)</summary>
    public bool TreatBlobsAsUTF8 { get => Get(MySqlOptions.TreatBlobsAsUtf8); set => Set(MySqlOptions.TreatBlobsAsUtf8, value); }

    /// <summary>Not supported: leave it out. (Of MySql.Data.)</summary>
    public bool UseDefaultCommandTimeoutForEF { get => Get(MySqlOptions.UseDefaultCommandTimeoutForEF); set => Set(MySqlOptions.UseDefaultCommandTimeoutForEF, value); }

    /// <summary>Not supported: read the metrics. (Of MySql.Data.)</summary>
    public bool UsePerformanceMonitor { get => Get(MySqlOptions.UsePerformanceMonitor); set => Set(MySqlOptions.UsePerformanceMonitor, value); }

    /// <summary>Not supported: leave it out. (Of MySql.Data.)</summary>
    public bool UseUsageAdvisor { get => Get(MySqlOptions.UseUsageAdvisor); set => Set(MySqlOptions.UseUsageAdvisor, value); }
}
