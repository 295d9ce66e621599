using System.Globalization;

namespace Slipstream.Lab;

/// <summary>
/// A running server of the lab, or an existing one in an environment variable. It runs at least until this object is disposed. It stops when its last user ends
/// in any way.
/// </summary>
public sealed class LabServer : IAsyncDisposable
{
    private static readonly TimeSpan PauseLimit = TimeSpan.FromSeconds(10);
    private static int _privateCount;

    private readonly LabInstance? _instance;
    private readonly Ownership _ownership;
    private readonly IReadOnlyList<string> _extraArguments;
    private ServerSettings _settings;
    private FileLock? _lease;

    private LabServer(LabInstance? instance, Ownership ownership, IReadOnlyList<string> extraArguments, ServerSettings settings, FileLock? lease)
    {
        _instance = instance;
        _ownership = ownership;
        _extraArguments = extraArguments;
        _settings = settings;
        _lease = lease;
    }

    /// <summary>Gets or sets the callback for progress messages during the set-up of a server; null by default.</summary>
    public static Action<string>? Progress { get; set; }

    public ServerKind Kind => _settings.Kind;

    /// <summary>Gets the ID of the server's process; 0 for an existing server, which may be on another machine.</summary>
    public int ProcessId => _instance?.Server.Id ?? 0;

    /// <summary>Gets the version that the server reports, such as <c>10.11.19-MariaDB-0+deb12u1</c>.</summary>
    public string Version => _settings.Version;

    public string Host => _settings.Host;
    public int Port => _settings.Port;

    /// <summary>Gets the full path of the socket file; empty if the server has no known socket.</summary>
    public string UnixSocket => _settings.UnixSocket;

    /// <summary>Gets the user with all privileges.</summary>
    public string User => _settings.User;
    public string Password => _settings.Password;
    public string Database => _settings.Database;

    /// <summary>
    /// Gets the PEM file of the authority that signed the server's certificate. This and the next ones are empty if the URL of an existing server lacks them.
    /// </summary>
    public string CaFile => _settings.CaFile;

    /// <summary>Gets the PEM file of an authority that has not signed any certificate here.</summary>
    public string OtherCaFile => _settings.OtherCaFile;
    public string ClientCertificatePem => _settings.ClientCertificatePem;
    public string ClientKeyPem => _settings.ClientKeyPem;
    public string ClientPfx => _settings.ClientPfx;
    public string ClientPfxPassword => _settings.ClientPfxPassword;

    /// <summary>Gets the PEM file of MySQL's RSA key for passwords; empty for other servers.</summary>
    public string ServerPublicKeyFile => _settings.ServerPublicKeyFile;

    /// <summary>Gets one user for each authentication method, and one for each requirement (see <see cref="LabUser.Notes"/>).</summary>
    public IReadOnlyList<LabUser> Users => _settings.Users;

    public ServerSettings Settings => _settings;

    /// <summary>Returns the user of an authentication method without further requirements, or the user with this name.</summary>
    public LabUser? FindUser(string methodOrName) =>
        Users.FirstOrDefault(user => user.Method == methodOrName && user.Notes.Length == 0)
        ?? Users.FirstOrDefault(user => user.Name == methodOrName)
        ?? Users.FirstOrDefault(user => user.Method == methodOrName);

    /// <summary>
    /// Joins the shared server of this kind. Starts it, and installs it if necessary. <c>SLIPSTREAM_MARIADB</c>, <c>SLIPSTREAM_MARIADB11</c>,
    /// <c>SLIPSTREAM_MYSQL</c>, <c>SLIPSTREAM_POSTGRESQL</c> and <c>SLIPSTREAM_POSTGRESQL18</c> name existing servers to use instead
    /// (<see cref="ServerSettings.ToUrl"/>).
    /// </summary>
    /// <exception cref="LabUnavailableException">The server is unavailable on this machine. The exception has the reason and the remedy.</exception>
    public static Task<LabServer> StartAsync(ServerKind kind, CancellationToken ct = default) => Explained(kind, async () =>
    {
        if (Environment.GetEnvironmentVariable(kind.Variable()) is { Length: > 0 } url)
            return new LabServer(null, Ownership.Shared, [], ReadVariable(kind, url), null);

        var lab = LabFolder.Open();
        var instance = LabInstance.Shared(lab, kind);
        var lease = await instance.JoinAsync(ct);
        try
        {
            return new LabServer(instance, Ownership.Shared, [], await instance.StartAsync([], ct), lease);
        }
        catch
        {
            lease.Dispose();
            throw;
        }
    }, ct);

