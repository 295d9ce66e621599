namespace Slipstream.Lab;

/// <summary>Installs, sets up, starts and detects one kind of server.</summary>
internal abstract class ServerRecipe
{
    public static ServerRecipe Of(ServerKind kind) => kind switch
    {
        ServerKind.MariaDb => new MariaDbRecipe(),
        ServerKind.MariaDb11 => new MariaDb11Recipe(),
        ServerKind.MySql => new MySqlRecipe(),
        ServerKind.PostgreSql18 => new PostgreSql18Recipe(),
        _ => new PostgreSqlRecipe(),
    };

    public abstract ServerKind Kind { get; }

    /// <summary>Gets the name for messages.</summary>
    public virtual string Name => Kind.DisplayName();

    /// <summary>Gets the number of the node in its cluster, if its connections to the others must be known as such; the first is 1; 0: none.</summary>
    public virtual int Node => 0;

    /// <summary>Gets the signal, by its kill(1) name, that shuts the server down at once but cleanly.</summary>
    public abstract string StopSignal { get; }

    /// <summary>Installs the server's programs if they are missing.</summary>
    public abstract void Install(LabFolder folder, CancellationToken ct);

    /// <summary>Fills an empty data folder: system tables, the database, the users.</summary>
    public abstract void Initialise(ServerPlan plan, CancellationToken ct);

    /// <summary>Does what is necessary before each start of the server. Its data folder exists.</summary>
    public virtual void Prepare(ServerPlan plan, CancellationToken ct)
    {
    }

    /// <summary>Returns the text on which the data folder depends. If it changes, the folder must be created again.</summary>
    public abstract string Fingerprint(ServerPlan plan);

    public abstract IReadOnlyList<string> Command(ServerPlan plan);

    /// <summary>Gets the additional environment variables of the server's process.</summary>
    public virtual IReadOnlyDictionary<string, string> Variables { get; } = new Dictionary<string, string>();

    /// <summary>Returns the user with all privileges, the password and the database.</summary>
    public virtual (string User, string Password, string Database) Login(ServerPlan plan) => (ServerPlan.MainUser, plan.MainPassword, ServerPlan.Database);

    public abstract IReadOnlyList<LabUser> Users(ServerPlan plan);

    public abstract string SocketFile(int port);

    /// <summary>Returns the version of the server with this process when it answers; null until then.</summary>
    public abstract string? Probe(ServerPlan plan, int process);
}
