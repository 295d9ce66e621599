namespace Slipstream.Lab;

/// <summary>Installs or unpacks server programs from Debian's packages.</summary>
internal static class Debian
{
    private const string DefaultMirror = "http://deb.debian.org/debian";

    // sbin is not in the PATH of every user.
    private static readonly string[] ProgramFolders = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin", "/sbin", "/bin"];

    public static string? FindProgram(string name) => ProgramFolders.Select(folder => Path.Combine(folder, name)).FirstOrDefault(File.Exists);

    /// <summary>Installs packages on the machine if they are missing. Without root, the exception contains the required command.</summary>
    public static void Install(ServerKind kind, Func<bool> isThere, string[] packages, CancellationToken ct, Action? before = null)
    {
        if (isThere())
            return;
        var command = $"apt-get update && apt-get install -y --no-install-recommends {string.Join(' ', packages)}";
        if (FindProgram("apt-get") is null)
        {
            throw new LabUnavailableException($"{kind.DisplayName()} is not installed and this is not a Debian system.",
                $"install {kind.DisplayName()}'s server programs, or set {kind.Variable()} to an existing server ({ServerSettings.UrlShape(kind)})");
        }

        if (!Environment.IsPrivilegedProcess)
        {
            throw new LabUnavailableException($"{kind.DisplayName()} is not installed and installing it takes root.",
                $"sudo ./lab up {kind.Word()}   or set {kind.Variable()} to an existing server ({ServerSettings.UrlShape(kind)})");
        }

        LabServer.ReportProgress($"installing {string.Join(' ', packages)} with apt-get");
        before?.Invoke();
        AptGet(["update"], kind, command, ct);
        AptGet(["install", "-y", "--no-install-recommends", .. packages], kind, command, ct);
        if (!isThere())
            throw new LabUnavailableException(
                $"The packages of {kind.DisplayName()} were installed but its server programs are not where Debian puts them.", command);
    }

    /// <summary>Downloads a package file of the machine's own release into a folder.</summary>
    public static void Download(string package, string folder, CancellationToken ct)
    {
        // The folder is given by the current directory, because apt-get download always writes there.
        ShellResult Get() => Shell.Run("sh", ["-c", "cd \"$1\" && exec apt-get download \"$2\"", "sh", folder, package], ct: ct);
        if (Get().ExitCode == 0)
            return;
        if (Environment.IsPrivilegedProcess)
            Shell.Run("apt-get", ["update"], ct: ct);
        var result = Get();
        if (result.ExitCode != 0)
        {
            throw new LabUnavailableException($"The package {package} cannot be downloaded:\n{result.Tail()}",
                Environment.IsPrivilegedProcess ? "check the network and apt's sources, then try again" : "sudo apt-get update, then try again");
        }
    }

    /// <summary>Unpacks a package of the machine's own release, without its dependencies, into a folder, unless this exists.</summary>
    public static void Unpack(string package, string target, CancellationToken ct) => Unpack([package], target, ct);

    /// <summary>As <see cref="Unpack(string, string, CancellationToken)"/>, with several packages in one folder.</summary>
    public static void Unpack(IReadOnlyList<string> packages, string target, CancellationToken ct)
    {
        if (Directory.Exists(target))
            return;
        var partial = target + ".partial";
        Recreate(partial);
        foreach (var package in packages)
            Download(package, partial, ct);
        foreach (var file in Directory.GetFiles(partial, "*.deb"))
        {
            Shell.Must("dpkg-deb", ["-x", file, partial], ct: ct);
            File.Delete(file);
        }

        Directory.Move(partial, target);
    }

