using System.Security.Cryptography;

namespace Slipstream.Fuzzing.Engine;

/// <summary>The files of the fuzzer. Findings are written to artifacts/fuzz; findings that became tests are in tests/Fuzz/corpus.</summary>
internal static class FindingStore
{
    /// <summary>Gets the repository's folder, or the current one if the program was copied elsewhere.</summary>
    public static string Root { get; } = FindRoot();

    public static string Folder { get; } = Path.Combine(Root, "artifacts", "fuzz");

    /// <summary>Gets the folder of the current inputs, with a file for each target: <c>process-target</c>.</summary>
    public static string Running { get; } = Path.Combine(Folder, "running");

    /// <summary>Writes the input to a file.</summary>
    public static Finding Save(IFuzzTarget target, Fault fault, ReadOnlySpan<byte> input) => Save(target.Name, fault, input);

    public static Finding Save(string target, Fault fault, ReadOnlySpan<byte> input)
    {
        var folder = Path.Combine(Folder, "findings", target);
        Directory.CreateDirectory(folder);
        var path = Path.Combine(folder, $"{fault.Kind.ToString().ToLowerInvariant()}-{Convert.ToHexStringLower(SHA256.HashData(input).AsSpan(0, 4))}");
        File.WriteAllBytes(path, input);
        return new(target, fault, input.ToArray(), Path.GetRelativePath(Root, path));
    }

    /// <summary>Returns the inputs of the corpus for a target, with their names.</summary>
    public static IEnumerable<(string Name, byte[] Input)> Corpus(string target)
    {
        var folder = Path.Combine(Root, "tests", "Fuzz", "corpus", target);
        if (!Directory.Exists(folder))
            yield break;
        foreach (var path in Directory.EnumerateFiles(folder).Order(StringComparer.Ordinal))
            yield return (Path.GetFileName(path), File.ReadAllBytes(path));
    }

    /// <summary>Returns the inputs of processes that died. Each is returned once.</summary>
    public static IReadOnlyList<Finding> CollectCrashes()
    {
        var findings = new List<Finding>();
        if (!Directory.Exists(Running))
            return findings;
        foreach (var path in Directory.EnumerateFiles(Running))
        {
            if (IsAlive(Path.GetFileName(path).Split('-')[0]))
                continue;
            var (target, input) = GuardedMemory.Read(path);
            findings.Add(Save(target, new(FaultKind.Crash, "crash", "the process died while this target ran"), input));
            File.Delete(path);
        }

        return findings;
    }

    private static bool IsAlive(string id)
    {
        try
        {
            using var process = System.Diagnostics.Process.GetProcessById(int.Parse(id));
            return !process.HasExited;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    private static string FindRoot()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "Slipstream.slnx")))
                return folder.FullName;
        }

        return Environment.CurrentDirectory;
    }
}
