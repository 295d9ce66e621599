using System.Data.Common;
using System.Net;
using System.Text;
using Slipstream.Lab;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Testing;

namespace Slipstream.Live.Tls;

/// <summary>
/// Every TLS mode against every fault of a certificate, on real servers behind a relay that records what the client sends. The tests check which connections
/// succeed, and that neither the password nor anything that reveals it reaches a peer that was not verified; if the certificate is refused, the client sends no
/// part of a login.
/// </summary>
public sealed class TlsMatrixTests(TlsMatrixTests.Setup setup) : IClassFixture<TlsMatrixTests.Setup>
{
    private static readonly string[] MySqlModes = ["None", "Preferred", "Required", "Required with SSL CA", "VerifyCA", "VerifyFull"];
    private static readonly string[] PostgreSqlModes = ["Disable", "Allow", "Prefer", "Require", "VerifyCA", "VerifyFull"];

    private static readonly Fault[] Faults =
        [
            Fault.None, Fault.SelfSigned, Fault.UnknownAuthority, Fault.OtherHost, Fault.Expired, Fault.NotYetValid, Fault.ClientCertificateMissing,
            Fault.Revoked
        ];

    // The first account of each server answers with a hash, the second with the password itself.
    private static readonly Dictionary<ServerKind, string[]> Accounts = new()
    {
        [ServerKind.MySql] = ["lab_sha2", "lab_sha256"],
        [ServerKind.MariaDb] = ["lab_native"],
        [ServerKind.PostgreSql] = ["lab_scram", "lab_password"],
    };

    public static TheoryData<ServerKind, string, Fault, string, bool> Matrix
    {
        get
        {
            var rows = new TheoryData<ServerKind, string, Fault, string, bool>();
            foreach (var (kind, accounts) in Accounts)
                foreach (var mode in kind.IsPostgreSql() ? PostgreSqlModes : MySqlModes)
                    // Without TLS there is no certificate: two faults are enough.
                    foreach (var fault in mode is "None" or "Disable" ? Faults[..2] : Faults)
                        foreach (var account in accounts)
                            rows.Add(kind, mode, fault, account, (rows.Count + (int)fault) % 2 == 1);
            return rows;
        }
    }

    [Theory]
    [MemberData(nameof(Matrix))]
    public async Task Every_mode_meets_every_certificate(ServerKind kind, string mode, Fault fault, string account, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(kind);
        var user = server.RequireUser(account);
        if (account == "lab_sha2")
            await setup.WarmUp(server, user);
        using var between =
            new Middleman(server, Middleman.Address, setup.Certificates[fault]) { WantsClientCertificate = fault == Fault.ClientCertificateMissing };

        // A password that the method reveals is sent only to a verified server; on the loopback address, MySQL's own methods accept unverified TLS.
        var (isTls, verifies) = (mode is not ("None" or "Disable"), mode.StartsWith("Verify", StringComparison.Ordinal) || mode.Contains("SSL CA"));
        var isRecoverable = account is "lab_sha256" or "lab_password";
        var refusedByClient = verifies && IsFault(fault, mode, kind);
        var mayHavePassword = verifies || (isTls && kind == ServerKind.MySql && IPAddress.IsLoopback(Middleman.Address));
        var isLetIn = !refusedByClient && !(isTls && fault == Fault.ClientCertificateMissing) && (!isRecoverable || mayHavePassword);

        await using var connection = setup.Create(
            server, user, between.Port, mode,
            kind.IsPostgreSql() ? "Channel Binding=Disable;Check Certificate Revocation=" + (fault == Fault.Revoked) : "");
        if (isLetIn)
        {
            await connection.OpenBy(asynchronous);
            await using var command = connection.CreateCommand();
            command.CommandText = "SELECT 7";
            Assert.Equal(7, Convert.ToInt32(await command.ExecuteScalarAsync()));
            await connection.CloseAsync();
        }
        else
        {
            var failure = await Assert.ThrowsAnyAsync<DbException>(() => connection.OpenBy(asynchronous));
            Assert.DoesNotContain(user.Password, failure.ToString());
            if (refusedByClient)
                Assert.Contains("certificate", failure.Message, StringComparison.OrdinalIgnoreCase);
        }

        var received = Assert.Single(between.Received);
        var password = Encoding.UTF8.GetBytes(user.Password);
        Assert.Equal(-1, received.InClear.AsSpan().IndexOf(password));
        Assert.Equal(isLetIn && isRecoverable, received.InTls.AsSpan().IndexOf(password) >= 0);
        if (isTls)
            Assert.Equal(kind.IsPostgreSql() ? 8 : 36, received.InClear.Length);
        if (!isTls || refusedByClient || fault == Fault.ClientCertificateMissing)
            Assert.Empty(received.InTls);
        else
            Assert.True(received.InTls.AsSpan().IndexOf(Encoding.UTF8.GetBytes(account)) >= 0, "What is sent inside TLS was not recorded.");
    }

