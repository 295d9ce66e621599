namespace Slipstream.Architecture.Arrows;

/// <summary>The diagram of ARCHITECTURE.md as a table of folders.</summary>
internal static class Floors
{
    // The lowest floor is first. A folder may use itself and the folders after the colon, which must be above it in this table, so that no cycle is possible.
    // A subfolder without a row belongs to the row of its parent. A row allows only what is used; an entry that is no longer used must be removed.
    // '*' is the provider, the same one on both sides.
    private const string Table = """
        Core/Bytes:
        Core/Errors:
        Core/Time: Core/Errors
        Core/Statements: Core/Bytes Core/Errors
        Core/Wire: Core/Bytes Core/Errors Core/Time
        Core/Conversations: Core/Bytes Core/Errors Core/Time Core/Wire
        Core/Options: Core/Wire
        Core/Causality:
        Core/Topology: Core/Time Core/Causality
        Core/Pooling: Core/Errors Core/Time
        Core/Sessions: Core/Causality Core/Bytes Core/Errors Core/Time Core/Statements Core/Wire Core/Conversations Core/Pooling
        Core/Clusters: Core/Causality Core/Errors Core/Time Core/Wire Core/Conversations Core/Topology Core/Pooling Core/Sessions
        Core/Diagnostics: Core/Topology Core/Clusters Core/Errors Core/Statements Core/Wire Core/Conversations Core/Pooling Core/Sessions
        Core/Data: Core/Causality Core/Topology Core/Clusters Core/Bytes Core/Errors Core/Statements Core/Wire Core/Conversations Core/Options Core/Pooling Core/Sessions Core/Diagnostics

        MySql/Conventions:
        */Values: Core/Errors
        MySql/Values: MySql/Conventions
        MySql/Codecs: MySql/Conventions
        MySql/Options: MySql/Conventions
        MySql/Conversations: MySql/Conventions
        MySql/Sessions: MySql/Conventions
        MySql/Data: MySql/Conventions
        */Protocol: Core/Bytes Core/Errors
        MySql/Options: Core/Topology Core/Clusters
        MySql/Sessions: Core/Topology Core/Clusters
        MySql/Data: Core/Topology Core/Clusters
        */Errors: Core/Errors
        */Authentication: Core/Errors */Protocol
        */Codecs: Core/Bytes Core/Errors */Values */Protocol
        PostgreSql/Types: Core/Bytes Core/Errors PostgreSql/Values PostgreSql/Protocol PostgreSql/Codecs
        */Statements: Core/Bytes Core/Statements */Protocol */Codecs
        PostgreSql/Statements: PostgreSql/Types
        */State: Core/Causality Core/Bytes Core/Errors Core/Statements Core/Wire Core/Conversations */Protocol */Errors */Codecs */Statements
        PostgreSql/State: PostgreSql/Types
        */Options: Core/Wire Core/Options Core/Pooling */Values */Authentication */Codecs
        PostgreSql/Options: PostgreSql/Types Core/Topology Core/Clusters
        */Conversations: Core/Causality Core/Bytes Core/Errors Core/Statements Core/Wire Core/Conversations
        */Conversations: */Values */Protocol */Authentication */Codecs */Statements */State */Options
        PostgreSql/Conversations: PostgreSql/Types
        */Sessions: Core/Causality Core/Bytes Core/Errors Core/Time Core/Statements Core/Wire Core/Conversations Core/Options Core/Sessions
        */Sessions: */Values */Protocol */Errors */Authentication */Codecs */Statements */State */Options */Conversations
        PostgreSql/Sessions: PostgreSql/Types Core/Clusters Core/Topology
        */Data: Core/Causality Core/Bytes Core/Errors Core/Time Core/Statements Core/Wire Core/Conversations Core/Options Core/Pooling Core/Sessions Core/Diagnostics Core/Data
        */Data: */Values */Protocol */Errors */Authentication */Codecs */Statements */State */Options */Conversations */Sessions
        PostgreSql/Data: PostgreSql/Types Core/Clusters Core/Topology

        Extensions.Shared: Core/Topology Core/Pooling Core/Data
        *.Extensions: Core/Data */Data Extensions.Shared
        Caching.Shared: Core/Data
        *.Caching: Core/Data */Data Caching.Shared
        MySql.EntityFrameworkCore/Infrastructure: Core/Data MySql/Values MySql/Options MySql/Data
        MySql.EntityFrameworkCore/Diagnostics:
        MySql.EntityFrameworkCore/Metadata: MySql.EntityFrameworkCore/Infrastructure
        MySql.EntityFrameworkCore/ValueGeneration: MySql/Options MySql.EntityFrameworkCore/Infrastructure MySql.EntityFrameworkCore/Metadata
        MySql.EntityFrameworkCore/Storage: Core/Errors Core/Data MySql/Values MySql/Options MySql/Data MySql.EntityFrameworkCore/Infrastructure
        MySql.EntityFrameworkCore/Storage: MySql.EntityFrameworkCore/ValueGeneration
        MySql.EntityFrameworkCore/Update: MySql/Data MySql.EntityFrameworkCore/Infrastructure MySql.EntityFrameworkCore/Metadata
        MySql.EntityFrameworkCore/Update: MySql.EntityFrameworkCore/Storage
        MySql.EntityFrameworkCore/Migrations: MySql/Data MySql.EntityFrameworkCore/Infrastructure MySql.EntityFrameworkCore/Metadata
        MySql.EntityFrameworkCore/Migrations: MySql.EntityFrameworkCore/Storage MySql.EntityFrameworkCore/ValueGeneration
        MySql.EntityFrameworkCore/Scaffolding: MySql/Data MySql.EntityFrameworkCore/Infrastructure MySql.EntityFrameworkCore/Metadata
        MySql.EntityFrameworkCore/Scaffolding: MySql.EntityFrameworkCore/Storage MySql.EntityFrameworkCore/Migrations
        MySql.EntityFrameworkCore/Query/Expressions: MySql.EntityFrameworkCore/Storage
        MySql.EntityFrameworkCore/Query/Rewriting: MySql.EntityFrameworkCore/Infrastructure MySql.EntityFrameworkCore/Metadata
        MySql.EntityFrameworkCore/Query/Rewriting: MySql.EntityFrameworkCore/Query/Expressions
        MySql.EntityFrameworkCore/Query/Translators: MySql.EntityFrameworkCore/Storage MySql.EntityFrameworkCore/Query/Expressions
        MySql.EntityFrameworkCore/Query: MySql.EntityFrameworkCore/Infrastructure MySql.EntityFrameworkCore/Storage MySql.EntityFrameworkCore/Metadata
        MySql.EntityFrameworkCore/Query: MySql.EntityFrameworkCore/Query/Expressions MySql.EntityFrameworkCore/Query/Rewriting
        MySql.EntityFrameworkCore/Query: MySql.EntityFrameworkCore/Query/Translators
        MySql.EntityFrameworkCore/Extensions: MySql/Options MySql/Data MySql.EntityFrameworkCore/Infrastructure MySql.EntityFrameworkCore/Diagnostics
        MySql.EntityFrameworkCore/Extensions: MySql.EntityFrameworkCore/Metadata MySql.EntityFrameworkCore/Storage MySql.EntityFrameworkCore/Update
        MySql.EntityFrameworkCore/Extensions: MySql.EntityFrameworkCore/Migrations MySql.EntityFrameworkCore/Query MySql.EntityFrameworkCore/Query/Expressions
        MySql.EntityFrameworkCore/Extensions: MySql.EntityFrameworkCore/ValueGeneration
        MySql.EntityFrameworkCore/Design: MySql.EntityFrameworkCore/Metadata MySql.EntityFrameworkCore/Scaffolding MySql.EntityFrameworkCore/Extensions
        MySql.EntityFrameworkCore.Hosting: MySql/Options MySql/Data Extensions.Shared MySql.Extensions MySql.EntityFrameworkCore/Infrastructure
        MySql.EntityFrameworkCore.Hosting: MySql.EntityFrameworkCore/Storage MySql.EntityFrameworkCore/Extensions
        MySql.EntityFrameworkCore.NetTopologySuite/Storage: MySql/Values
        MySql.EntityFrameworkCore.NetTopologySuite/Query: MySql.EntityFrameworkCore/Infrastructure
        MySql.EntityFrameworkCore.NetTopologySuite/Extensions: MySql.EntityFrameworkCore/Extensions
        MySql.EntityFrameworkCore.NetTopologySuite/Extensions: MySql.EntityFrameworkCore.NetTopologySuite/Query MySql.EntityFrameworkCore.NetTopologySuite/Storage
        MySql.EntityFrameworkCore.NetTopologySuite/Design: MySql.EntityFrameworkCore/Extensions
        MySql.EntityFrameworkCore.NetTopologySuite/Design: MySql.EntityFrameworkCore.NetTopologySuite/Extensions MySql.EntityFrameworkCore.NetTopologySuite/Storage
        PostgreSql.NetTopologySuite: PostgreSql/Types PostgreSql/Data
        PostgreSql.NodaTime: PostgreSql/Values PostgreSql/Types PostgreSql/Data
        PostgreSql.Pgvector: PostgreSql/Types PostgreSql/Data
        """;

    // A folder's row -> the rows that it may use.
    private static readonly Dictionary<string, HashSet<string>> Rows = Read();

    /// <summary>Returns the row of a file, whose path is relative to src; null if there is none.</summary>
    public static string? RowOf(string file)
    {
        var folder = FolderOf(file);
        if (Rows.ContainsKey(folder))
            return folder;
        // A folder directly below a provider's root needs its own row.
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
