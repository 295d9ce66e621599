using System.Diagnostics;
using System.Globalization;
using System.Security.Cryptography;

namespace Slipstream.Lab;

/// <summary>The folder and the processes of one server. All its state is in files, because several programs share it.</summary>
/// <remarks>
/// Each user holds <c>users.lock</c> shared. A program that checks and starts the server holds <c>start.lock</c> exclusively. <c>processes</c> contains the
/// process IDs of the watcher and the server, <c>server.url</c> the server's address. <c>keeper</c> names the process that <c>lab up</c> leaves as a user.
/// </remarks>
internal sealed class LabInstance
{
    private static readonly TimeSpan StartLimit = TimeSpan.FromMinutes(2);

    private readonly LabFolder _lab;
    private readonly ServerRecipe _recipe;
    private readonly string _folder;
    private readonly bool _isPrivate;

    public LabInstance(LabFolder lab, ServerRecipe recipe, string folder, bool isPrivate)
    {
        _lab = lab;
        _recipe = recipe;
        _folder = folder;
        _isPrivate = isPrivate;
        Directory.CreateDirectory(_folder);
    }

    /// <summary>Returns the server that all programs share.</summary>
    public static LabInstance Shared(LabFolder lab, ServerKind kind) => new(lab, ServerRecipe.Of(kind), lab[kind.Word()], isPrivate: false);

    public ServerKind Kind => _recipe.Kind;

    public RunningProcess Server => ReadProcesses().Server;

    public RunningProcess Watcher => ReadProcesses().Watcher;

    public bool IsRunning => Watcher.IsAlive && Server.IsAlive && File.Exists(UrlFile);

    public RunningProcess Keeper => File.Exists(KeeperFile) ? RunningProcess.Parse(File.ReadAllText(KeeperFile)) : default;

    public string DataFolder => Path.Combine(_folder, "data");

    public string LogFile => Path.Combine(_folder, "server.log");

    private string UsersLock => Path.Combine(_folder, "users.lock");
    private string UrlFile => Path.Combine(_folder, "server.url");
    private string RecipeFile => Path.Combine(_folder, "recipe");
    private string KeeperFile => Path.Combine(_folder, "keeper");

    /// <summary>Reads the address of the running server.</summary>
    public ServerSettings ReadSettings() => ServerSettings.Parse(Kind, File.ReadAllText(UrlFile).Trim());

    /// <summary>Becomes a user of the server. If the server is being stopped after its last user, this waits for its end.</summary>
    public Task<FileLock> JoinAsync(CancellationToken ct) => FileLock.SharedAsync(UsersLock, ct);

    /// <summary>Returns the programs that use the server now, if this user may see them. The watcher and the keeper are not included.</summary>
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