    /// <summary>
    /// Starts a private server with data of its own, for tests that stop it, break it or set its options. It is deleted when it is disposed or this process
    /// ends.
    /// </summary>
    /// <param name="kind">The kind of server.</param>
    /// <param name="extraArguments">Further arguments of the server's program, which override the lab's.</param>
    /// <param name="ct">Cancels the start.</param>
    public static Task<LabServer> StartPrivateAsync(ServerKind kind, IReadOnlyList<string>? extraArguments = null, CancellationToken ct = default) =>
        StartPrivateAsync(ServerRecipe.Of(kind), kind.Word(), extraArguments ?? [], ct);

    /// <summary>
    /// Starts a private PgBouncer in front of a server. It pools transactions, with three sessions of the server for each user and database, and takes the one
    /// that was idle for the longest time: successive transactions of a client run in different sessions.
    /// </summary>
    /// <param name="server">The PostgreSQL server.</param>
    /// <param name="maxPreparedStatements">The value of <c>max_prepared_statements</c>; 0: PgBouncer does not track prepared statements.</param>
    /// <param name="settings">
    /// Further lines for the section <c>[pgbouncer]</c> of its file, such as <c>pool_mode = session</c>. They override the lab's.
    /// </param>
    /// <param name="ct">Cancels the start.</param>
    /// <returns>PgBouncer's address and users. <see cref="Kind"/> is that of the server, <see cref="Version"/> is PgBouncer's.</returns>
    public static Task<LabServer> StartPgBouncerAsync(
        LabServer server, int maxPreparedStatements, IReadOnlyList<string>? settings = null, CancellationToken ct = default)
    {
        ArgumentNullException.ThrowIfNull(server);
        return StartPrivateAsync(new PgBouncerRecipe(server.Settings, maxPreparedStatements), "pgbouncer", settings ?? [], ct);
    }

    internal static Task<LabServer> StartPrivateAsync(ServerRecipe recipe, string word, IReadOnlyList<string> arguments, CancellationToken ct) =>
        Explained(recipe.Kind, async () =>
        {
            var lab = LabFolder.Open();
            Directory.CreateDirectory(lab["private"]);
            var name = string.Create(CultureInfo.InvariantCulture, $"{word}-{Environment.ProcessId}-{Interlocked.Increment(ref _privateCount)}");
            var folder = lab["private", name];
            LabInstance instance;
            FileLock lease;
            using (await FileLock.ExclusiveAsync(lab["private.lock"], ct))
            {
                LabInstance.RemoveAbandoned(lab["private"]);
                instance = new LabInstance(lab, recipe, folder, isPrivate: true);
                lease = await instance.JoinAsync(ct);
            }

            try
            {
                return new LabServer(instance, Ownership.Private, arguments, await instance.StartAsync(arguments, ct), lease);
            }
            catch
            {
                lease.Dispose();
                throw;
            }
        }, ct);

    /// <summary>Starts a node of a cluster that <c>lab up</c> keeps running, in a folder that stays. The caller decides about its keeper.</summary>
    internal static Task<LabServer> StartNodeAsync(ServerRecipe recipe, string folder, IReadOnlyList<string> arguments, CancellationToken ct) =>
        Explained(recipe.Kind, async () =>
        {
            var instance = new LabInstance(LabFolder.Open(), recipe, folder, isPrivate: false);
            var lease = await instance.JoinAsync(ct);
            try
            {
                return new LabServer(instance, Ownership.Node, arguments, await instance.StartAsync(arguments, ct), lease);
            }
            catch
            {
                lease.Dispose();
                throw;
            }
        }, ct);

