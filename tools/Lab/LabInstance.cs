using System.Diagnostics;
using System.Globalization;
using System.Security.Cryptography;

namespace Slipstream.Lab;

/// <summary>One server's folder and processes. All that it knows lies in files, because several programs share it.</summary>
/// <remarks>
/// <c>users.lock</c> is held shared by each user, <c>start.lock</c> exclusively by whoever looks whether the server runs and starts it,
/// <c>processes</c> holds the numbers of the watcher and the server, <c>server.url</c> how to reach it, <c>keeper</c> the process that <c>lab up</c> leaves as a user.
/// </remarks>
internal sealed class LabInstance
{
    private static readonly TimeSpan StartLimit = TimeSpan.FromMinutes(2);

    private readonly LabFolder _lab;
    private readonly ServerRecipe _recipe;
    private readonly string _folder;
    private readonly bool _isPrivate;

    public LabInstance(LabFolder lab, ServerKind kind, string folder, bool isPrivate)
    {
        _lab = lab;
        _recipe = ServerRecipe.Of(kind);
        _folder = folder;
        _isPrivate = isPrivate;
        Directory.CreateDirectory(_folder);
    }

    /// <summary>The server that everybody shares.</summary>
    public static LabInstance Shared(LabFolder lab, ServerKind kind) => new(lab, kind, lab[kind.Word()], isPrivate: false);

    public ServerKind Kind => _recipe.Kind;

    public RunningProcess Server => ReadProcesses().Server;

    public RunningProcess Watcher => ReadProcesses().Watcher;

    public bool IsRunning => Watcher.IsAlive && Server.IsAlive && File.Exists(UrlFile);

    public RunningProcess Keeper => File.Exists(KeeperFile) ? RunningProcess.Parse(File.ReadAllText(KeeperFile)) : default;

    public string LogFile => Path.Combine(_folder, "server.log");

    private string UsersLock => Path.Combine(_folder, "users.lock");
    private string UrlFile => Path.Combine(_folder, "server.url");
    private string KeeperFile => Path.Combine(_folder, "keeper");

    /// <summary>How to reach the running server.</summary>
    public ServerSettings ReadSettings() => ServerSettings.Parse(Kind, File.ReadAllText(UrlFile).Trim());

    /// <summary>Becomes a user. While the last users' server is being stopped, this waits for the end of that.</summary>
    public Task<FileLock> JoinAsync(CancellationToken ct) => FileLock.SharedAsync(UsersLock, ct);

    /// <summary>The programs that use the server now, as far as this user may see them; neither the watcher nor the keeper.</summary>
    public IReadOnlyList<(int Id, string Name)> Users()
    {
        var users = new List<(int, string)>();
        var (watcher, keeper) = (Watcher.Id, Keeper.Id);
        foreach (var id in RunningProcess.HoldersOf(UsersLock))
        {
            if (id != Environment.ProcessId && id != watcher && id != keeper && RunningProcess.ParentOf(id) != watcher)
                users.Add((id, RunningProcess.NameOf(id)));
        }

        return users;
    }

    /// <summary>Starts the server unless it runs. The caller is a user already.</summary>
    public async Task<ServerSettings> StartAsync(IReadOnlyList<string> extraArguments, CancellationToken ct)
    {
        using var starting = await FileLock.ExclusiveAsync(Path.Combine(_folder, "start.lock"), ct);
        if (IsRunning)
            return ReadSettings();

        // A server without its watcher would never end; a watcher without its server has nothing to do.
        await EndAsync(Server);
        await EndAsync(Watcher);

        using (await FileLock.ExclusiveAsync(_lab["install.lock"], ct))
            _recipe.Install(_lab, ct);
        var certificates = await SharedCertificatesAsync(_lab, ct);
        var secret = await SharedSecretAsync(_lab, ct);

        var preferred = File.Exists(UrlFile) ? ReadSettings().Port : 0;
        for (var attempt = 1; ; attempt++)
        {
            var port = FreePort.Choose(preferred);
            var plan = new ServerPlan(_lab, certificates, _folder, LabFolder.SocketFolder(Path.Combine(_folder, "run"), _recipe.SocketFile(port)), port, secret, extraArguments);
            LayOut(plan, ct);
            var version = await LaunchAsync(plan, ct);
            if (version is not null)
            {
                var settings = Describe(plan, version);
                WriteWhole(UrlFile, settings.ToUrl());
                return settings;
            }

            await EndAsync(Server);
            await EndAsync(Watcher);
            // Somebody else may have taken the port between the choice and the start.
            if (attempt == 3 || FreePort.IsFree(port))
            {
                var lines = File.Exists(LogFile) ? File.ReadLines(LogFile).TakeLast(15) : [];
                throw new LabUnavailableException($"{Kind.DisplayName()} did not start. The end of {LogFile}:\n{string.Join('\n', lines)}\n",
                    $"remove {_folder} to begin afresh, and see the log");
            }

            preferred = 0;
        }
    }

