using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.Testing;

namespace Slipstream.Live.MySql;

/// <summary>Real servers resume TLS sessions: a session that one connection did not verify must not count as verified for another.</summary>
public class CertificateJudgementTests
{
    [Theory]
    [InlineData(ServerKind.MySql, "Preferred")]
    [InlineData(ServerKind.MySql, "Required")]
    [InlineData(ServerKind.MariaDb, "Required")]
    [InlineData(ServerKind.MariaDb11, "Required")]
    public async Task Behind_connections_that_verify_nothing_the_others_see_every_fault(ServerKind kind, string mode)
    {
        var server = await LiveServers.GetAsync(kind);
        string Options(string more) => $"Server={server.Host};Port={server.Port};User ID={server.User};Password={server.Password};Pooling=false;{more}";
        await using var careless = new MySqlDataSource(Options($"SSL Mode={mode}"));
        for (var i = 0; i < 3; i++)
            await (await careless.OpenConnectionAsync()).DisposeAsync();

        var seen = new List<(SslPolicyErrors Errors, X509ChainStatusFlags Chain)>();
        bool Judge(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
        {
            seen.Add((errors, chain!.ChainStatus.Aggregate(X509ChainStatusFlags.NoError, static (all, one) => all | one.Status)));
            return seen.Count < 4;
        }

        await using var judging = new MySqlDataSourceBuilder(Options($"SSL Mode={mode}")).UseRemoteCertificateValidationCallback(Judge).Build();
        for (var i = 0; i < 3; i++)
            await (await judging.OpenConnectionAsync()).DisposeAsync();
        // The callback may refuse the fourth time what it has accepted three times.
        await Assert.ThrowsAsync<MySqlException>(async () => await judging.OpenConnectionAsync());
        await using var own = new MySqlConnection(Options($"SSL Mode={mode}")) { RemoteCertificateValidationCallback = Judge };
        await Assert.ThrowsAsync<MySqlException>(() => own.OpenAsync());

        Assert.Equal(5, seen.Count);
        Assert.All(seen, static one =>
        {
            Assert.Equal(SslPolicyErrors.RemoteCertificateChainErrors, one.Errors & SslPolicyErrors.RemoteCertificateChainErrors);
            Assert.NotEqual(X509ChainStatusFlags.NoError, one.Chain & (X509ChainStatusFlags.UntrustedRoot | X509ChainStatusFlags.PartialChain));
        });

        foreach (var verifying in new[] { "VerifyCA", "VerifyFull" })
        {
            await using var connection = new MySqlConnection(Options($"SSL Mode={verifying};SSL CA={server.OtherCaFile}"));
            Assert.Contains(
                "certificate", (await Assert.ThrowsAsync<MySqlException>(() => connection.OpenAsync())).Message, StringComparison.OrdinalIgnoreCase);
        }
    }
}
