using System.Text.RegularExpressions;

namespace Slipstream.Architecture;

/// <summary>
/// Checks that proofs and secrets are compared in constant time (CryptographicOperations.FixedTimeEquals), so that the time does not reveal where they differ.
/// </summary>
public class SecretsAreComparedInConstantTime
{
    // The code that creates answers to servers and checks the servers' answers.
    private static readonly string[] Places =
    [
        "/MySql/Authentication/", "/PostgreSql/Authentication/", "/MySql/Conversations/Connecting/", "/PostgreSql/Conversations/Connecting/",
        "/Core/Wire/Transport/Tls",
    ];

    private const string Comparing = @"\b(SequenceEqual|SequenceCompareTo|Array\.Equals|StructuralEqualityComparer|StructuralComparisons|CommonPrefixLength)\b";

    // Names that the sources use for secrets, and for proofs that a peer knows a secret.
    private const string Secret = @"(?i)(password|secret|proof|signature|hash|fingerprint|salted|serverKey|clientKey|storedKey|expected|scramble|digest|mac)";

    [Fact]
    public void No_comparison_that_ends_early_is_used_where_servers_are_judged() => Report.Empty(Strays(new Regex(Comparing)));

    [Fact]
    public void No_proof_or_secret_is_compared_by_an_operator() =>
        Report.Empty(
            Strays(
                new Regex(
                    @$"\b\w*{Secret}\w*\s*(==|!=)\s*(?!null\b|0\b)\w+|"
                + @$"(?<!\bnull|\b0)\b\w+\s*(==|!=)\s*\w*{Secret}\w*\b(?!\s*\.\s*(Length|Name)|Name\b)|{Secret}\w*\.(Equals|CompareTo)\b")));

    // A rule that matches no files, or only files that compare nothing, could never fail.
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