    /// <summary>Leaves a process behind that is a user, so that the server stays up.</summary>
    public void Keep()
    {
        if (Keeper.IsAlive)
            return;
        // Its line says that it holds the lock; until then this program has to.
        var start = new ProcessStartInfo("setsid",
            ["sh", "-c", "exec 9<\"$1\" </dev/null 2>/dev/null; flock -s 9; echo held; exec sleep infinity >/dev/null", "sh", UsersLock])
        {
            WorkingDirectory = "/",
            RedirectStandardOutput = true,
        };
        using var process = Process.Start(start)!;
        if (process.StandardOutput.ReadLine() != "held")
            throw new InvalidOperationException($"the program that keeps {Kind.DisplayName()} up could not be started (setsid, flock and sleep are needed)");
        WriteWhole(KeeperFile, RunningProcess.Of(process.Id).ToString());
    }

    /// <summary>Takes back <see cref="Keep"/>.</summary>
    public void Release()
    {
        Keeper.Signal(Signal.Terminate);
        File.Delete(KeeperFile);
    }

    /// <summary>Waits until neither server nor watcher is left.</summary>
    public async Task<bool> WaitForEndAsync(TimeSpan limit, CancellationToken ct = default)
    {
        for (var waited = Stopwatch.StartNew(); waited.Elapsed < limit; await Task.Delay(20, ct))
        {
            if (!Watcher.IsAlive && !Server.IsAlive)
                return true;
        }

        return false;
    }

    /// <summary>Ends the server in order, whoever uses it.</summary>
    public async Task StopAsync()
    {
        Server.SignalTree(Signal.Continue);
        Server.Signal(_recipe.StopSignal == "INT" ? Signal.Interrupt : Signal.Terminate);
        if (!await WaitForEndAsync(TimeSpan.FromSeconds(30)))
            await KillAsync();
    }

    public async Task KillAsync()
    {
        Server.SignalTree(Signal.Kill);
        await WaitForEndAsync(TimeSpan.FromSeconds(10));
    }

    /// <summary>What the server will show when it reads its files again.</summary>
    public void ReplaceCertificate(string certificatePem, string keyPem, string authoritiesPem)
    {
        var folder = Path.Combine(_folder, "tls");
        WriteWhole(Path.Combine(folder, "ca.pem"), authoritiesPem);
        WriteWhole(Path.Combine(folder, "server.pem"), certificatePem);
        WriteWhole(Path.Combine(folder, "server.key"), keyPem);
        File.SetUnixFileMode(Path.Combine(folder, "server.key"), UnixFileMode.UserRead | UnixFileMode.UserWrite);
        ServerUser.Own(folder);
    }

    /// <summary>Deletes a private server's folder, once nothing of it runs.</summary>
    public void Remove()
    {
        if (!_isPrivate)
            throw new InvalidOperationException("Only private servers are thrown away.");
        RemoveFolder(_folder);
    }

    /// <summary>Deletes what private servers left whose watchers were killed too.</summary>
    public static void RemoveAbandoned(string privateFolder)
    {
        foreach (var folder in Directory.GetDirectories(privateFolder))
        {
            using var alone = FileLock.TryExclusive(Path.Combine(folder, "users.lock"));
            if (alone is not null)
                RemoveFolder(folder);
        }
    }

    private static void RemoveFolder(string folder)
    {
        try
        {
            Directory.Delete(folder, recursive: true);
            if (Directory.Exists(LabFolder.ShortSocketFolder(Path.Combine(folder, "run"))))
                Directory.Delete(LabFolder.ShortSocketFolder(Path.Combine(folder, "run")), recursive: true);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The watcher deletes it at the same time, or it is another user's.
        }
    }

    /// <summary>The certificates that all the lab's servers use.</summary>
    public static async Task<LabCertificates> SharedCertificatesAsync(LabFolder lab, CancellationToken ct)
    {
        using var _ = await FileLock.ExclusiveAsync(lab["install.lock"], ct);
        return LabCertificates.OpenOrCreate(lab["tls"]);
    }

