using System.Globalization;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using Slipstream.MySql;
using Slipstream.PostgreSql;
using Slipstream.Tool.Connections;

namespace Slipstream.Tool.Doctor;

/// <summary>Checks how the connection is encrypted, and the server's certificate.</summary>
internal static class TlsChecks
{
    private const string Modes = "tls.md#modes";
    private const int SoonDays = 30;

    // https://www.postgresql.org/docs/current/protocol-message-formats.html, SSLRequest
    private static readonly byte[] SslRequest = [0, 0, 0, 8, 4, 210, 22, 47];

    public static async Task<IReadOnlyList<Check>> RunAsync(Patient patient, CancellationToken cancellationToken)
    {
        var (version, cipher, expiry) = patient.Target.Provider == Provider.MySql
            ? await MySqlAsync(patient, cancellationToken)
            : await PostgreSqlAsync(patient, cancellationToken);
        var checks = new List<Check> { Encryption(version, cipher, Verification(patient.Target), patient.IsLocal, patient.HasTls) };
        if (version is not null)
            checks.Add(Certificate(expiry, DateTime.UtcNow));
        return checks;
    }

    /// <summary>Judges the encryption.</summary>
    /// <param name="version">The version of TLS that the server uses; null if there is none.</param>
    /// <param name="cipher">The cipher suite.</param>
    /// <param name="verification">What the driver verifies: null for nothing.</param>
    /// <param name="isLocal">Whether the server is on this machine.</param>
    /// <param name="hasTls">Whether the driver uses TLS to what it is connected to; null if that is not known.</param>
    public static Check Encryption(string? version, string? cipher, string? verification, bool isLocal, bool? hasTls)
    {
        const string Verify = "Set SSL Mode=VerifyFull, with the authority's certificate if it is not one of the system's.";
        if (hasTls == true && version is null)
            return Check.Advise(
                "tls", "TLS ends at a proxy: the server receives this connection without TLS",
                    "If a network is between the proxy and the server, use TLS there, too.", Modes);
        if (hasTls == false && version is not null)
            return isLocal
                ? Check.Ok("tls", $"No TLS to a proxy on this machine, which uses {version} to the server", Modes)
                : Check.Problem(
                    "tls", $"No TLS to a proxy, which uses {version} to the server: an attacker on the network can read queries and results", Verify, Modes);
        if (version is null)
            return isLocal
                ? Check.Ok("tls", "No TLS; the server is on this machine", Modes)
                : Check.Problem("tls", "No TLS: an attacker on the network can read queries and results", Verify, Modes);
        var verified = verification is null ? "the server's certificate is not verified" : "the driver verifies " + verification;
        var text = $"{version}{(cipher is null ? "" : ", " + cipher)}; {verified}";
        return verification is not null || isLocal
            ? Check.Ok("tls", text, Modes)
            : Check.Advise("tls", text, "An attacker on the way can pose as the server. " + Verify, Modes);
    }

    public static Check Certificate(DateTime? expiry, DateTime now)
    {
        const string Docs = "tls.md#checking";
        if (expiry is not { } end)
            return Check.Unknown("certificate", "The expiry of the server's certificate is not known", Docs);
        var days = (end - now).TotalDays;
        var text = string.Create(CultureInfo.InvariantCulture, $"The server's certificate expires on {end:yyyy-MM-dd}");
        var figures = new Dictionary<string, double> { ["days"] = Math.Floor(days) };
        return (days switch
        {
            < 0 => Check.Problem("certificate", $"The server's certificate expired on {end:yyyy-MM-dd}", "Renew it: verifying modes refuse it.", Docs),
            < SoonDays => Check.Advise("certificate", text, "Renew it before that day: afterwards, verifying modes refuse it.", Docs),
            _ => Check.Ok("certificate", text, Docs),
        }) with { Figures = figures };
    }

    /// <summary>Returns what the mode of the connection string verifies; null for nothing.</summary>
    public static string? Verification(Target target)
    {
        const string Authority = "the certificate's authority, but not the host name";
        const string Everything = "the certificate's authority and the host name";
        return target.Provider == Provider.MySql
            ? target.MySql switch
            {
                { SslMode: MySqlSslMode.VerifyFull } => Everything,
                { SslMode: MySqlSslMode.VerifyCA } => Authority,
                { SslMode: MySqlSslMode.Required, SslCa.Length: > 0 } => Authority,
                _ => null,
            }
            : target.PostgreSql.SslMode switch
            {
                SslMode.VerifyFull => Everything,
                SslMode.VerifyCA => Authority,
                _ => null,
            };
    }

    private static async Task<(string? Version, string? Cipher, DateTime? Expiry)> MySqlAsync(Patient patient, CancellationToken cancellationToken)
    {
        var status = await patient.PairsAsync("SHOW SESSION STATUS LIKE 'Ssl\\_%'", cancellationToken);
        var version = status.GetValueOrDefault("Ssl_version") is { Length: > 0 } one ? one : null;
        var cipher = status.GetValueOrDefault("Ssl_cipher") is { Length: > 0 } name ? name : null;
        return (version, cipher, status.GetValueOrDefault("Ssl_server_not_after") is { } text ? ExpiryOf(text) : null);
    }

    /// <summary>Reads a date as OpenSSL writes it, such as <c>Nov  3 10:00:00 2027 GMT</c>.</summary>
    public static DateTime? ExpiryOf(string text)
    {
        var words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return words.Length >= 4 && DateTime.TryParseExact(
            string.Join(' ', words.Take(4)), "MMM d HH:mm:ss yyyy", CultureInfo.InvariantCulture,
                DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal,
            out var expiry)
            ? expiry
            : null;
    }

    private static async Task<(string? Version, string? Cipher, DateTime? Expiry)> PostgreSqlAsync(Patient patient, CancellationToken cancellationToken)
    {
        var status = await patient.PairsAsync("SELECT version, cipher FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl", cancellationToken);
        if (status.Count == 0)
            return (null, null, null);
        var (version, cipher) = status.First();
        var options = patient.Target.PostgreSql;
        return (version, cipher, options.SslNegotiation == SslNegotiation.Postgres ? await ExpiryAsync(patient.PostgreSql, cancellationToken) : null);
    }

    // PostgreSQL does not tell its certificate in SQL. So a second connection makes the handshake of TLS and ends before a login: it sends no secret, and
    // whether the certificate is trusted is decided by the driver's own connection.
    private static async Task<DateTime?> ExpiryAsync(PgConnection connection, CancellationToken cancellationToken)
    {
        try
        {
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            limit.CancelAfter(TimeSpan.FromSeconds(5));
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
            await socket.ConnectAsync(connection.Host, connection.Port, limit.Token);
            await using var stream = new NetworkStream(socket);
            await stream.WriteAsync(SslRequest, limit.Token);
            var answer = new byte[1];
            if (await stream.ReadAsync(answer, limit.Token) != 1 || answer[0] != (byte)'S')
                return null;
            X509Certificate2? certificate = null;
            await using var tls = new SslStream(stream, leaveInnerStreamOpen: true, (_, received, _, _) =>
            {
                certificate = received is null ? null : new X509Certificate2(received);
                return true;
            });
            await tls.AuthenticateAsClientAsync(new SslClientAuthenticationOptions { TargetHost = connection.Host }, limit.Token);
            using (certificate)
                return certificate?.NotAfter.ToUniversalTime();
        }
        catch (Exception exception) when (exception is SocketException or IOException or System.Security.Authentication.AuthenticationException
            or OperationCanceledException)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return null;
        }
    }
}
