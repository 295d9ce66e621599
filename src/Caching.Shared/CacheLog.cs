using Microsoft.Extensions.Logging;

namespace Slipstream.Caching;

/// <summary>The messages of a cache in the log. They name no key and no value.</summary>
internal static partial class CacheLog
{
    [LoggerMessage(2001, LogLevel.Debug, "{Count} expired cache entries were deleted")]
    public static partial void ExpiredDeleted(ILogger logger, int count);

    [LoggerMessage(2002, LogLevel.Warning, "Expired cache entries could not be deleted. The next attempt follows after ExpiredItemsDeletionInterval")]
    public static partial void ExpiredNotDeleted(ILogger logger, Exception exception);

    [LoggerMessage(2003, LogLevel.Information, "The table of the cache was missing and has been created")]
    public static partial void TableCreated(ILogger logger);
}
