using System.Text.RegularExpressions;
using Slipstream.PostgreSql.Options;
using Slipstream.PostgreSql.Tests.Api;

namespace Slipstream.PostgreSql.Tests.Data;

/// <summary>
/// Every option of Npgsql 10.0.3: the properties of its builder, in the list of its API. Each is accepted with its default and each value, or its refusal says
/// what to do.
/// </summary>
public sealed partial class PeerOptionsTests
{
    // Values that are refused alone, and what the message advises.
    private static readonly Dictionary<string, string> Refused = new()
    {
        ["Multiplexing=True"] = "Remove the option",
        ["GssEncryptionMode=Require"] = "Use SSL Mode",
        ["SslNegotiation=Direct"] = "set SSL Mode=Require",
    };

    public static TheoryData<string, string> Options =>
        [.. File.ReadLines(Path.Combine(PublicApiTests.Root(), "tests", "PostgreSql.Tests", "Api", "npgsql.txt")).Select(static line => Property().Match(line))
            .Where(static match => match.Success).Select(static match => (match.Groups[1].Value, match.Groups[2].Value))];

    [Fact]
    public void The_list_is_complete() => Assert.Equal(59, Options.Count);

    [Theory]
    [MemberData(nameof(Options))]
    public void The_name_of_the_property_is_a_keyword_and_its_default_is_accepted(string name, string type)
    {
        var builder = new PgConnectionStringBuilder();
        var value = builder[name];
        Assert.Equal(type, value switch
        {
            bool => "bool",
            int => "int",
            string => "string",
            _ => value.GetType().Name,
        });
        builder[name] = value;
        Assert.Equal("", new PgSettings(builder).Key);
    }

    [Theory]
    [MemberData(nameof(Options))]
    public void Each_value_is_accepted_or_refused_with_what_to_do(string name, string type)
    {
        foreach (var value in ValuesOf(name, type))
        {
            var text = $"{name}={value}";
            var builder = new PgConnectionStringBuilder(text);
            if (!Refused.TryGetValue(text, out var advice))
            {
                Assert.Equal(value, Convert.ToString(builder[name], System.Globalization.CultureInfo.InvariantCulture), ignoreCase: true);
                _ = new PgSettings(builder);
                continue;
            }

            var exception = Assert.ThrowsAny<Exception>(() => new PgSettings(builder));
            Assert.True(exception is ArgumentException or NotSupportedException, exception.ToString());
            Assert.Contains(advice, exception.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("Encoding=LATIN1")]
    [InlineData("Client Encoding=WIN1252")]
    [InlineData("Client Encoding=SQL_ASCII")]
    public void Another_encoding_is_refused_with_what_to_do(string text)
    {
        var exception = Assert.Throws<NotSupportedException>(() => new PgSettings(new PgConnectionStringBuilder(text)));
        Assert.Contains("Remove the option", exception.Message, StringComparison.Ordinal);
        Assert.Contains("SQL_ASCII", exception.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("any")]
    [InlineData("primary")]
    [InlineData("standby")]
    [InlineData("prefer-primary")]
    [InlineData("prefer-standby")]
    [InlineData("read-write")]
    [InlineData("read-only")]
    public void Each_role_is_accepted(string role) => _ = new PgSettings(new PgConnectionStringBuilder($"Host=a,b;Target Session Attributes={role}"));

    private static string[] ValuesOf(string name, string type) => type switch
    {
        "bool" => ["True", "False"],
        "int" when name is "CancellationTimeout" or "InternalCommandTimeout" => ["-1", "0", "1"],
        "int" when name is "MaxPoolSize" or "Port" or "AutoPrepareMinUsages" or "ConnectionPruningInterval" => ["1", "100"],
        "int" => ["0", "1"],
        "string" => [],
        _ => Enum.GetNames(typeof(PgConnection).Assembly.GetType($"Slipstream.PostgreSql.{type}", throwOnError: true)!),
    };

    [GeneratedRegex(@"^Npgsql\.NpgsqlConnectionStringBuilder\.(\w+) : (\w+) \{ get set \}( \[Obsolete\])?$")]
    private static partial Regex Property();
}
