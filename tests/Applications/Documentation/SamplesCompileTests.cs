using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Slipstream.Documentation;

/// <summary>
/// Each sample of the documentation compiles against the drivers. A sample that imports namespaces is a complete program, apart from names such as
/// <c>stoppingToken</c>; the others continue a page, and get the namespaces of their driver.
/// </summary>
public class SamplesCompileTests
{
    // Samples for a package that this repository does not reference.
    private const string Foreign = "FluentMigrator";

    private static readonly CSharpParseOptions Parsing = CSharpParseOptions.Default.WithLanguageVersion(LanguageVersion.Latest);

    private static readonly CSharpCompilationOptions Options =
        new CSharpCompilationOptions(OutputKind.ConsoleApplication).WithNullableContextOptions(NullableContextOptions.Enable);

    // The implicit usings of the SDK for web projects.
    private static readonly string[] Implicit =
        [
            "System", "System.Collections.Generic", "System.IO", "System.Linq", "System.Net.Http", "System.Net.Http.Json", "System.Threading",
            "System.Threading.Tasks", "Microsoft.AspNetCore.Builder", "Microsoft.AspNetCore.Hosting", "Microsoft.AspNetCore.Http",
            "Microsoft.AspNetCore.Routing", "Microsoft.Extensions.Configuration", "Microsoft.Extensions.DependencyInjection",
            "Microsoft.Extensions.Hosting", "Microsoft.Extensions.Logging",
        ];

    // What a sample without usings assumes.
    private static readonly string[] Assumed =
    [
        "System.Data", "System.Data.Common", "System.Globalization", "Dapper", "Slipstream.Core.Causality", "Slipstream.Core.Errors", "Slipstream.Core.Pooling",
    ];

    private static readonly Lazy<IReadOnlyList<MetadataReference>> References = new(FindReferences);

    [Fact]
    public void Each_sample_compiles()
    {
        var samples = Sample.All.Where(static sample => !sample.Code.Contains(Foreign, StringComparison.Ordinal)).ToArray();
        Assert.True(samples.Length > 80, $"only {samples.Length} samples were found");
        var errors = samples.SelectMany(static sample => Errors(sample).Select(error => $"{sample}: {error}")).ToArray();
        Assert.True(errors.Length == 0, $"{errors.Length} errors:\n{string.Join('\n', errors)}");
    }

    [Fact]
    public void A_member_that_does_not_exist_is_noticed()
    {
        Assert.Contains("CS1061", Assert.Single(Errors(new("a page", 1, 1, "connection.OpenSesame(); new PgCommand();"))), StringComparison.Ordinal);
        Assert.Contains("CS0246", Assert.Single(Errors(new("a page", 1, 1, "using System;\nvar x = new PgCommand();"))), StringComparison.Ordinal);
    }

    private static IEnumerable<string> Errors(Sample sample)
    {
        var compilation = CSharpCompilation.Create(
            "Sample",
            [CSharpSyntaxTree.ParseText(sample.AsFile(), Parsing), CSharpSyntaxTree.ParseText(Imports(sample), Parsing)],
            References.Value,
            Options);
        return compilation.GetDiagnostics()
            // A file of types only is not a program.
            .Where(static one => one is { Severity: DiagnosticSeverity.Error, Id: not "CS5001" })
            .Select(one => $"line {sample.Line + one.Location.GetLineSpan().StartLinePosition.Line}: {one.Id} {one.GetMessage()}");
    }

    private static string Imports(Sample sample)
    {
        var usings = Implicit.ToList();
        if (!sample.HasUsings)
        {
            usings.AddRange(Assumed);
            if (sample.UsesMySql)
                usings.Add("Slipstream.MySql");
            if (sample.UsesPostgreSql)
                usings.AddRange(["Slipstream.PostgreSql", "Slipstream.PostgreSql.Replication", "NetTopologySuite.Geometries", "Pgvector"]);
            // Not the whole namespace, which has an IsolationLevel of its own.
            usings.AddRange(
                from type in new[] { "TransactionOptions", "TransactionScope", "TransactionScopeAsyncFlowOption", "TransactionScopeOption" }
                select $"{type} = System.Transactions.{type}");
        }

        usings.Add($"static {typeof(SampleNames).FullName}");
        usings.Add($"static {Names(sample).FullName}");
        return string.Concat(usings.Select(static name => $"global using {name};\n"));
    }

    private static Type Names(Sample sample) => sample switch
    {
        _ when sample.Code.Contains("builder.Services", StringComparison.Ordinal) => typeof(WebSampleNames),
        { UsesPostgreSql: true, UsesMySql: false } => typeof(PgSampleNames),
        _ => typeof(MySqlSampleNames),
    };

    // The assemblies of this program, and those of ASP.NET beside the runtime.
    private static IReadOnlyList<MetadataReference> FindReferences()
    {
        var runtime = new DirectoryInfo(Path.GetDirectoryName(typeof(object).Assembly.Location)!);
        var web = new DirectoryInfo(Path.Combine(runtime.Parent!.Parent!.FullName, "Microsoft.AspNetCore.App", runtime.Name));
        Assert.True(web.Exists, $"{web} is missing: install the .NET SDK, which contains ASP.NET");
        return
        [
            .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
                .Concat(web.EnumerateFiles("*.dll").Select(static file => file.FullName))
                .DistinctBy(Path.GetFileName).Where(static path => path.EndsWith(".dll", StringComparison.Ordinal))
                .Select(static path => MetadataReference.CreateFromFile(path)),
        ];
    }
}
