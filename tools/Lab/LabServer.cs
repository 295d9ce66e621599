using System.Globalization;

namespace Slipstream.Lab;

/// <summary>
/// A running server of the lab, or an existing one that an environment variable names. It runs at least until this object is disposed; the last user's end, in whatever way,
/// stops it.
/// </summary>
public sealed class LabServer : IAsyncDisposable
{
    private static int _privateCount;

    private readonly LabInstance? _instance;
    private readonly bool _isPrivate;
    private readonly IReadOnlyList<string> _extraArguments;
    private ServerSettings _settings;
    private FileLock? _lease;

    private LabServer(LabInstance? instance, bool isPrivate, IReadOnlyList<string> extraArguments, ServerSettings settings, FileLock? lease)
    {
        _instance = instance;
        _isPrivate = isPrivate;
        _extraArguments = extraArguments;
        _settings = settings;
        _lease = lease;
    }

    /// <summary>Is told what the lab does while it sets up a server; nobody listens by default.</summary>
    public static Action<string>? Progress { get; set; }

    public ServerKind Kind => _settings.Kind;

    /// <summary>The server's process; 0 for an existing server, which may be on another machine.</summary>
    public int ProcessId => _instance?.Server.Id ?? 0;

    /// <summary>The version the server reports, such as <c>10.11.19-MariaDB-0+deb12u1</c>.</summary>
    public string Version => _settings.Version;

    public string Host => _settings.Host;
    public int Port => _settings.Port;

    /// <summary>The full path of the socket file; empty when the server has none that is known.</summary>
    public string UnixSocket => _settings.UnixSocket;

    /// <summary>A user who may do everything.</summary>
    public string User => _settings.User;
    public string Password => _settings.Password;
    public string Database => _settings.Database;

    /// <summary>PEM: the authority that signed the server's certificate. Empty, as the next ones are, for an existing server whose URL does not name it.</summary>
    public string CaFile => _settings.CaFile;

    /// <summary>PEM: an authority that signed nothing here.</summary>
    public string OtherCaFile => _settings.OtherCaFile;
    public string ClientCertificatePem => _settings.ClientCertificatePem;
    public string ClientKeyPem => _settings.ClientKeyPem;
    public string ClientPfx => _settings.ClientPfx;
    public string ClientPfxPassword => _settings.ClientPfxPassword;

    /// <summary>PEM: MySQL's RSA key for passwords; empty on other servers.</summary>
    public string ServerPublicKeyFile => _settings.ServerPublicKeyFile;

    /// <summary>One user for each authentication method, then one for each demand (see <see cref="LabUser.Notes"/>).</summary>
    public IReadOnlyList<LabUser> Users => _settings.Users;

    public ServerSettings Settings => _settings;

    /// <summary>The user of an authentication method who has no further demands, or the user of this name.</summary>
    public LabUser? FindUser(string methodOrName) =>
        Users.FirstOrDefault(user => user.Method == methodOrName && user.Notes.Length == 0)
        ?? Users.FirstOrDefault(user => user.Name == methodOrName)
        ?? Users.FirstOrDefault(user => user.Method == methodOrName);

    /// <summary>
    /// Joins the shared server of this kind, starting and if need be installing it first. <c>SLIPSTREAM_MARIADB</c>, <c>SLIPSTREAM_MARIADB11</c>, <c>SLIPSTREAM_MYSQL</c>
    /// and <c>SLIPSTREAM_POSTGRESQL</c> name existing servers to use instead (<see cref="ServerSettings.ToUrl"/>).
    /// </summary>
    /// <exception cref="LabUnavailableException">The server cannot be had here; the exception says why and what to do.</exception>
    public static Task<LabServer> StartAsync(ServerKind kind, CancellationToken ct = default) => Explained(kind, async () =>
    {
        if (Environment.GetEnvironmentVariable(kind.Variable()) is { Length: > 0 } url)
            return new LabServer(null, false, [], ReadVariable(kind, url), null);

        var lab = LabFolder.Open();
        var instance = LabInstance.Shared(lab, kind);
        var lease = await instance.JoinAsync(ct);
        try
        {
            return new LabServer(instance, false, [], await instance.StartAsync([], ct), lease);
        }
        catch
        {
            lease.Dispose();
            throw;
        }
    }, ct);

