using System.Globalization;

namespace Slipstream.Lab;

/// <summary>The user that servers run as: the current one, or <c>nobody</c> if that is root (mysqld and postgres refuse to run as root).</summary>
internal static class ServerUser
{
    // Debian's base-passwd assigns both numbers on every machine.
    private const string Nobody = "65534";

    public static bool MustDrop { get; } = Environment.IsPrivilegedProcess;

    /// <summary>Returns the command before a server's own. It drops root, and makes the kernel end the server together with its watcher.</summary>
    /// <param name="deathSignal">The signal that ends the server, by its kill(1) name.</param>
    /// <param name="group">The number of a supplementary group, by which rules of the network know the server; 0: none.</param>
    public static string[] Prefix(string deathSignal, int group = 0) => MustDrop
        ?
        [
            "setpriv", "--reuid", Nobody, "--regid", Nobody,
            .. group == 0 ? (string[])["--clear-groups"] : ["--groups", group.ToString(CultureInfo.InvariantCulture)],
            "--pdeathsig", deathSignal, "--",
        ]
        : ["setpriv", "--pdeathsig", deathSignal, "--"];

    /// <summary>Makes the servers' user the owner of a folder and its content.</summary>
    public static void Own(string path)
    {
        // Some of these folders are in /tmp, where another user may have left a link to a folder that must keep its owner.
        if (new DirectoryInfo(path).LinkTarget is not null)
            throw new LabUnavailableException($"{path} is a link, and the lab makes folders there.", $"remove {path} after a look at who made it");
        if (MustDrop)
            Shell.Must("chown", ["-R", $"{Nobody}:{Nobody}", path]);
    }
}
