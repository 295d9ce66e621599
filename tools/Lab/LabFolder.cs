using System.Security.Cryptography;
using System.Text;

namespace Slipstream.Lab;

/// <summary>The folder with all files of the lab: packages, certificates, data, sockets.</summary>
public sealed class LabFolder
{
    /// <summary>The environment variable with the path of the folder.</summary>
    public const string Variable = "SLIPSTREAM_LAB";

    // sun_path has 108 bytes including the terminating zero (unix(7)).
    private const int LongestSocketPath = 107;

    private LabFolder(string path, string? movedFrom)
    {
        Path = path;
        MovedFrom = movedFrom;
    }

    public string Path { get; }

    /// <summary>Gets the requested folder if the servers' user could not reach it and <see cref="Path"/> is another one; otherwise null.</summary>
    public string? MovedFrom { get; }

    /// <summary>
    /// Opens the folder in <c>SLIPSTREAM_LAB</c>, otherwise <c>artifacts/lab</c> under the repository root. If root starts the servers, they run as another
    /// user. A folder that this user cannot enter (a clone below <c>/root</c>) is replaced by one under <c>/var/tmp</c>.
    /// </summary>
    public static LabFolder Open()
    {
        var wanted = System.IO.Path.GetFullPath(Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } named
            ? named
            : System.IO.Path.Combine(RepositoryRoot(), "artifacts", "lab"));
        if (!ServerUser.MustDrop || CanBeEnteredByAll(wanted))
        {
            Directory.CreateDirectory(wanted);
            if (ServerUser.MustDrop)
                File.SetUnixFileMode(wanted, File.GetUnixFileMode(wanted) | UnixFileMode.OtherExecute | UnixFileMode.OtherRead);
            return new LabFolder(wanted, null);
        }

        var moved = "/var/tmp/slipstream-lab-" + ShortHash(wanted);
        Directory.CreateDirectory(moved, Everyone);
        // Every user may write to /var/tmp: a folder or link that another user created there must not receive root's files.
        if (new DirectoryInfo(moved).LinkTarget is not null || Shell.Run("stat", ["-c", "%u", moved]).Output.Trim() != "0")
        {
            throw new LabUnavailableException(
                $"The lab's folder {wanted} cannot be entered by the user the servers run as, and {moved} belongs to somebody else.",
                $"set {Variable} to a folder that every user may enter, such as {Variable}=/srv/lab");
        }

        return new LabFolder(moved, wanted);
    }

    /// <summary>Returns an existing folder unchanged.</summary>
    internal static LabFolder At(string path) => new(path, null);

    /// <summary>Gets the mode rwxr-xr-x.</summary>
    internal static UnixFileMode Everyone =>
        UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute | UnixFileMode.GroupRead | UnixFileMode.GroupExecute
        | UnixFileMode.OtherRead | UnixFileMode.OtherExecute;

    /// <summary>Gets a path below the folder.</summary>
    public string this[params ReadOnlySpan<string> parts]
    {
        get
        {
            var path = Path;
            foreach (var part in parts)
                path = System.IO.Path.Combine(path, part);
            return path;
        }
    }

    /// <summary>
    /// Returns a folder for Unix sockets: <paramref name="preferred"/>, or a short one under /tmp if the path of <paramref name="fileName"/> would be too long.
    /// </summary>
    internal static string SocketFolder(string preferred, string fileName) =>
        Encoding.UTF8.GetByteCount(System.IO.Path.Combine(preferred, fileName)) <= LongestSocketPath
            ? preferred
            : ShortSocketFolder(preferred);

    internal static string ShortSocketFolder(string preferred) => "/tmp/slipstream-" + ShortHash(preferred);

    internal static bool CanBeEnteredByAll(string path)
    {
        for (var folder = path; folder is not null; folder = System.IO.Path.GetDirectoryName(folder))
        {
            if (folder != path && Directory.Exists(folder) && (File.GetUnixFileMode(folder) & UnixFileMode.OtherExecute) == 0)
                return false;
        }

        return true;
    }

    private static string RepositoryRoot()
    {
        foreach (var start in (string[])[AppContext.BaseDirectory, Environment.CurrentDirectory])
        {
            for (var folder = start; folder is not null; folder = System.IO.Path.GetDirectoryName(folder))
            {
                if (File.Exists(System.IO.Path.Combine(folder, "Slipstream.slnx")))
                    return folder;
            }
        }

        return Environment.CurrentDirectory;
    }

    private static string ShortHash(string text) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)).AsSpan(0, 4));
}
