using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Slipstream.Lab;

/// <summary>
/// A key distribution centre (KDC) of MIT Kerberos with a database of its own, on a port of this machine. Its programs are unpacked below the lab's folder, not
/// installed. It ends when this object is disposed or this process ends.
/// </summary>
public sealed class LabKdc : IAsyncDisposable
{
    /// <summary>The realm.</summary>
    public const string Realm = "LAB.SLIPSTREAM";

    private const int PollMilliseconds = 20;

    private readonly LabFolder _lab;
    private readonly FileLock _lock;
    private readonly Dictionary<string, string> _environment;
    private Process? _process;

    private LabKdc(LabFolder lab, FileLock only)
    {
        (_lab, _lock) = (lab, only);
        _environment = new()
        {
            ["KRB5_CONFIG"] = ConfigFile,
            ["KRB5_KDC_PROFILE"] = Path.Combine(Folder, "kdc.conf"),
            ["LD_LIBRARY_PATH"] = Directory.GetDirectories(Path.Combine(Packages, "usr", "lib"), "*-linux-gnu*").Single(),
        };
    }

    /// <summary>Gets the path of the krb5.conf for its clients and services.</summary>
    public string ConfigFile => Path.Combine(Folder, "krb5.conf");

    /// <summary>Gets its log with one line per request.</summary>
    public string Log => File.ReadAllText(Path.Combine(Folder, "kdc.log"));

    private string Folder => _lab["kdc"];

    private string Packages => PackagesOf(_lab);

    private static string PackagesOf(LabFolder lab) => lab["packages", "kerberos"];

    /// <summary>Starts it, after unpacking its programs if necessary. Only one runs at a time.</summary>
    /// <exception cref="LabUnavailableException">Kerberos is unavailable on this machine.</exception>
    public static async Task<LabKdc> StartAsync(CancellationToken ct = default)
    {
        var lab = LabFolder.Open();
        var only = await FileLock.ExclusiveAsync(lab["kdc.lock"], ct);
        try
        {
            // The runtime loads the machine's own library, and so does MariaDB's plug-in.
            Debian.Install(ServerKind.MariaDb, static () => NativeLibrary.TryLoad("libgssapi_krb5.so.2", out _), ["libgssapi-krb5-2"], ct);
            Unpack(lab, ct);
            var kdc = new LabKdc(lab, only);
            kdc.Start();
            return kdc;
        }
        catch
        {
            only.Dispose();
            throw;
        }
    }

    /// <summary>Creates a principal with a random key, and a keytab file with that key.</summary>
    /// <returns>The path of the file.</returns>
    public string CreateKeytab(string principal)
    {
        var keytab = Path.Combine(Folder, principal.Replace('/', '-') + ".keytab");
        Administer($"addprinc -randkey {principal}");
        Administer($"ktadd -k {keytab} {principal}");
        ServerUser.Own(keytab);
        return keytab;
    }

    /// <summary>Copies MariaDB's plug-in from the machine's own Debian release to the plug-ins of the lab's MariaDB.</summary>
    /// <returns>The name of the plug-in for the server.</returns>
    public string InstallMariaDbPlugin()
    {
        const string Plugin = "auth_gssapi.so";
        string[] folder = ["usr", "lib", "mysql", "plugin", Plugin];
        File.Copy(Path.Combine([Packages, .. folder]), _lab[["packages", "mariadb-server", .. folder]], overwrite: true);
        return Plugin;
    }

    /// <summary>Stops the KDC and deletes its folder.</summary>
    public ValueTask DisposeAsync()
    {
        if (_process is not null)
        {
            // The end of its input stops the watching shell.
            _process.StandardInput.Close();
            _process.WaitForExit();
            _process.Dispose();
        }

        Directory.Delete(Folder, recursive: true);
        _lock.Dispose();
        return default;
    }

