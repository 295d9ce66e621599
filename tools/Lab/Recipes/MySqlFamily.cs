using System.Buffers.Binary;
using System.Globalization;
using System.Net.Sockets;
using System.Text;

namespace Slipstream.Lab;

/// <summary>The common part of MySQL and MariaDB: options, users in SQL, the greeting.</summary>
internal abstract class MySqlFamily : ServerRecipe
{
    public override string StopSignal => "TERM";

    public override string SocketFile(int port) => Kind.Word() + ".sock";

    public override string Fingerprint(ServerPlan plan) => SetupSql(plan);

    /// <summary>Gets the method of users that do not exist to test a method.</summary>
    protected abstract string DefaultMethod { get; }

    /// <summary>Returns the clause of CREATE USER with the method and the password.</summary>
    protected abstract string Identified(LabUser user);

    /// <summary>Returns the command that fills the data folder.</summary>
    protected virtual IReadOnlyList<string> SetUpCommand(ServerPlan plan) => Command(plan);

    /// <summary>Returns whether a user can be created together with the data folder.</summary>
    protected virtual bool IsMadeAtSetUp(LabUser user) => true;

    protected abstract IEnumerable<LabUser> UsersByMethod(ServerPlan plan);

    public override IReadOnlyList<LabUser> Users(ServerPlan plan) =>
    [
        .. UsersByMethod(plan),
        new("lab_ssl", plan.PasswordFor("ssl"), DefaultMethod, "ssl"),
        new("lab_x509", plan.PasswordFor("x509"), DefaultMethod, "x509"),
        new("lab_empty", "", DefaultMethod, "empty password"),
        new("lab_special", "pä ß;\"'=\\%{}" + plan.Secret, DefaultMethod, "special characters"),
        new("lab_expired", plan.PasswordFor("expired"), DefaultMethod, "password expired"),
        new("lab_locked", plan.PasswordFor("locked"), DefaultMethod, "account locked"),
        new("lab_limited", plan.PasswordFor("limited"), DefaultMethod, "one connection at a time"),
    ];

    /// <summary>Returns the options that both servers have.</summary>
    protected IEnumerable<string> SharedOptions(ServerPlan plan) =>
    [
        "--port=" + plan.Port.ToString(CultureInfo.InvariantCulture),
        "--bind-address=" + (FreePort.HasIPv6Loopback ? "127.0.0.1,::1" : "127.0.0.1"),
        "--socket=" + Path.Combine(plan.SocketFolder, SocketFile(plan.Port)),
        // Not /tmp: a starting server deletes temporary tables in its folder, even those of another server, and MariaDB then fails because of its own.
        "--tmpdir=" + plan.TemporaryFolder,
        "--pid-file=" + Path.Combine(plan.DataFolder, "server.pid"),
        "--ssl-ca=" + Path.Combine(plan.TlsFolder, "ca.pem"),
        "--ssl-cert=" + Path.Combine(plan.TlsFolder, "server.pem"),
        "--ssl-key=" + Path.Combine(plan.TlsFolder, "server.key"),
        "--local-infile=1",
        "--secure-file-priv=",
        "--max-allowed-packet=1G",
        "--max-connections=600",
        "--skip-log-bin",
        // A name service must not affect how fast a connection opens, and tests with wrong passwords must not block the lab's own address.
        "--skip-name-resolve",
        "--max-connect-errors=1000000000",
        // Trades safety at a power failure, which throwaway data does not need, for speed.
        "--innodb-flush-log-at-trx-commit=2",
        "--innodb-doublewrite=0",
        "--innodb-buffer-pool-size=512M",
    ];

    protected string SetupSql(ServerPlan plan)
    {
        var sql = new StringBuilder();
        void Line(string text) => sql.Append(text).Append(";\n");

        Line("SET NAMES utf8mb4");
        Line($"CREATE DATABASE {ServerPlan.Database} CHARACTER SET utf8mb4");
        Line($"CREATE USER {ServerPlan.MainUser}@'%' {Identified(new LabUser(ServerPlan.MainUser, plan.MainPassword, DefaultMethod, ""))}");
        Line($"GRANT ALL ON *.* TO {ServerPlan.MainUser}@'%' WITH GRANT OPTION");
        foreach (var user in Users(plan).Where(IsMadeAtSetUp))
        {
            var host = user.Notes.Contains("socket", StringComparison.Ordinal) ? "'localhost'" : "'%'";
            var demand = user.Name switch
            {
                "lab_ssl" => " REQUIRE SSL",
                "lab_x509" => " REQUIRE X509",
                "lab_limited" => " WITH MAX_USER_CONNECTIONS 1",
                "lab_expired" => " PASSWORD EXPIRE",
                "lab_locked" => " ACCOUNT LOCK",
                _ => "",
            };
            Line($"CREATE USER IF NOT EXISTS {Quote(user.Name)}@{host} {Identified(user)}{demand}");
            Line($"GRANT ALL ON {ServerPlan.Database}.* TO {Quote(user.Name)}@{host}");
        }

        return sql.ToString();
    }

    protected static string Quote(string text) =>
        "'" + text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("'", "''", StringComparison.Ordinal) + "'";

    /// <summary>Reads the greeting: a server that sends it accepts connections.</summary>
    public override string? Probe(ServerPlan plan, int process)
    {
        try
        {
            using var client = new TcpClient();
            client.ReceiveTimeout = 2000;
            client.Connect("127.0.0.1", plan.Port);
            var stream = client.GetStream();
            Span<byte> head = stackalloc byte[5];
            stream.ReadExactly(head);
            var length = (BinaryPrimitives.ReadInt32LittleEndian(head) & 0xFF_FFFF) - 1;
            if (head[4] != 10 || length is < 1 or > 1024)
                return null;
            var payload = new byte[length];
            stream.ReadExactly(payload);
            var version = Encoding.UTF8.GetString(payload, 0, Math.Max(0, Array.IndexOf(payload, (byte)0)));
            // MariaDB 10 prepends 5.5.5-, for replicas that read only one digit.
            return version.StartsWith("5.5.5-", StringComparison.Ordinal) ? version[6..] : version;
        }
        catch (Exception e) when (e is SocketException or IOException)
        {
            return null;
        }
    }
}
