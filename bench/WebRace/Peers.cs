namespace Slipstream.WebRace;

/// <summary>The providers that Slipstream is compared with.</summary>
internal static class Peers
{
    /// <summary>Returns the peers that <c>./race</c> could restore, and those of <c>--peer NAME=ASSEMBLY.dll</c>.</summary>
    /// <exception cref="ArgumentException">An option has another form, or names no file.</exception>
    public static IReadOnlyList<(string Name, string Assembly, bool IsPostgreSql)> Find(string folder, IReadOnlyList<string> options)
    {
        var found = new List<(string, string, bool)>();
        foreach (var (name, isPostgreSql) in (ReadOnlySpan<(string, bool)>)[("MySqlConnector", false), ("Npgsql", true)])
        {
            var assembly = Path.Combine(folder, name, name + ".dll");
            if (File.Exists(assembly))
                found.Add((name, assembly, isPostgreSql));
            else
                Console.Error.WriteLine($"{name} does not take part: its package could not be restored here.");
        }

        foreach (var option in options)
        {
            if (option.Split('=', 2) is not [{ Length: > 0 } name, var assembly] || !File.Exists(assembly))
                throw new ArgumentException($"--peer {option}: expected NAME=ASSEMBLY.dll, with an existing file");
            found.Add((name, Path.GetFullPath(assembly), Path.GetFileName(assembly).Contains("Npgsql", StringComparison.OrdinalIgnoreCase)
                || Path.GetFileName(assembly).Contains("PostgreSql", StringComparison.OrdinalIgnoreCase)));
        }

        return found;
    }
}
