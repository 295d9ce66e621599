using System.Globalization;
using System.Text;

namespace Slipstream.Equivalence.Language;

/// <summary>The environment of a finding.</summary>
/// <param name="IsPostgreSql">Whether the provider is PostgreSQL's.</param>
/// <param name="SetUp">The statements that create the tables.</param>
/// <param name="Database">The database that they create, or that must exist.</param>
/// <param name="Questions">The queries about the state of a lease.</param>
internal sealed record Stage(bool IsPostgreSql, string SetUp, string Database, IReadOnlyList<string> Questions);

/// <summary>One of the two sides of a printed finding.</summary>
/// <param name="Options">The options in the connection string.</param>
/// <param name="Way">Blocking or asynchronous, if the sides differ in that.</param>
/// <param name="IsTls">Whether the side uses TLS.</param>
/// <param name="IsPeer">Whether the side is the other driver.</param>
internal sealed record PrintedSide(string Options, CSharpWay Way, bool IsTls, bool IsPeer);

/// <summary>
/// Writes a program as a self-contained C# file. The file creates the tables, executes the steps under both configurations, and exits with 1 if the answers
/// differ. <c>dotnet run finding.cs</c> runs it.
/// </summary>
internal static class CSharpFile
{
    /// <summary>Returns the text of the file.</summary>
    public static string Of(EquivalenceProgram program, Stage stage, PrintedSide first, PrintedSide second)
    {
        var prefix = stage.IsPostgreSql ? "Pg" : "MySql";
        var text = new StringBuilder();
        var isPeers = first.IsPeer || second.IsPeer;
        text.Append(Head(stage, prefix, isPeers)).Append('\n');
        text.Append(CultureInfo.InvariantCulture, $$"""
            #pragma warning disable
            return await Finding.Run(args);

            internal sealed class Finding(DbProviderFactory factory, DbDataSource source, string connectionString, string administrator, bool isAsync, bool isPeers)
            {
                private const int poolSize = {{program.PoolSize}};
                private const string killing = "{{(stage.IsPostgreSql ? "SELECT pg_terminate_backend({0})" : "KILL {0}")}}";
                private const string presence = "{{(stage.IsPostgreSql ? "SELECT 1 FROM pg_stat_activity WHERE pid = {0}" : "SELECT 1 FROM information_schema.processlist WHERE id = {0}")}}";
                private const string markQuestion = "SELECT n FROM {{stage.Database}}.mark WHERE m = 1";
                private static readonly string[] questions = [{{string.Join(", ", stage.Questions.Select(CSharpText.Literal))}}];
                private readonly List<string> told = [];
                private readonly HashSet<long> idle = [];
                private readonly List<string> heard = [];
                private int step;

            """);
        var users = program.Steps.Select(static step => step.User)
            .Concat(program.Steps.OfType<EnlistStep>().Select(static step => step.Other))
            .Where(static user => user >= 0)
            .Distinct()
            .Order()
            .ToList();
        foreach (var user in users)
            text.Append(CultureInfo.InvariantCulture, $"    private DbConnection u{user} = null!;\n    private DbTransaction? t{user};\n");
        text.Append(
            CultureInfo.InvariantCulture,
            $"    private IEnumerable<DbConnection?> open => [{string.Join(", ", users.Select(static user => $"u{user}"))}];\n\n");
        text.Append(CultureInfo.InvariantCulture, $$"""
                public static async Task<int> Run(string[] args)
                {
                    string Given(int i, string name) => args.Length > i ? args[i] : Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException("set " + name);
                    var user = Given(0, "SLIPSTREAM_FINDING") + {{CSharpText.Literal(Common(stage))}};
                    var administrator = Given(1, "SLIPSTREAM_FINDING_ADMIN") + ";Pooling=false";
                    var first = {{Side(first, stage, program.PoolSize, isPeers)}};
                    var second = {{Side(second, stage, program.PoolSize, isPeers)}};
                    for (var i = 0; i < Math.Max(first.Count, second.Count); i++)
                    {
                        var (one, other) = (i < first.Count ? first[i] : "(nothing)", i < second.Count ? second[i] : "(nothing)");
                        if (one == other)
                            continue;
                        Console.WriteLine($"the first side:  {one}\nthe second side: {other}");
                        return 1;
                    }

                    Console.WriteLine($"{first.Count} lines, no difference");
                    return 0;
                }

                private static async Task<List<string>> ToldBy(DbProviderFactory factory, DbDataSource source, string connectionString, string administrator, bool isAsync, bool isPeers)
                {
                    await using (source)
                    {
                        var finding = new Finding(factory, source, connectionString, administrator, isAsync, isPeers);
                        finding.SetUp();
                        await finding.Steps();
                        foreach (var connection in finding.open)
                            connection?.Dispose();
                        foreach (var table in new[] { {{string.Join(", ", Tables(stage).Select(CSharpText.Literal))}} })
                            finding.told.AddRange(finding.Rows(administrator, "SELECT * FROM " + table).Order(StringComparer.Ordinal).Select(row => $"{table}: {row}"));
                        return finding.told;
                    }
                }

                private void SetUp() => Execute(administrator, {{CSharpText.Literal(stage.SetUp)}});

                private static long SessionOf(DbConnection? c) => c switch
                {
                    { State: not ConnectionState.Open } or null => 0,
                    {{prefix}}Connection ours => ours.{{(stage.IsPostgreSql ? "ProcessID" : "ServerThread")}},
                    _ => 0,
                };

                private async Task Steps()
                {

            """);
        var way = new CSharpWay(null, isPeers);
        for (var i = 0; i < program.Steps.Length; i++)
        {
            text.Append(CultureInfo.InvariantCulture, $"        step = {i}; // {program.Steps[i].Kind}\n");
            foreach (var line in CSharpText.Lines(program.Steps[i], prefix, first.Way == second.Way ? new(program.Steps[i].Async, isPeers) : way))
                text.Append(line.Length == 0 ? "" : "        ").Append(line).Append('\n');
        }

        text.Append("    }\n\n").Append(Resource("FindingHelp.txt")).Append("}\n");
        if (program.Steps.Any(static step => step is BulkStep))
            text.Append('\n').Append(Type("RowReader.cs"));
        if (stage.IsPostgreSql || program.Steps.Any(Streams))
            text.Append('\n').Append(Type("TestStream.cs"));
        if (stage.IsPostgreSql)
            text.Append('\n').Append(Type("PgTypes.cs")).Append('\n').Append(Type("TypedReading.cs")).Append('\n').Append(Type("PgCalls.cs"));
        return text.ToString();
    }

