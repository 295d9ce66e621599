namespace Slipstream.Lab;

/// <summary>The user that servers run as: the current one, or <c>nobody</c> when that is root (mysqld and postgres refuse to run as root).</summary>
internal static class ServerUser
{
    // Debian's base-passwd fixes both numbers on every machine.
    private const string Nobody = "65534";

    public static bool MustDrop { get; } = Environment.IsPrivilegedProcess;

    /// <summary>The command in front of a server's own: drops root, and lets the kernel end the server with the process that watches it.</summary>
    public static string[] Prefix(string deathSignal) => MustDrop
        ? ["setpriv", "--reuid", Nobody, "--regid", Nobody, "--clear-groups", "--pdeathsig", deathSignal, "--"]
        : ["setpriv", "--pdeathsig", deathSignal, "--"];

    /// <summary>Gives a folder and all in it to the servers' user.</summary>
    public static void Own(string path)
    {
        // Some of these folders lie in /tmp, where somebody else could have left a link to a folder that is not to be given away.
        if (new DirectoryInfo(path).LinkTarget is not null)
            throw new LabUnavailableException($"{path} is a link, and the lab makes folders there.", $"remove {path} after a look at who made it");
        if (MustDrop)
            Shell.Must("chown", ["-R", $"{Nobody}:{Nobody}", path]);
    }
}