    /// <summary>Starts the server if it is not running. The caller must already be a user of it.</summary>
    public async Task<ServerSettings> StartAsync(IReadOnlyList<string> extraArguments, CancellationToken ct)
    {
        using var starting = await FileLock.ExclusiveAsync(Path.Combine(_folder, "start.lock"), ct);
        if (IsRunning)
            return ReadSettings();

        // A server without its watcher would never end, and a watcher without its server has no task.
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
            var plan = new ServerPlan(
                _lab, certificates, _folder, LabFolder.SocketFolder(Path.Combine(_folder, "run"), _recipe.SocketFile(port)), port, secret, extraArguments);
            LayOut(plan, ct);
            _recipe.Prepare(plan, ct);
            var version = await LaunchAsync(plan, ct);
            if (version is not null)
            {
                var settings = Describe(plan, version);
                WriteWhole(UrlFile, settings.ToUrl());
                return settings;
            }

            await EndAsync(Server);
            await EndAsync(Watcher);
            // Another program may have taken the port between the choice and the start.
            if (attempt == 3 || FreePort.IsFree(port))
            {
                var lines = File.Exists(LogFile) ? File.ReadLines(LogFile).TakeLast(15) : [];
                throw new LabUnavailableException($"{_recipe.Name} did not start. The end of {LogFile}:\n{string.Join('\n', lines)}\n",
                    $"remove {_folder} to begin afresh, and see the log");
            }

            preferred = 0;
        }
    }

    /// <summary>Leaves a process that is a user of the server, so that the server stays up.</summary>
    public void Keep()
    {
        if (Keeper.IsAlive)
            return;
        // Its line reports that it holds the lock; until then this program must hold it. It closes what the caller had open, as watch.sh does.
        const string Script =
            """
            for open in /proc/$$/fd/*; do open=${open##*/}; if [ "$open" -gt 2 ]; then eval "exec $open>&-"; fi; done
            exec 9<"$1" </dev/null 2>/dev/null
            flock -s 9
            echo held
            exec sleep infinity >/dev/null
            """;
        var start = new ProcessStartInfo("setsid", ["bash", "-c", Script, "bash", UsersLock])
        {
            WorkingDirectory = "/",
            RedirectStandardOutput = true,
        };
        using var process = Process.Start(start)!;
        if (process.StandardOutput.ReadLine() != "held")
            throw new InvalidOperationException($"the program that keeps {_recipe.Name} up could not be started (setsid, flock and sleep are needed)");
        WriteWhole(KeeperFile, RunningProcess.Of(process.Id).ToString());
    }

    /// <summary>Undoes <see cref="Keep"/>.</summary>
    public void Release()
    {
        Keeper.Signal(Signal.Terminate);
        File.Delete(KeeperFile);
    }

    /// <summary>Waits until neither the server nor the watcher is running.</summary>
    public async Task<bool> WaitForEndAsync(TimeSpan limit, CancellationToken ct = default)
    {
        for (var waited = Stopwatch.StartNew(); waited.Elapsed < limit; await Task.Delay(20, ct))
        {
            if (!Watcher.IsAlive && !Server.IsAlive)
                return true;
        }

        return false;
    }

    /// <summary>Shuts the server down, even if it has users.</summary>
    public async Task StopAsync()
    {
        Server.SignalTree(Signal.Continue);
        Server.Signal(_recipe.StopSignal switch { "INT" => Signal.Interrupt, "QUIT" => Signal.Quit, _ => Signal.Terminate });
        if (!await WaitForEndAsync(TimeSpan.FromSeconds(30)))
            await KillAsync();
    }

    public async Task KillAsync()
    {
        Server.SignalTree(Signal.Kill);
        await WaitForEndAsync(TimeSpan.FromSeconds(10));
    }

    /// <summary>Writes the certificate that the server uses after it has read its files again.</summary>
    public void ReplaceCertificate(string certificatePem, string keyPem, string authoritiesPem)
    {
        var folder = Path.Combine(_folder, "tls");
        WriteWhole(Path.Combine(folder, "ca.pem"), authoritiesPem);
        WriteWhole(Path.Combine(folder, "server.pem"), certificatePem);
        WriteWhole(Path.Combine(folder, "server.key"), keyPem);
        File.SetUnixFileMode(Path.Combine(folder, "server.key"), UnixFileMode.UserRead | UnixFileMode.UserWrite);
        ServerUser.Own(folder);
    }

    /// <summary>Makes the next start create the data folder again.</summary>
    public void DiscardData() => File.Delete(RecipeFile);

    /// <summary>Deletes a private server's folder after its processes have ended.</summary>
    public void Remove()
    {
        if (!_isPrivate)
            throw new InvalidOperationException("Only private servers are thrown away.");
        RemoveFolder(_folder);
    }

    /// <summary>Deletes the folders of private servers whose watchers were killed too.</summary>
    public static void RemoveAbandoned(string privateFolder)
    {
        foreach (var folder in Directory.GetDirectories(privateFolder))
        {
            try
            {
                using var alone = FileLock.TryExclusive(Path.Combine(folder, "users.lock"));
                if (alone is not null)
                    RemoveFolder(folder);
            }
            catch (Exception e) when (e is DirectoryNotFoundException or FileNotFoundException)
            {
                // Its watcher deleted it after it was listed.
            }
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
            // The watcher deletes it at the same time, or it belongs to another user.
        }
    }

    /// <summary>Returns the certificates that all servers of the lab use.</summary>
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

    /// <summary>Creates what the server needs before it starts: the socket folder, keys, and the data folder if it is missing or from another recipe.</summary>
    private void LayOut(ServerPlan plan, CancellationToken ct)
    {
        Debian.Recreate(plan.TlsFolder);
        File.Copy(plan.Certificates.CaFile, Path.Combine(plan.TlsFolder, "ca.pem"));
        File.Copy(plan.Certificates.ServerCertificate, Path.Combine(plan.TlsFolder, "server.pem"));
        File.Copy(plan.Certificates.ServerKey, Path.Combine(plan.TlsFolder, "server.key"));
        File.SetUnixFileMode(Path.Combine(plan.TlsFolder, "server.key"), UnixFileMode.UserRead | UnixFileMode.UserWrite);
        ServerUser.Own(plan.TlsFolder);
        // The servers' user creates the sockets, so it owns their folder. The folder around it belongs to the user who set up the lab.
        Debian.Recreate(plan.SocketFolder);
        ServerUser.Own(plan.SocketFolder);
        Debian.Recreate(plan.TemporaryFolder);
        ServerUser.Own(plan.TemporaryFolder);

        var recipe = Convert.ToHexString(SHA256.HashData(System.Text.Encoding.UTF8.GetBytes(_recipe.Fingerprint(plan))));
        if (File.Exists(RecipeFile) && File.ReadAllText(RecipeFile) == recipe)
            return;
        LabServer.ReportProgress($"making the data folder of {_recipe.Name}");
        File.Delete(RecipeFile);
        Debian.Recreate(plan.DataFolder);
        File.SetUnixFileMode(plan.DataFolder, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        ServerUser.Own(plan.DataFolder);
        _recipe.Initialise(plan, ct);
        WriteWhole(RecipeFile, recipe);
    }

    /// <summary>Starts the watcher and the server. Returns the version when the server answers, or null if it ended.</summary>
    private async Task<string?> LaunchAsync(ServerPlan plan, CancellationToken ct)
    {
        LabServer.ReportProgress($"starting {_recipe.Name} on port {plan.Port.ToString(CultureInfo.InvariantCulture)}");
        var script = Path.Combine(_folder, "watch.sh");
        using (var source = typeof(LabInstance).Assembly.GetManifestResourceStream("watch.sh")!)
        using (var reader = new StreamReader(source))
            WriteWhole(script, await reader.ReadToEndAsync(ct));
        File.Delete(Path.Combine(_folder, "processes"));
        File.Delete(LogFile);
        string[] arguments =
        [
            "bash", script, _folder, plan.SocketFolder, _recipe.StopSignal, _isPrivate ? "remove" : "keep",
            .. ServerUser.Prefix(_recipe.StopSignal, LabNetwork.GroupOf(_recipe.Node)), .. _recipe.Command(plan),
        ];
        // A session of its own: Ctrl-C in the terminal reaches the programs that use the server, and the server ends after them.
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
        var (user, password, database) = _recipe.Login(plan);
        return new ServerSettings(Kind, "127.0.0.1", plan.Port, user, password, database)
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

    // Other programs read the file at any time, so it must appear complete.
    private static void WriteWhole(string path, string text)
    {
        var partial = path + ".new";
        File.WriteAllText(partial, text);
        File.Move(partial, path, overwrite: true);
    }
}
