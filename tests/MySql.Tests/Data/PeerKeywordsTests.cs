using Slipstream.MySql.Options;

namespace Slipstream.MySql.Tests.Data;

/// <summary>Every keyword of MySqlConnector 2.6 or MySql.Data 9: accepted, or refused with a sentence that contains a remedy.</summary>
public sealed class PeerKeywordsTests
{
    private const string OfMySqlConnector = """
        Server|Host|Data Source|DataSource|Address|Addr|Network Address|Port|User ID|UserID|Username|Uid|User name|User|Password|pwd|Database|Initial Catalog|Load Balance|LoadBalance
        Connection Protocol|ConnectionProtocol|Protocol|Pipe Name|PipeName|Pipe|SSL Mode|SslMode|Certificate File|CertificateFile|Certificate Password|CertificatePassword
        Certificate Store Location|CertificateStoreLocation|Certificate Thumbprint|CertificateThumbprint|Certificate Thumb Print|SSL Cert|SslCert|Ssl-Cert|SSL Key|SslKey|Ssl-Key
        SSL CA|CACertificateFile|CA Certificate File|SslCa|Ssl-Ca|Skip Certificate Revocation Check|SkipCertificateRevocationCheck|TLS Version|TlsVersion|Tls-Version
        TLS Cipher Suites|TlsCipherSuites|Pooling|Connection Lifetime|ConnectionLifeTime|Connection Reset|ConnectionReset|Defer Connection Reset|DeferConnectionReset
        Connection Idle Ping Time|ConnectionIdlePingTime|Connection Idle Timeout|ConnectionIdleTimeout|Minimum Pool Size|Min Pool Size|MinimumPoolSize|minpoolsize
        Maximum Pool Size|Max Pool Size|MaximumPoolSize|maxpoolsize|DNS Check Interval|DnsCheckInterval|Allow Load Local Infile|AllowLoadLocalInfile
        Allow Public Key Retrieval|AllowPublicKeyRetrieval|Allow User Variables|AllowUserVariables|Allow Zero DateTime|AllowZeroDateTime|Application Name|ApplicationName
        Auto Enlist|AutoEnlist|Cancellation Timeout|CancellationTimeout|Character Set|CharSet|CharacterSet|Connection Timeout|ConnectionTimeout|Connect Timeout
        Convert Zero DateTime|ConvertZeroDateTime|DateTime Kind|DateTimeKind|Default Command Timeout|DefaultCommandTimeout|Command Timeout|Force Synchronous|ForceSynchronous
        GUID Format|GuidFormat|Ignore Command Transaction|IgnoreCommandTransaction|Ignore Prepare|IgnorePrepare|Interactive Session|InteractiveSession|Interactive
        Keep Alive|Keepalive|No Backslash Escapes|NoBackslashEscapes|Old Guids|OldGuids|Persist Security Info|PersistSecurityInfo|Pipelining
        Server Redirection Mode|ServerRedirectionMode|Server RSA Public Key File|ServerRsaPublicKeyFile|Server SPN|ServerSPN|Treat Tiny As Boolean|TreatTinyAsBoolean
        Use Affected Rows|UseAffectedRows|Use Compression|Compress|UseCompression|Use XA Transactions|UseXaTransactions
        """;