    // Only PostgreSQL's options check revocation for a private authority; MySQL's do not (SSL CA: "it never asks"), as in MySqlConnector.
    [Theory]
    [InlineData("VerifyCA", Fault.NotRevoked, false)]
    [InlineData("VerifyFull", Fault.NotRevoked, true)]
    [InlineData("VerifyCA", Fault.RevocationUnknown, true)]
    [InlineData("VerifyFull", Fault.RevocationUnknown, false)]
    public async Task Who_asks_about_revocation_wants_an_answer(string mode, Fault fault, bool asynchronous)
    {
        var server = await LiveServers.GetAsync(ServerKind.PostgreSql);
        using var between = new Middleman(server, Middleman.Address, setup.Certificates[fault]);
        await using var connection =
            setup.Create(server, server.RequireUser("lab_scram"), between.Port, mode, "Channel Binding=Disable;Check Certificate Revocation=true");
        if (fault == Fault.NotRevoked)
        {
            await connection.OpenBy(asynchronous);
            return;
        }

        var failure = await Assert.ThrowsAsync<PgException>(() => connection.OpenBy(asynchronous));
        Assert.Contains("revoked", failure.Message);
        Assert.Empty(Assert.Single(between.Received).InTls);
    }

    private static bool IsFault(Fault fault, string mode, ServerKind kind) => fault switch
    {
        Fault.SelfSigned or Fault.UnknownAuthority or Fault.Expired or Fault.NotYetValid => true,
        Fault.OtherHost => mode == "VerifyFull",
        Fault.Revoked => kind.IsPostgreSql(),
        _ => false,
    };

    public sealed class Setup : IDisposable
    {
        public FaultyCertificates Certificates { get; } = new(Middleman.Address);

        public void Dispose() => Certificates.Dispose();

        /// <summary>Makes MySQL cache the account, so that a hash is enough for it.</summary>
        public async Task WarmUp(LabServer server, LabUser user)
        {
            await using var connection = new MySqlConnection(
                $"Server={server.Host};Port={server.Port};User ID={user.Name};Password={user.Password};SSL Mode=VerifyFull;SSL "
                    + $"CA={server.CaFile};Pooling=false");
            await connection.OpenAsync();
        }

        public DbConnection Create(LabServer server, LabUser user, int port, string mode, string more = "")
        {
            var (verifies, word) = (mode.StartsWith("Verify", StringComparison.Ordinal) || mode.Contains("SSL CA"), mode.Split(' ')[0]);
            return server.Kind.IsPostgreSql()
                ? new PgConnection(
                    $"Host={Middleman.Address};Port={port};Username={user.Name};Password={user.Password};Database={server.Database};"
                + $"Pooling=false;Timeout=30;SSL Mode={word}"
                    + (verifies ? $";Root Certificate={Certificates.AuthorityFile}" : "") + $";{more}")
                : new MySqlConnection(
                    $"Server={Middleman.Address};Port={port};User ID={user.Name};Password={user.Password};Database={server.Database};Pooling=false;Connection "
                        + $"Timeout=30;SSL Mode={word}"
                    + (verifies ? $";SSL CA={Certificates.AuthorityFile}" : "") + $";{more}");
        }
    }
}
