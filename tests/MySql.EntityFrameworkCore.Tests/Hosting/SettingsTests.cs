using System.Text.Json;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Slipstream.MySql.EntityFrameworkCore.Hosting;

namespace Slipstream.MySql.EntityFrameworkCore.Tests.Hosting;

/// <summary>Where the settings of a context come from.</summary>
public class SettingsTests
{
    private const string Root = "Aspire:Slipstream:MySql:EntityFrameworkCore:";

    // Each of the sources, and the one that comes after it.
    private static readonly (string, string?)[] Sources =
    [
        (Root + "ConnectionString", "Database=all"), (Root + "shop:ConnectionString", "Database=connection"),
        (Root + "Shop:ConnectionString", "Database=context"), ("ConnectionStrings:shop", "Database=named"),
    ];

    [Theory, InlineData(1, "Database=all"), InlineData(2, "Database=connection"), InlineData(3, "Database=context"), InlineData(4, "Database=named")]
    public void A_more_special_source_takes_precedence(int count, string expected)
    {
        // Keys ignore case, so the sections of the connection and of the context need different names.
        var configuration = Sources.Take(count).Select(static one => (one.Item1.Replace(":shop", ":db", StringComparison.Ordinal), one.Item2));
        Assert.Equal(expected, Read("db", [.. configuration]).ConnectionString);
    }

    [Fact]
    public void The_applications_function_comes_last()
    {
        var builder = Hosts.WithShop((Root + "Shop:CommandTimeout", "5"));
        builder.AddMySqlDbContext<Shop>("shop", static settings =>
        {
            Assert.Equal((Hosts.Text, 5), (settings.ConnectionString, settings.CommandTimeout));
            settings.ConnectionString = "Server=other;Database=changed";
            settings.CommandTimeout = 7;
        });
        using var host = builder.Build();
        var options = host.Options<Shop>();
        Assert.Equal(7, options.CommandTimeout);
        Assert.Contains("changed", options.DataSource!.ConnectionString, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_setting_is_read_and_a_value_that_is_not_set_stays()
    {
        var settings = Read(
            "db", (Root + "ServerVersion", "8.4.3"), (Root + "CommandTimeout", "5"), (Root + "DisableRetry", "true"), (Root + "db:DisableTracing", "True"),
            (Root + "Shop:DisableMetrics", "true"), (Root + "Shop:DisableHealthChecks", "true"), (Root + "Shop:DisableRetry", "false"),
            (Root + "Shop:ServerVersion", ""), (Root + "Shop:CommandTimeout", null));
        Assert.Equal(("8.4.3", 5), (settings.ServerVersion, settings.CommandTimeout));
        Assert.Equal(
            (false, true, true, true), (settings.DisableRetry, settings.DisableTracing, settings.DisableMetrics, settings.DisableHealthChecks));
    }

    [Fact]
    public void Without_a_configuration_nothing_is_disabled()
    {
        var settings = Read("db");
        Assert.Equal((null, null, null), (settings.ConnectionString, settings.ServerVersion, settings.CommandTimeout));
        Assert.False(settings.DisableRetry || settings.DisableTracing || settings.DisableMetrics || settings.DisableHealthChecks);
    }

    [Fact]
    public void Enrich_reads_the_sections_of_all_contexts_and_of_the_context()
    {
        var builder = Hosts.Builder((Root + "CommandTimeout", "5"), (Root + "ServerVersion", "8.4.3"), (Root + "Shop:CommandTimeout", "6"));
        builder.Services.AddMySql<Shop>(Hosts.Text);
        SlipstreamMySqlEntityFrameworkCoreSettings? read = null;
        builder.EnrichMySqlDbContext<Shop>(settings => read = settings);
        Assert.Equal((6, "8.4.3"), (read!.CommandTimeout, read.ServerVersion));
    }

    [Theory]
    [InlineData("DisableRetry", "maybe", "true or false")]
    [InlineData("CommandTimeout", "-1", "a whole number of seconds")]
    [InlineData("CommandTimeout", "1.5", "a whole number of seconds")]
    public void A_value_that_cannot_be_read_is_named_with_its_key(string key, string value, string expected)
    {
        var thrown = Assert.Throws<InvalidOperationException>(() => Read("db", (Root + "Shop:" + key, value)));
        Assert.Equal($"The configuration key '{Root}Shop:{key}' is '{value}', but must be {expected}.", thrown.Message);
    }

    [Fact]
    public void The_schema_for_editors_has_every_setting_for_all_and_for_one()
    {
        var folder = new DirectoryInfo(AppContext.BaseDirectory);
        while (!File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
            folder = folder.Parent!;
        using var schema = JsonDocument.Parse(
            File.ReadAllBytes(Path.Combine(folder.FullName, "src", "MySql.EntityFrameworkCore.Hosting", "ConfigurationSchema.json")));
        var section = schema.RootElement;
        foreach (var name in Root.TrimEnd(':').Split(':'))
            section = section.GetProperty("properties").GetProperty(name);
        var expected = typeof(SlipstreamMySqlEntityFrameworkCoreSettings).GetProperties()
            .Select(static property => (property.Name, Kind(property.PropertyType))).Order();
        foreach (var place in (JsonElement[])[section, section.GetProperty("additionalProperties")])
            Assert.Equal(
                expected,
                place.GetProperty("properties").EnumerateObject().Select(static one => (one.Name, one.Value.GetProperty("type").GetString()!)).Order());

        static string Kind(Type type) => type == typeof(bool) ? "boolean" : type == typeof(int?) ? "integer" : "string";
    }

    private static SlipstreamMySqlEntityFrameworkCoreSettings Read(string connectionName, params (string, string?)[] configuration)
    {
        SlipstreamMySqlEntityFrameworkCoreSettings? read = null;
        Hosts.Builder(configuration).AddMySqlDbContext<Shop>(connectionName, settings => read = settings);
        return read!;
    }
}