    private static async Task<string> SharedSecretAsync(LabFolder lab, CancellationToken ct)
    {
        using var _ = await FileLock.ExclusiveAsync(lab["install.lock"], ct);
        var file = lab["secret"];
        if (!File.Exists(file))
            WriteWhole(file, "cAnArY" + Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(6)));
        return File.ReadAllText(file).Trim();
    }

    /// <summary>Makes what the server needs before it starts: sockets' folder, keys, and the data folder when it is missing or of another recipe.</summary>
    private void LayOut(ServerPlan plan, CancellationToken ct)
    {
        Debian.Recreate(plan.TlsFolder);
        File.Copy(plan.Certificates.CaFile, Path.Combine(plan.TlsFolder, "ca.pem"));
        File.Copy(plan.Certificates.ServerCertificate, Path.Combine(plan.TlsFolder, "server.pem"));
        File.Copy(plan.Certificates.ServerKey, Path.Combine(plan.TlsFolder, "server.key"));
        File.SetUnixFileMode(Path.Combine(plan.TlsFolder, "server.key"), UnixFileMode.UserRead | UnixFileMode.UserWrite);
        ServerUser.Own(plan.TlsFolder);
        // The servers' user makes the sockets, so their folder is its own; the one around it belongs to whoever set the lab up.
        Debian.Recreate(plan.SocketFolder);
        ServerUser.Own(plan.SocketFolder);
        Debian.Recreate(plan.TemporaryFolder);
        ServerUser.Own(plan.TemporaryFolder);

        var recipeFile = Path.Combine(_folder, "recipe");
        var recipe = Convert.ToHexString(SHA256.HashData(System.Text.Encoding.UTF8.GetBytes(_recipe.Fingerprint(plan))));
        if (File.Exists(recipeFile) && File.ReadAllText(recipeFile) == recipe)
            return;
        LabServer.Say($"making the data folder of {Kind.DisplayName()}");
        File.Delete(recipeFile);
        Debian.Recreate(plan.DataFolder);
        File.SetUnixFileMode(plan.DataFolder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        ServerUser.Own(plan.DataFolder);
        _recipe.Initialise(plan, ct);
        WriteWhole(recipeFile, recipe);
    }

    /// <summary>Starts watcher and server; the version once it answers, null when it ended instead.</summary>
    private async Task<string?> LaunchAsync(ServerPlan plan, CancellationToken ct)
    {
        LabServer.Say($"starting {Kind.DisplayName()} on port {plan.Port.ToString(CultureInfo.InvariantCulture)}");
        var script = Path.Combine(_folder, "watch.sh");
        using (var source = typeof(LabInstance).Assembly.GetManifestResourceStream("watch.sh")!)
        using (var reader = new StreamReader(source))
            WriteWhole(script, await reader.ReadToEndAsync(ct));
        File.Delete(Path.Combine(_folder, "processes"));
        File.Delete(LogFile);
        string[] arguments =
        [
            "bash", script, _folder, plan.SocketFolder, _recipe.StopSignal, _isPrivate ? "remove" : "keep",
            .. ServerUser.Prefix(_recipe.StopSignal), .. _recipe.Command(plan),
        ];
        // A session of its own: Ctrl-C in the terminal goes to the programs that use the server, and it follows when they are gone.
        var start = new ProcessStartInfo("setsid", arguments) { WorkingDirectory = "/" };
        foreach (var (name, value) in _recipe.Variables)
            start.Environment[name] = value;
        using var process = Process.Start(start)!;
        for (var waited = Stopwatch.StartNew(); waited.Elapsed < StartLimit; await Task.Delay(20, ct))
        {
            if (Server is { IsAlive: true, Id: var id } && _recipe.Probe(plan, id) is { Length: > 0 } version)
                return version;
            if (process.HasExited)
                return null;
        }

        return null;
    }

    private ServerSettings Describe(ServerPlan plan, string version)
    {
        var publicKey = Path.Combine(plan.DataFolder, "public_key.pem");
        var publicKeyCopy = Path.Combine(_folder, "public_key.pem");
        var hasPublicKey = File.Exists(publicKey);
        if (hasPublicKey)
            WriteWhole(publicKeyCopy, File.ReadAllText(publicKey));
        return new ServerSettings(Kind, "127.0.0.1", plan.Port, ServerPlan.MainUser, plan.MainPassword, ServerPlan.Database)
        {
            Version = version,
            UnixSocket = Path.Combine(plan.SocketFolder, _recipe.SocketFile(plan.Port)),
            CaFile = plan.Certificates.CaFile,
            OtherCaFile = plan.Certificates.OtherCaFile,
            ClientCertificatePem = plan.Certificates.ClientCertificate,
            ClientKeyPem = plan.Certificates.ClientKey,
            ClientPfx = plan.Certificates.ClientPfx,
            ClientPfxPassword = LabCertificates.PfxPassword,
            ServerPublicKeyFile = hasPublicKey ? publicKeyCopy : "",
            Users = _recipe.Users(plan),
        };
    }

    private (RunningProcess Watcher, RunningProcess Server) ReadProcesses()
    {
        try
        {
            var lines = File.ReadAllLines(Path.Combine(_folder, "processes"));
            return (RunningProcess.Parse(lines[0]), RunningProcess.Parse(lines[1]));
        }
        catch (IOException)
        {
            return default;
        }
    }

    private static async Task EndAsync(RunningProcess process)
    {
        process.SignalTree(Signal.Kill);
        for (var waited = Stopwatch.StartNew(); process.IsAlive && waited.Elapsed < TimeSpan.FromSeconds(10);)
            await Task.Delay(20);
    }

    // Others read the file at any time, so it appears whole or not at all.
    private static void WriteWhole(string path, string text)
    {
        var partial = path + ".new";
        File.WriteAllText(partial, text);
        File.Move(partial, path, overwrite: true);
    }
}
