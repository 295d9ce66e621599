namespace Slipstream.Bench;

/// <summary>A program of another ecosystem that takes part in a race: in Java or for Node.</summary>
/// <param name="Words">The program and its arguments.</param>
/// <param name="Missing">Why it does not take part; null if it does.</param>
internal sealed record ForeignProgram(IReadOnlyList<string> Words, string? Missing)
{
    /// <summary>Returns the program in Java that <c>./race</c> has compiled.</summary>
    /// <param name="folder">The folder <c>artifacts/race</c>.</param>
    /// <param name="type">The class with the main method.</param>
    public static ForeignProgram Java(string folder, string type) =>
        Find(folder, "java", "classpath", file => ["java", "-cp", File.ReadAllText(file).Trim(), type]);

    /// <summary>Returns the program for Node, beside which <c>./race</c> has installed its packages.</summary>
    /// <param name="folder">The folder <c>artifacts/race</c>.</param>
    /// <param name="script">The script's file.</param>
    public static ForeignProgram Node(string folder, string script) => Find(folder, "node", script, static file => ["node", file]);

    /// <summary>Returns the variables that tell a contestant where the server is.</summary>
    public static Dictionary<string, string> ServerVariables(bool isPostgreSql, string host, int port, string user, string password, string database) => new()
    {
        ["RACE_SERVER"] = isPostgreSql ? "postgresql" : "mysql",
        ["RACE_HOST"] = host,
        ["RACE_PORT"] = port.ToString(System.Globalization.CultureInfo.InvariantCulture),
        ["RACE_USER"] = user,
        ["RACE_PASSWORD"] = password,
        ["RACE_DATABASE"] = database,
    };

    private static ForeignProgram Find(string folder, string name, string file, Func<string, string[]> words)
    {
        var missing = Path.Combine(folder, name + ".missing");
        var program = Path.Combine(folder, name, file);
        if (File.Exists(missing))
            return new([], File.ReadAllText(missing).Trim());
        return File.Exists(program) ? new(words(program), null) : new([], $"{program} does not exist; ./race creates it");
    }
}