    /// <summary>
    /// Unpacks packages of Debian unstable and all their dependencies into a folder. apt works on a private state without installed packages. So it fetches the
    /// C library too, and neither the machine's packages nor its package lists change. Of <paramref name="alone"/>, only the files are taken, without
    /// dependencies, except those whose names begin with one of <paramref name="needed"/>. <paramref name="complete"/> changes the unpacked files before the
    /// folder gets its name.
    /// </summary>
    public static void UnpackFromUnstable(
        ServerKind kind, string[] packages, string[] alone, string target, string size, CancellationToken ct, Action<string>? complete = null,
        string[]? needed = null)
    {
        if (FindProgram("apt-get") is null || FindProgram("dpkg-deb") is null)
        {
            throw new LabUnavailableException($"{kind.DisplayName()} comes from Debian's packages and this is not a Debian system.",
                $"set {kind.Variable()} to an existing server ({ServerSettings.UrlShape(kind)})");
        }

        var names = string.Join(" and ", packages);
        LabServer.ReportProgress($"unpacking {names} of Debian unstable ({size})");
        var partial = target + ".partial";
        Recreate(partial);
        var apt = Path.Combine(partial, "apt");
        Directory.CreateDirectory(Path.Combine(apt, "state", "lists", "partial"));
        Directory.CreateDirectory(Path.Combine(apt, "cache", "archives", "partial"));
        File.WriteAllText(Path.Combine(apt, "state", "status"), "");
        File.WriteAllText(Path.Combine(apt, "sources.list"), $"deb {Keyring()}{Mirror(ct)} unstable main\n");
        // Check-Valid-Until: a mirror that is some days old is good enough. Post-Invoke: container images delete the machine's archives there.
        File.WriteAllText(Path.Combine(apt, "apt.conf"),
            $"""
             Dir::State "{apt}/state";
             Dir::State::status "{apt}/state/status";
             Dir::Cache "{apt}/cache";
             Dir::Etc::sourcelist "{apt}/sources.list";
             Dir::Etc::sourceparts "/dev/null";
             Dir::Etc::preferences "/dev/null";
             Dir::Etc::preferencesparts "/dev/null";
             Acquire::Check-Valid-Until "false";
             Acquire::Languages "none";
             APT::Install-Recommends "false";
             APT::Sandbox::User "";
             Debug::NoLocking "true";
             #clear APT::Update::Post-Invoke;
             #clear APT::Update::Post-Invoke-Success;
             #clear DPkg::Post-Invoke;

             """);
        var environment = new Dictionary<string, string> { ["APT_CONFIG"] = Path.Combine(apt, "apt.conf") };
        var archives = Path.Combine(apt, "cache", "archives");
        // The folder is given by the current directory, because apt-get download always writes there.
        string Must(params string[] command)
        {
            var result = Shell.Run(command[0], command[1..], ct: ct, environment: environment);
            return result.ExitCode == 0
                ? result.Output
                : throw new LabUnavailableException($"{names} of Debian unstable cannot be downloaded:\n{result.Tail()}",
                    $"check the network and try again, or set {kind.Variable()} to an existing server ({ServerSettings.UrlShape(kind)})");
        }

        Must("apt-get", "update");
        var more = needed is null ? [] : Dependencies(Must(["apt-cache", "depends", .. alone]), needed);
        Must(["apt-get", "install", "-y", "--download-only", .. packages, .. more]);
        foreach (var other in alone)
            Must("sh", "-c", "cd \"$1\" && exec apt-get download \"$2\"", "sh", archives, other);

        foreach (var file in Directory.GetFiles(archives, "*.deb"))
            Shell.Must("dpkg-deb", ["-x", file, partial], ct: ct);
        Directory.Delete(apt, recursive: true);
        complete?.Invoke(partial);
        Directory.Move(partial, target);
    }

    /// <summary>Returns the beginning of a command that runs a program of <see cref="UnpackFromUnstable"/> with the unpacked loader and libraries.</summary>
    public static string[] Unpacked(string root, params string[] program)
    {
        var libraries = Directory.GetDirectories(Path.Combine(root, "usr", "lib"), "*-linux-gnu*").Single();
        var loader = Directory.GetFiles(libraries, "ld-linux-*.so.*").Single();
        return [loader, "--library-path", libraries, Path.Combine([root, "usr", .. program])];
    }

    /// <summary>Creates an empty folder. Deletes an existing one.</summary>
    public static void Recreate(string folder)
    {
        if (Directory.Exists(folder))
            Directory.Delete(folder, recursive: true);
        Directory.CreateDirectory(folder);
    }

    // The lines of apt-cache are "  Depends: libproj25". The names of libraries contain their versions, which change.
    private static string[] Dependencies(string output, string[] needed) =>
    [
        .. output.Split('\n').Select(static line => line.Trim().Split(": "))
            .Where(words => words is ["Depends", var name] && needed.Any(start => name.StartsWith(start, StringComparison.Ordinal)))
            .Select(static words => words[1]).Distinct(),
    ];

    private static string Keyring()
    {
        const string Path = "/usr/share/keyrings/debian-archive-keyring.gpg";
        return File.Exists(Path) ? $"[signed-by={Path}] " : "";
    }

    // The machine's own sources name a mirror that can be reached from here.
    private static string Mirror(CancellationToken ct)
    {
        var targets = Shell.Run("apt-get", ["indextargets", "--format", "$(LABEL) $(REPO_URI)", "Created-By: Packages"], ct: ct).Output;
        foreach (var line in targets.Split('\n'))
        {
            if (line.Split(' ') is ["Debian", var uri] && uri.StartsWith("http", StringComparison.Ordinal))
                return uri;
        }

        return DefaultMirror;
    }

    private static void AptGet(string[] arguments, ServerKind kind, string command, CancellationToken ct)
    {
        var result = Shell.Run("apt-get", arguments, ct: ct);
        if (result.ExitCode != 0)
        {
            throw new LabUnavailableException($"{kind.DisplayName()} could not be installed:\n{result.Tail()}",
                $"find out why this fails: {command}   or set {kind.Variable()} to an existing server ({ServerSettings.UrlShape(kind)})");
        }
    }
}
