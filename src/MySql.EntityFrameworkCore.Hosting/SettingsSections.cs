using System.Globalization;
using Microsoft.Extensions.Configuration;

namespace Slipstream.MySql.EntityFrameworkCore.Hosting;

/// <summary>Reads settings from a configuration. It needs no reflection, so it supports trimming.</summary>
internal static class SettingsSections
{
    /// <summary>The section of all contexts. The names are those of Aspire's convention: Aspire, then the parts of the package's name.</summary>
    public const string Root = "Aspire:Slipstream:MySql:EntityFrameworkCore";

    /// <summary>Reads the section of all contexts, then that of the connection, then that of the context: later ones take precedence.</summary>
    public static SlipstreamMySqlEntityFrameworkCoreSettings Read(IConfiguration configuration, string? connectionName, string contextName)
    {
        var settings = new SlipstreamMySqlEntityFrameworkCoreSettings();
        var root = configuration.GetSection(Root);
        Add(settings, root);
        if (connectionName is not null)
            Add(settings, root.GetSection(connectionName));
        Add(settings, root.GetSection(contextName));
        return settings;
    }

    private static void Add(SlipstreamMySqlEntityFrameworkCoreSettings settings, IConfigurationSection section)
    {
        settings.ConnectionString = Text(section, nameof(settings.ConnectionString)) ?? settings.ConnectionString;
        settings.ServerVersion = Text(section, nameof(settings.ServerVersion)) ?? settings.ServerVersion;
        settings.CommandTimeout = Seconds(section, nameof(settings.CommandTimeout)) ?? settings.CommandTimeout;
        settings.DisableRetry = Flag(section, nameof(settings.DisableRetry)) ?? settings.DisableRetry;
        settings.DisableHealthChecks = Flag(section, nameof(settings.DisableHealthChecks)) ?? settings.DisableHealthChecks;
        settings.DisableTracing = Flag(section, nameof(settings.DisableTracing)) ?? settings.DisableTracing;
        settings.DisableMetrics = Flag(section, nameof(settings.DisableMetrics)) ?? settings.DisableMetrics;
    }

    // The null of a JSON file is an empty text in some providers of configuration.
    private static string? Text(IConfigurationSection section, string key) => section[key] is { Length: > 0 } text ? text : null;

    private static bool? Flag(IConfigurationSection section, string key) =>
        Text(section, key) is not { } text ? null
        : bool.TryParse(text, out var value) ? value
        : throw new InvalidOperationException($"The configuration key '{section.Path}:{key}' is '{text}', but must be true or false.");

    private static int? Seconds(IConfigurationSection section, string key) =>
        Text(section, key) is not { } text ? null
        : int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value
        : throw new InvalidOperationException($"The configuration key '{section.Path}:{key}' is '{text}', but must be a whole number of seconds.");
}