    /// <summary>
    /// Starts a server that nobody else uses, with data of its own, for tests that stop it, break it or set its options. It vanishes when it is disposed or this process ends.
    /// </summary>
    /// <param name="kind">What to start.</param>
    /// <param name="extraArguments">Further arguments of the server's program, which win over the lab's.</param>
    /// <param name="ct">Gives up.</param>
    public static Task<LabServer> StartPrivateAsync(ServerKind kind, IReadOnlyList<string>? extraArguments = null, CancellationToken ct = default) => Explained(kind, async () =>
    {
        var lab = LabFolder.Open();
        Directory.CreateDirectory(lab["private"]);
        var name = string.Create(CultureInfo.InvariantCulture, $"{kind.Word()}-{Environment.ProcessId}-{Interlocked.Increment(ref _privateCount)}");
        var folder = lab["private", name];
        LabInstance instance;
        FileLock lease;
        using (await FileLock.ExclusiveAsync(lab["private.lock"], ct))
        {
            LabInstance.RemoveAbandoned(lab["private"]);
            instance = new LabInstance(lab, kind, folder, isPrivate: true);
            lease = await instance.JoinAsync(ct);
        }

        var arguments = extraArguments ?? [];
        try
        {
            return new LabServer(instance, true, arguments, await instance.StartAsync(arguments, ct), lease);
        }
        catch
        {
            lease.Dispose();
            throw;
        }
    }, ct);

    /// <summary>Stops a private server in order.</summary>
    public Task StopAsync() => Private().StopAsync();

    /// <summary>Ends a private server's processes with SIGKILL.</summary>
    public Task KillAsync() => Private().KillAsync();

    /// <summary>Starts a private server again after <see cref="StopAsync"/> or <see cref="KillAsync"/>, on the same port and data.</summary>
    public async Task StartAgainAsync(CancellationToken ct = default) => _settings = await Private().StartAsync(_extraArguments, ct);

    /// <summary>Freezes a private server with SIGSTOP: its connections stay open and answer nothing.</summary>
    public void Pause() => Private().Server.SignalTree(Signal.Stop);

    /// <summary>Ends <see cref="Pause"/>.</summary>
    public void Continue() => Private().Server.SignalTree(Signal.Continue);

    /// <summary>
    /// Writes another certificate into a private server's folder. The server goes on with the old one until it is told to read its files again (<c>ALTER INSTANCE RELOAD TLS</c>,
    /// <c>FLUSH SSL</c>, <c>pg_reload_conf()</c>); <see cref="StartAgainAsync"/> brings back the lab's own.
    /// </summary>
    /// <param name="certificatePem">The server's certificate.</param>
    /// <param name="keyPem">Its key.</param>
    /// <param name="authoritiesPem">Whom the server trusts: MySQL refuses a certificate of its own that none of them signed.</param>
    public void ReplaceCertificate(string certificatePem, string keyPem, string authoritiesPem) => Private().ReplaceCertificate(certificatePem, keyPem, authoritiesPem);

    /// <summary>Leaves the server to its other users; a private server is gone when this returns.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _lease, null) is not { } lease)
            return;
        if (!_isPrivate)
        {
            lease.Dispose();
            return;
        }

        // Nobody else can want it, so its end need not be orderly.
        await _instance!.KillAsync();
        lease.Dispose();
        await _instance.WaitForEndAsync(TimeSpan.FromSeconds(10));
        _instance.Remove();
    }

    internal static void Say(string text) => Progress?.Invoke(text);

    private LabInstance Private() => _isPrivate && _instance is not null
        ? _instance
        : throw new InvalidOperationException($"The {Kind.DisplayName()} server is shared with others; only one of StartPrivateAsync may be stopped.");

    private static ServerSettings ReadVariable(ServerKind kind, string url)
    {
        try
        {
            return ServerSettings.Parse(kind, url);
        }
        catch (FormatException e)
        {
            throw new LabUnavailableException($"{kind.Variable()} cannot be read: {e.Message}.",
                $"export {kind.Variable()}='{ServerSettings.UrlShape(kind)}'   or unset it to use the lab's own server", e);
        }
    }

    // Set-up runs programs and waits for them, so it leaves the caller's thread.
    private static async Task<LabServer> Explained(ServerKind kind, Func<Task<LabServer>> start, CancellationToken ct)
    {
        try
        {
            return await Task.Run(start, ct);
        }
        catch (UnauthorizedAccessException e)
        {
            throw new LabUnavailableException($"The lab's folder belongs to another user ({e.Message}).",
                $"set {LabFolder.Variable} to a folder of your own, or run ./lab up {kind.Word()} as that user", e);
        }
        catch (Exception e) when (e is InvalidOperationException or IOException)
        {
            throw new LabUnavailableException($"{kind.DisplayName()} could not be set up: {e.Message}", $"./lab up {kind.Word()}   shows the same with its steps", e);
        }
    }
}