    private void Start()
    {
        Debian.Recreate(Folder);
        var port = FreePort.Choose();
        File.WriteAllText(ConfigFile,
            $$"""
             [libdefaults]
              default_realm = {{Realm}}
              dns_lookup_kdc = false
              dns_lookup_realm = false
              dns_canonicalize_hostname = false
              rdns = false
              udp_preference_limit = 1
             [realms]
              {{Realm}} = {
               kdc = 127.0.0.1:{{port.ToString(CultureInfo.InvariantCulture)}}
              }
             [dbmodules]
              db_module_dir = {{_environment["LD_LIBRARY_PATH"]}}/krb5/plugins/kdb

             """);
        File.WriteAllText(_environment["KRB5_KDC_PROFILE"],
            $$"""
             [kdcdefaults]
              kdc_listen = ""
              kdc_tcp_listen = 127.0.0.1:{{port.ToString(CultureInfo.InvariantCulture)}}
             [realms]
              {{Realm}} = {
               database_name = {{Folder}}/principal
               key_stash_file = {{Folder}}/stash
              }
             [logging]
              kdc = FILE:{{Folder}}/kdc.log

             """);
        Run("kdb5_util", "-r", Realm, "create", "-s", "-P", "nobody's");
        ServerUser.Own(Folder);
        // The watching shell reads nothing: its input ends when this process ends in any way.
        string[] command = [.. ServerUser.Prefix("KILL"), Program("krb5kdc"), "-n"];
        var start = new ProcessStartInfo("sh", ["-c", "\"$@\" <&- & kdc=$!; cat > /dev/null; kill $kdc; wait $kdc", "sh", .. command])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = "/",
        };
        foreach (var (name, value) in _environment)
            start.Environment[name] = value;
        _process = Process.Start(start)!;
        while (FreePort.IsFree(port))
        {
            if (_process.WaitForExit(PollMilliseconds))
                throw new InvalidOperationException($"krb5kdc did not start: {_process.StandardError.ReadToEnd()}");
        }
    }

    private void Administer(string words) => Run("kadmin.local", "-r", Realm, "-q", words);

    private void Run(string program, params string[] arguments)
    {
        var result = Shell.Run(Program(program), arguments, environment: _environment);
        if (result.ExitCode != 0)
            throw new InvalidOperationException($"{program} ended with {result.ExitCode}:\n{result.Tail(25)}");
    }

    private string Program(string name) => Path.Combine(Packages, "usr", "sbin", name);

    // Unpacks those packages and dependencies that are missing on the machine; the named ones in any case. Nothing is installed, so no service is started.
    private static void Unpack(LabFolder lab, CancellationToken ct)
    {
        var target = PackagesOf(lab);
        if (Directory.Exists(target))
            return;
        string[] packages = ["krb5-kdc", "krb5-admin-server", "libverto-libev1"];
        LabServer.ReportProgress($"unpacking {string.Join(' ', packages)} (about 1 MB)");
        var partial = target + ".partial";
        Debian.Recreate(partial);
        var archives = Path.Combine(partial, "archives");
        Directory.CreateDirectory(Path.Combine(archives, "partial"));
        string[] download =
        [
            "install", "-y", "--no-install-recommends", "--download-only", "--reinstall", "-o", "Dir::Cache::archives=" + archives, "-o",
            "Debug::NoLocking=true",
            "-o", "APT::Sandbox::User=", .. packages,
        ];
        var result = Shell.Run("apt-get", download, ct: ct);
        if (result.ExitCode != 0 && Environment.IsPrivilegedProcess)
        {
            Shell.Run("apt-get", ["update"], ct: ct);
            result = Shell.Run("apt-get", download, ct: ct);
        }

        if (result.ExitCode != 0)
            throw new LabUnavailableException(
                $"Kerberos' packages cannot be downloaded:\n{result.Tail()}", "check the network and apt's sources (sudo apt-get update), then try again");
        Debian.Download("mariadb-plugin-gssapi-server", archives, ct);
        foreach (var file in Directory.GetFiles(archives, "*.deb"))
            Shell.Must("dpkg-deb", ["-x", file, partial], ct: ct);
        Directory.Delete(archives, recursive: true);
        Directory.Move(partial, target);
    }
}
