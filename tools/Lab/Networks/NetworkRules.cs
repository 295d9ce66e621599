namespace Slipstream.Lab;

/// <summary>Changes the rules for packets with iptables, which the lab unpacks if it is not installed.</summary>
internal static class NetworkRules
{
    private static readonly string[] Packages = ["iptables", "libnftnl11", "libmnl0", "libxtables12", "libip4tc2", "libip6tc2"];

    /// <summary>Gets rules with all features of the rules that <see cref="LabCluster"/> needs.</summary>
    public static string Trial => Text("filter", ["-A INPUT -p tcp --dport 1 -j DROP", "-A INPUT -p tcp --dport 1 -j REJECT --reject-with tcp-reset"]);

    /// <summary>Gets the variables with which the unpacked program finds its libraries.</summary>
    public static IReadOnlyDictionary<string, string> Environment
    {
        get
        {
            var variables = new Dictionary<string, string>
            {
                // Others than root may not write to the default.
                ["XTABLES_LOCKFILE"] = Path.Combine(Path.GetTempPath(), $"slipstream-xtables-{System.Environment.UserName}.lock"),
            };
            if (Installed is not null)
                return variables;
            var libraries = Directory.GetDirectories(Path.Combine(Folder, "usr", "lib"), "*-linux-gnu*").Single();
            variables["LD_LIBRARY_PATH"] = $"{libraries}:{libraries.Replace("/usr/lib/", "/lib/", StringComparison.Ordinal)}";
            variables["XTABLES_LIBDIR"] = Path.Combine(libraries, "xtables");
            return variables;
        }
    }

    private static string? Installed => Debian.FindProgram("iptables-restore");

    private static string Folder => LabFolder.Open()["packages", "iptables"];

    /// <exception cref="LabUnavailableException">The packages cannot be downloaded.</exception>
    public static void Install(CancellationToken ct)
    {
        if (Installed is null)
            Debian.Unpack(Packages, Folder, ct);
    }

    /// <summary>Returns the command that reads rules from its input.</summary>
    public static (string Program, string[] Arguments) Command() => Installed is { } program
        ? (program, ["--noflush"])
        : (Path.Combine(Folder, "usr", "sbin", "xtables-nft-multi"), ["iptables-restore", "--noflush"]);

    /// <summary>Adds or removes rules, all at the same time.</summary>
    public static void Apply(string table, IEnumerable<string> rules)
    {
        if (Run(table, rules) is { ExitCode: not 0 } failed)
            throw new InvalidOperationException($"iptables-restore ended with {failed.ExitCode}:\n{failed.Tail()}");
    }

    /// <summary>As <see cref="Apply"/>. Returns whether the kernel has what the rules need.</summary>
    public static bool TryApply(string table, IEnumerable<string> rules) => Run(table, rules).ExitCode == 0;

    private static ShellResult Run(string table, IEnumerable<string> rules)
    {
        var (program, arguments) = Command();
        return Shell.Run(program, arguments, Text(table, rules), Environment);
    }

    private static string Text(string table, IEnumerable<string> rules) => $"*{table}\n{string.Join('\n', rules)}\nCOMMIT\n";
}
