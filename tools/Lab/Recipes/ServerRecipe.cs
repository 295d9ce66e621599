namespace Slipstream.Lab;

/// <summary>How one kind of server is installed, laid out, started and recognised.</summary>
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

    /// <summary>The signal, by its kill(1) name, at which the server ends at once but in order.</summary>
    public abstract string StopSignal { get; }

    /// <summary>Installs the server's programs where they are missing.</summary>
    public abstract void Install(LabFolder folder, CancellationToken ct);

    /// <summary>Fills an empty data folder: system tables, the database, the users.</summary>
    public abstract void Initialise(ServerPlan plan, CancellationToken ct);

    /// <summary>What the data folder depends on; another text means that it has to be made anew.</summary>
    public abstract string Fingerprint(ServerPlan plan);

    public abstract IReadOnlyList<string> Command(ServerPlan plan);

    /// <summary>Variables that the server's process has besides this one's.</summary>
    public virtual IReadOnlyDictionary<string, string> Variables { get; } = new Dictionary<string, string>();

    public abstract IReadOnlyList<LabUser> Users(ServerPlan plan);

    public abstract string SocketFile(int port);

    /// <summary>The version of the server that runs as this process once it answers, null until then.</summary>
    public abstract string? Probe(ServerPlan plan, int process);
}