    private static string Head(Stage stage, string prefix, bool isPeers)
    {
        var (folder, package) = stage.IsPostgreSql ? ("PostgreSql", "Npgsql") : ("MySql", "MySqlConnector");
        var must = stage.IsPostgreSql ? $" The database {stage.Database} must be there, and the administrator's." : "";
        return $"""
            // dotnet run finding.cs: saved in the root of the repository. SLIPSTREAM_FINDING is the connection string of an ordinary user, SLIPSTREAM_FINDING_ADMIN an administrator's.{must}
            #:project src/{folder}/Slipstream.{folder}.csproj
            {(isPeers ? $"#:package {package}\n" : "")}#:property TreatWarningsAsErrors=false
            #:property RunAnalyzers=false
            #:property PublishAot=false
            using System;
            using System.Collections;
            using System.Collections.Generic;
            using System.Data;
            using System.Data.Common;
            using System.Globalization;
            using System.IO;
            using System.Linq;
            using System.Net;
            using System.Net.NetworkInformation;
            using System.Numerics;
            using System.Reflection;
            using System.Text;
            using System.Text.Json;
            using System.Text.Json.Nodes;
            using System.Threading;
            using System.Threading.Tasks;
            using Slipstream.{folder};
            {(isPeers && stage.IsPostgreSql ? "using NpgsqlTypes;" : "")}

            """;
    }

    private static string Common(Stage stage) => stage.IsPostgreSql
        ? $";Database={stage.Database};Search Path={stage.Database},eqt,public;Command Timeout=20;Include Error Detail=true"
        : $";Database={stage.Database};Default Command Timeout=20;Allow User Variables=true;Allow Load Local Infile=true";

    private static string Side(PrintedSide side, Stage stage, int poolSize, bool isPeers)
    {
        var tls = (stage.IsPostgreSql, side.IsTls) switch
        {
            (true, true) => "SSL Mode=Require",
            (true, false) => "SSL Mode=Disable",
            (false, true) => "SSL Mode=Required",
            _ => "SSL Mode=None;Allow Public Key Retrieval=true"
        };
        var more = side.IsPeer && stage.IsPostgreSql ? "Max Auto Prepare=0" : side.Options;
        var connection = $"user + {CSharpText.Literal(string.Create(CultureInfo.InvariantCulture, $";{tls};Maximum Pool Size={poolSize};{more}"))}";
        var (factory, source) = (stage.IsPostgreSql, side.IsPeer) switch
        {
            (true, true) => ("Npgsql.NpgsqlFactory.Instance", $"new Npgsql.NpgsqlDataSourceBuilder({connection}){Mappings}"),
            (true, false) => ("PgFactory.Instance", $"new PgDataSourceBuilder({connection}){Mappings}"),
            (false, true) => ("MySqlConnector.MySqlConnectorFactory.Instance", $"new MySqlConnector.MySqlDataSourceBuilder({connection}).Build()"),
            _ => ("MySqlConnectorFactory.Instance", $"new MySqlDataSource({connection})"),
        };
        return $"await ToldBy({factory}, {source}, {connection}, administrator, {(side.Way.IsAsync == true ? "true" : "false")}, "
            + $"{(isPeers ? "true" : "false")})";
    }

    // As Driver creates its data sources.
    private const string Mappings = ".MapEnum<Mood>(\"mapped_mood\").MapComposite<Address>(\"mapped_addr\").EnableDynamicJson().Build()";

    private static IEnumerable<string> Tables(Stage stage) =>
        ((string[])["t1", "t2", "k1", stage.IsPostgreSql ? "kid" : "m1"]).Select(table => $"{stage.Database}.{table}")
            .Concat(stage.IsPostgreSql ? [$"{stage.Database}.kt", $"{stage.Database}.kc"] : (string[])[]);

    private static bool Streams(Step step)
    {
        static bool IsStream(Arg arg) => arg.Kind is ArgKind.Stream or ArgKind.BrokenStream or ArgKind.Opaque;
        return step switch
        {
            CommandStep command => command.Text.Args.Any(IsStream),
            BatchStep batch => batch.Commands.Any(static text => text.Args.Any(IsStream)),
            BulkStep bulk => bulk.Rows.Any(static row => row.Any(IsStream)),
            _ => false,
        };
    }

    // The types of one of the check's source files, without its usings and namespace.
    private static string Type(string name)
    {
        var source = Resource(name);
        return source[source.IndexOf("/// <summary>", StringComparison.Ordinal)..];
    }

    private static string Resource(string name)
    {
        using var reader = new StreamReader(typeof(CSharpFile).Assembly.GetManifestResourceStream(name)!);
        return reader.ReadToEnd();
    }
}
