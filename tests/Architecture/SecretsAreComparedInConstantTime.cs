using System.Text.RegularExpressions;

namespace Slipstream.Architecture;

/// <summary>Where proofs and secrets are compared, how long it takes says nothing about where they differ (CryptographicOperations.FixedTimeEquals).</summary>
public class SecretsAreComparedInConstantTime
{
    // Where answers to servers are made and theirs are judged.
    private static readonly string[] Places =
    [
        "/MySql/Authentication/", "/PostgreSql/Authentication/", "/MySql/Conversations/Connecting/", "/PostgreSql/Conversations/Connecting/", "/Core/Wire/Transport/Tls",
    ];

    private const string Comparing = @"\b(SequenceEqual|SequenceCompareTo|Array\.Equals|StructuralEqualityComparer|StructuralComparisons|CommonPrefixLength)\b";

    // What is secret or proves that somebody knows one, by the words that the sources use for it.
    private const string Secret = @"(?i)(password|secret|proof|signature|hash|fingerprint|salted|serverKey|clientKey|storedKey|expected|scramble|digest|mac)";

    [Fact]
    public void No_comparison_that_ends_early_is_used_where_servers_are_judged() => Report.Empty(Strays(new Regex(Comparing)));

    [Fact]
    public void No_proof_or_secret_is_compared_by_an_operator() =>
        Report.Empty(Strays(new Regex(@$"\b\w*{Secret}\w*\s*(==|!=)\s*(?!null\b|0\b)\w+|(?<!\bnull|\b0)\b\w+\s*(==|!=)\s*\w*{Secret}\w*\b(?!\s*\.\s*(Length|Name)|Name\b)|{Secret}\w*\.(Equals|CompareTo)\b")));

    // A rule over no files, or over files that compare nothing, would hold whatever happens.
    [Theory]
    [InlineData("/MySql/Authentication/Scram.cs")]
    [InlineData("/MySql/Conversations/Connecting/Login.cs")]
    [InlineData("/PostgreSql/Authentication/ScramSha256.cs")]
    [InlineData("/PostgreSql/Authentication/ScramKeys.cs")]
    public void What_a_server_proves_is_compared_in_constant_time(string path) =>
        Assert.Contains("CryptographicOperations.FixedTimeEquals(", Assert.Single(SourceFile.All, file => file.Path == path).Code);

    private static IEnumerable<string> Strays(Regex pattern) =>
        from file in SourceFile.All
        where Places.Any(place => file.Path.StartsWith(place, StringComparison.Ordinal))
        from line in file.Code.Split('\n').Select((text, index) => (Text: text, Number: index + 1))
        let match = pattern.Match(line.Text)
        where match.Success
        select $"{file.Path}:{line.Number}: {match.Value} in: {line.Text.Trim()}";
}
