using System.Security.Cryptography;
using System.Text;

namespace Slipstream.Lab;

/// <summary>Where the lab keeps everything: packages, certificates, data, sockets.</summary>
public sealed class LabFolder
{
    /// <summary>The environment variable that names the folder.</summary>
    public const string Variable = "SLIPSTREAM_LAB";

    // sun_path holds 108 bytes including the terminating zero (unix(7)).
    private const int LongestSocketPath = 107;

    private LabFolder(string path, string? movedFrom)
    {
        Path = path;
        MovedFrom = movedFrom;
    }

    public string Path { get; }

    /// <summary>The folder that was asked for, when the servers' user could not reach it and <see cref="Path"/> is another one.</summary>
    public string? MovedFrom { get; }

    /// <summary>
    /// The folder that <c>SLIPSTREAM_LAB</c> names, otherwise <c>artifacts/lab</c> under the repository root. Root's servers run as another user; a folder
    /// that this user cannot enter (a clone below <c>/root</c>) is replaced by one of the same purpose under <c>/var/tmp</c>.
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
        // /var/tmp is everybody's: a folder or link laid there beforehand by somebody else must not receive root's files.
        if (new DirectoryInfo(moved).LinkTarget is not null || Shell.Run("stat", ["-c", "%u", moved]).Output.Trim() != "0")
        {
            throw new LabUnavailableException(
                $"The lab's folder {wanted} cannot be entered by the user the servers run as, and {moved} belongs to somebody else.",
                $"set {Variable} to a folder that every user may enter, such as {Variable}=/srv/lab");
        }

        return new LabFolder(moved, wanted);
    }

    /// <summary>A folder as it is.</summary>
    internal static LabFolder At(string path) => new(path, null);

    /// <summary>rwxr-xr-x.</summary>
    internal static UnixFileMode Everyone =>
        UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute | UnixFileMode.GroupRead | UnixFileMode.GroupExecute
        | UnixFileMode.OtherRead | UnixFileMode.OtherExecute;

    /// <summary>A path below the folder.</summary>
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

    /// <summary>A folder for unix sockets: <paramref name="preferred"/>, or a short one under /tmp when <paramref name="fileName"/> would not fit there.</summary>
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
