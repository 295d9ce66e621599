using Slipstream.Core.Data;

namespace Slipstream.MySql.Tests.Data;

/// <summary>The driver's own parser for plain connection strings returns the same as the runtime's.</summary>
public sealed class PlainReadingTests
{
    private static readonly string[] Pieces =
    [
        "Server", "server", " Host ", "Data Source", "Port", "User ID", "uid", "Password", "pwd", "Database", "Pooling", "SSL Mode", "SslMode",
        "Application Name", "Nonsense", "",
        "=", "=", "=", "=", "==", ";", ";", ";", ";;", " ", "\t", "\"", "'", "\"a;b\"", "'x=y'", "\0", "\n", "\u00a0", "a", "3306", "99999999", "true", "yes",
        "None", "Required", "VerifyFull", "Foo", "ü €",
        "a b", "p'ss", "{x}", "=1", "localhost", "Max Value Bytes", "Default Command Timeout", "Maximum Pool Size",
    ];

    [Fact]
    public void What_is_read_and_what_is_refused_is_the_same()
    {
        var seed = Environment.TickCount;
        var random = new Random(seed);
        var (read, refused) = (0, 0);
        for (var i = 0; i < 10_000; i++)
        {
            var text = i % 2 == 0 ? Pairs(random) : string.Concat(Enumerable.Range(0, random.Next(1, 12)).Select(_ => Pieces[random.Next(Pieces.Length)]));
            var (expected, refusal) = Of(text, static text => new MySqlConnectionStringBuilder(text));
            var (actual, sameRefusal) = Of(text, MySqlConnectionStringBuilder.ForReading);
            Assert.True(expected == actual && refusal == sameRefusal, $"seed {seed}: '{text}' is '{expected}{refusal}' and '{actual}{sameRefusal}'");
            _ = refusal is null ? read++ : refused++;
        }

        Assert.True(read > 500 && refused > 500, $"{read} read, {refused} refused");
    }

    [Fact]
    public void A_builder_that_was_read_can_be_changed_and_searched_as_any_other()
    {
        var builder = MySqlConnectionStringBuilder.ForReading("Host=a; Port = 1 ;pwd=x y;Port=2;");
        Assert.Equal(["Server", "Port", "Password"], builder.Keys.Cast<string>());
        Assert.True(builder.ContainsKey("host") && builder.TryGetValue("PORT", out var port) && (string)port == "2");
        Assert.Equal(2u, builder["Port"]);
        builder.Database = "d";
        Assert.Equal("Server=a;Port=2;Password=\"x y\";Database=d", builder.ToText().Replace("'", "\"", StringComparison.Ordinal));
        Assert.Equal("a", builder.Server);
        Assert.Contains("database=d", builder.ConnectionString, StringComparison.OrdinalIgnoreCase);
        Assert.True(builder.Remove("Port"));
        Assert.False(builder.Remove("Port"));

        builder = MySqlConnectionStringBuilder.ForReading("Host=a");
        builder.Clear();
        Assert.Empty(builder.Keys);
    }

    private static string Pairs(Random random) =>
        string.Concat(Enumerable.Range(0, random.Next(1, 6)).Select(_ => $"{Pieces[random.Next(16)]}={Pieces[random.Next(16, Pieces.Length)]};"));

    private static (string? Text, string? Refusal) Of(string text, Func<string, MySqlConnectionStringBuilder> make)
    {
        try
        {
            var builder = make(text);
            return (builder.ToText() + "|" + builder.ToKey() + "|" + builder.ToStringWithoutSecrets(), null);
        }
        catch (ArgumentException exception)
        {
            return (null, exception.GetType().Name + exception.Message);
        }
    }
}