    /// <summary>Returns a node that <see cref="StartNodeAsync"/> once started. It may have ended since.</summary>
    internal static LabServer OpenNode(ServerRecipe recipe, LabFolder lab, string folder, IReadOnlyList<string> arguments)
    {
        var instance = new LabInstance(lab, recipe, folder, isPrivate: false);
        return new LabServer(instance, Ownership.Node, arguments, instance.ReadSettings(), null);
    }

    /// <summary>Gets the folder and the processes of a private server or a node.</summary>
    internal LabInstance Instance => Private();

    /// <summary>Gets the process of a private server.</summary>
    internal RunningProcess Process => Private().Server;

    /// <summary>Gets the data folder of a private server.</summary>
    internal string DataFolder => Private().DataFolder;

    /// <summary>Shuts a private server down.</summary>
    public Task StopAsync() => Private().StopAsync();

    /// <summary>Kills the processes of a private server with SIGKILL.</summary>
    public Task KillAsync() => Private().KillAsync();

    /// <summary>Starts a private server again after <see cref="StopAsync"/> or <see cref="KillAsync"/>, on the same port and data.</summary>
    public async Task StartAgainAsync(CancellationToken ct = default) => _settings = await Private().StartAsync(_extraArguments, ct);

    /// <summary>Freezes a private server with SIGSTOP: its connections stay open, but it does not answer.</summary>
    public void Pause()
    {
        var server = Private().Server;
        server.SignalTree(Signal.Stop);
        // A signal takes effect after kill(2) has returned; on a loaded machine, that is some time later.
        SpinWait.SpinUntil(() => server.IsStopped || !server.IsAlive, PauseLimit);
    }

    /// <summary>Ends <see cref="Pause"/>.</summary>
    public void Continue() => Private().Server.SignalTree(Signal.Continue);

    /// <summary>
    /// Writes another certificate into a private server's folder. The server uses the old one until it reads its files again (<c>ALTER INSTANCE RELOAD TLS</c>,
    /// <c>FLUSH SSL</c>, <c>pg_reload_conf()</c>). <see cref="StartAgainAsync"/> restores the lab's own.
    /// </summary>
    /// <param name="certificatePem">The server's certificate.</param>
    /// <param name="keyPem">The key of the certificate.</param>
    /// <param name="authoritiesPem">The authorities that the server trusts. MySQL refuses a certificate of its own that none of them signed.</param>
    public void ReplaceCertificate(string certificatePem, string keyPem, string authoritiesPem) =>
        Private().ReplaceCertificate(certificatePem, keyPem, authoritiesPem);

    /// <summary>Leaves the server to its other users. A private server has ended when this returns.</summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _lease, null) is not { } lease)
            return;
        if (_ownership != Ownership.Private)
        {
            lease.Dispose();
            return;
        }

        // A private server has no other users, so a shutdown is not needed.
        await _instance!.KillAsync();
        lease.Dispose();
        await _instance.WaitForEndAsync(TimeSpan.FromSeconds(10));
        _instance.Remove();
    }

    internal static void ReportProgress(string text) => Progress?.Invoke(text);

    private LabInstance Private() => _ownership != Ownership.Shared && _instance is not null
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

    // The set-up runs programs and waits for them, so it leaves the caller's thread.
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
            throw new LabUnavailableException(
                $"{kind.DisplayName()} could not be set up: {e.Message}", $"./lab up {kind.Word()}   shows the same with its steps", e);
        }
    }

    private enum Ownership
    {
        /// <summary>Other programs use the server, too.</summary>
        Shared,

        /// <summary>The server is deleted with this object.</summary>
        Private,

        /// <summary>The server is a node of a cluster: it may be stopped, and its folder stays.</summary>
        Node,
    }
}
