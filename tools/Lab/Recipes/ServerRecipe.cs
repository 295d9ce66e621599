namespace Slipstream.Lab;

/// <summary>Installs, sets up, starts and detects one kind of server.</summary>
internal abstract class ServerRecipe
{
    public static ServerRecipe Of(ServerKind kind) => kind switch
    {
        ServerKind.MariaDb => new MariaDbRecipe(),
        ServerKind.MariaDb11 => new MariaDb11Recipe(),
        ServerKind.MySql => new MySqlRecipe(),
        _ => new PostgreSqlRecipe(),
    };

    public abstract ServerKind Kind { get; }

    /// <summary>Gets the signal, by its kill(1) name, that shuts the server down at once but cleanly.</summary>
    public abstract string StopSignal { get; }

    /// <summary>Installs the server's programs if they are missing.</summary>
    public abstract void Install(LabFolder folder, CancellationToken ct);

    /// <summary>Fills an empty data folder: system tables, the database, the users.</summary>
    public abstract void Initialise(ServerPlan plan, CancellationToken ct);

    /// <summary>Returns the text on which the data folder depends. If it changes, the folder must be created again.</summary>
    public abstract string Fingerprint(ServerPlan plan);

    public abstract IReadOnlyList<string> Command(ServerPlan plan);

    /// <summary>Gets the additional environment variables of the server's process.</summary>
    public virtual IReadOnlyDictionary<string, string> Variables { get; } = new Dictionary<string, string>();

    public abstract IReadOnlyList<LabUser> Users(ServerPlan plan);

    public abstract string SocketFile(int port);

    /// <summary>Returns the version of the server with this process when it answers; null until then.</summary>
    public abstract string? Probe(ServerPlan plan, int process);
}
