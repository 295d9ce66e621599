namespace Slipstream.Architecture.Arrows;

/// <summary>The drawing of ARCHITECTURE.md as a table of folders.</summary>
internal static class Floors
{
    // Bottom first. A folder may use itself and the folders behind the colon, which must stand above it here: so nothing can go in a circle.
    // A sub-folder without a row belongs to the row of the folder above it. A row allows what is used: what nothing uses any more is taken away.
    // '*' is the provider: the same one on both sides. '*' alone is a provider's root folder, where its session is.
    private const string Table = """
        Core/Bytes:
        Core/Errors:
        Core/Statements:
        Core/Wire: Core/Bytes Core/Errors
        Core/Conversations: Core/Errors Core/Wire
        Core/Options: Core/Wire
        Core/Pooling: Core/Errors Core/Wire
        Core/Diagnostics: Core/Pooling
        Core/Sessions: Core/Bytes Core/Errors Core/Wire Core/Conversations Core/Pooling
        Core/Data: Core/Bytes Core/Errors Core/Wire Core/Conversations Core/Options Core/Pooling Core/Diagnostics Core/Sessions

        */Protocol: Core/Bytes Core/Errors
        */Authentication: Core/Errors */Protocol
        */Codecs: Core/Bytes Core/Errors */Protocol
        */Statements: Core/Bytes Core/Statements */Protocol */Codecs
        */Errors: Core/Errors
        */Conversations: Core/Bytes Core/Errors Core/Statements Core/Wire Core/Conversations Core/Sessions */Protocol */Authentication */Codecs */Statements
        *: Core/Bytes Core/Errors Core/Statements Core/Wire Core/Conversations Core/Sessions */Protocol */Codecs */Statements */Errors */Conversations
        */Data: Core/Bytes Core/Errors Core/Statements Core/Wire Core/Conversations Core/Options Core/Pooling Core/Diagnostics Core/Sessions Core/Data
        */Data: */Protocol */Authentication */Codecs */Statements */Errors */Conversations *

        *.Extensions: Core/Pooling Core/Data */Data
        """;

    // A folder's row -> the rows it may use.
    private static readonly Dictionary<string, HashSet<string>> Rows = Read();

    /// <summary>The row of a file, whose path is relative to src; null when there is none.</summary>
    public static string? RowOf(string file)
    {
        var folder = FolderOf(file);
        if (Rows.ContainsKey(folder))
            return folder;
        // A folder directly in a provider's root needs a row of its own.
        for (; folder.Contains('/'); folder = FolderOf(folder))
            if (Rows.ContainsKey(folder))
                return folder;
        return null;
    }

    public static bool MayUse(string row, string used) => row == used || Rows[row].Contains(used);

    public static string FolderOf(string path) => path[..Math.Max(path.LastIndexOf('/'), 0)];

    public static string ProjectOf(string path) => path[..path.IndexOf('/')];

    private static Dictionary<string, HashSet<string>> Read()
    {
        var rows = new Dictionary<string, HashSet<string>>();
        foreach (var line in Table.Split('\n', StringSplitOptions.RemoveEmptyEntries))
            foreach (var provider in line.Contains('*') ? (string[])["MySql", "PostgreSql"] : ["Core"])
            {
                var parts = line.Replace("*", provider, StringComparison.Ordinal).Split(':');
                var (row, used) = (parts[0], parts[1].Split(' ', StringSplitOptions.RemoveEmptyEntries));
                if (used.FirstOrDefault(name => !rows.ContainsKey(name)) is { } unknown)
                    throw new InvalidOperationException($"The row '{row}' of the table names '{unknown}', which does not stand above it.");
                rows.TryAdd(row, []);
                rows[row].UnionWith(used);
            }

        return rows;
    }
}