    private const string OfMySqlData = """
        server|host|data source|datasource|address|addr|network address|database|initial catalog|protocol|connection protocol|connectionprotocol|port|pipe|pipe name|pipename
        compress|use compression|usecompression|allowbatch|allow batch|logging|sharedmemoryname|shared memory name|defaultauthenticationplugin|default authentication plugin
        userid|user id|uid|username|user name|user|password|pwd|password1|pwd1|password2|pwd2|password3|pwd3|persistsecurityinfo|persist security info
        certificatefile|certificate file|certificatepassword|certificate password|certificatestorelocation|certificate store location|certificatethumbprint|certificate thumb print
        integratedsecurity|integrated security|allowpublickeyretrieval|sslmode|ssl mode|ssl-mode|sslca|ssl-ca|sslcert|ssl-cert|sslkey|ssl-key|ssl-crl|sslcrl|tlsversion|tls-version|tls version
        kerberosauthmode|kerberos auth mode|ociconfigfile|ociconfigprofile|openididentitytoken|allowzerodatetime|allow zero datetime|convertzerodatetime|convert zero datetime
        useusageadvisor|use usage advisor|usage advisor|procedurecachesize|procedure cache size|procedure cache|procedurecache|useperformancemonitor|use performance monitor|useperfmon|perfmon
        ignoreprepare|ignore prepare|useprocedurebodies|procedure bodies|use procedure bodies|autoenlist|auto enlist|respectbinaryflags|respect binary flags|treattinyasboolean|treat tiny as boolean
        allowuservariables|allow user variables|interactivesession|interactive session|interactive|functionsreturnstring|functions return string|useaffectedrows|use affected rows
        oldguids|old guids|keepalive|keep alive|sqlservermode|sql server mode|tablecaching|table cache|tablecache|defaulttablecacheage|default table cache age|checkparameters|check parameters
        replication|exceptioninterceptors|exception interceptors|commandinterceptors|command interceptors|connectionlifetime|connection lifetime|pooling
        minpoolsize|min pool size|minimumpoolsize|minimum pool size|maxpoolsize|max pool size|maximumpoolsize|maximum pool size|connectionreset|connection reset
        cacheserverproperties|cache server properties|characterset|character set|charset|treatblobsasutf8|treat blobs as utf8|blobasutf8includepattern|blobasutf8excludepattern
        defaultcommandtimeout|default command timeout|command timeout|connectiontimeout|connection timeout|connect timeout|usedefaultcommandtimeoutforef|use default command timeout for ef
        allowloadlocalinfile|allow load local infile|allowloadlocalinfileinpath|dns-srv|dnssrv|includesecurityasserts|include security asserts
        sshhostname|sshport|sshusername|sshpassword|sshkeyfile|sshpassphrase
        """;

    public static TheoryData<string> Keywords =>
        [.. (OfMySqlConnector + "\n" + OfMySqlData).Split(['|', '\n'], StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries).Distinct()];

    [Theory, MemberData(nameof(Keywords))]
    public void A_keyword_of_a_peer_is_accepted_at_its_default_and_at_every_other_value_used_or_refused_with_advice(string keyword)
    {
        var option = MySqlOptions.Table.Find(keyword);
        var builder = new MySqlConnectionStringBuilder($"Server=localhost;User ID=u;{keyword}={Quoted(option.DefaultText)}");
        Assert.NotNull(new MySqlSettings(builder));
        foreach (var value in Values(option.DefaultText, option.Allowed))
        {
            builder = new MySqlConnectionStringBuilder($"{keyword}={Quoted(value)}");
            if (!option.Allowed.StartsWith("one of ", StringComparison.Ordinal))
                Assert.Equal(value, Convert.ToString(builder[keyword], System.Globalization.CultureInfo.InvariantCulture), ignoreCase: true);
            try
            {
                Assert.NotNull(new MySqlSettings(builder));
            }
            catch (NotSupportedException refusal)
            {
                // "Option=value: what is missing here: what to do instead."
                Assert.StartsWith(option.Name, refusal.Message, StringComparison.Ordinal);
                Assert.EndsWith(".", refusal.Message, StringComparison.Ordinal);
                Assert.True(refusal.Message.Length > option.Name.Length + 30, refusal.Message);
            }
            catch (ArgumentException contradiction)
            {
                // Alone, it contradicts the default of another option: the message names both.
                Assert.Contains(option.Name, contradiction.Message, StringComparison.OrdinalIgnoreCase);
            }
        }
    }

    private static string Quoted(string value) => value.Length == 0 ? "''" : value;

    private static string[] Values(string defaultText, string allowed) => defaultText switch
    {
        "True" => ["False"],
        "False" => ["True"],
        _ when allowed.StartsWith("one of ", StringComparison.Ordinal) => allowed["one of ".Length..].Split(", "),
        _ when allowed.StartsWith("a whole number", StringComparison.Ordinal) => ["1", "2"],
        _ => ["something"],
    };
}
