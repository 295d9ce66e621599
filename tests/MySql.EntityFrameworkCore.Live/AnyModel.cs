using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Design;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Migrations;
using Microsoft.EntityFrameworkCore.Migrations.Design;
using Microsoft.EntityFrameworkCore.Migrations.Operations;
using Microsoft.Extensions.DependencyInjection;
using Slipstream.MySql.EntityFrameworkCore.Design;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>A context whose model a test builds. What migrations do, it can do between two of them.</summary>
internal sealed class AnyModel(DbContextOptions options, Action<ModelBuilder> build) : DbContext(options)
{
    private Action<ModelBuilder> Build { get; } = build;

    public IModel DesignModel => this.GetService<IDesignTimeModel>().Model;

    protected override void OnConfiguring(DbContextOptionsBuilder optionsBuilder) => optionsBuilder.ReplaceService<IModelCacheKeyFactory, ByBuild>();

    protected override void OnModelCreating(ModelBuilder modelBuilder) => Build(modelBuilder);

    /// <summary>What a migration from another model to this one does.</summary>
    public IReadOnlyList<MigrationOperation> DifferencesFrom(IModel? before) =>
        this.GetService<IMigrationsModelDiffer>().GetDifferences(before?.GetRelationalModel(), DesignModel.GetRelationalModel());

    /// <summary>The SQL of a migration from another model to this one.</summary>
    public string SqlFrom(IModel? before) => string.Concat(CommandsFrom(before).Select(static command => command.CommandText));

    /// <summary>Runs a migration from another model to this one.</summary>
    public Task MigrateFromAsync(IModel? before, CancellationToken cancellationToken) => this.GetService<IMigrationCommandExecutor>()
        .ExecuteNonQueryAsync(CommandsFrom(before), this.GetService<Microsoft.EntityFrameworkCore.Storage.IRelationalConnection>(), cancellationToken);

    /// <summary>The model of the snapshot that <c>dotnet ef migrations add</c> writes, compiled.</summary>
    public (IModel Model, string Code) ReadSnapshot()
    {
        var services = new ServiceCollection().AddEntityFrameworkDesignTimeServices();
        new MySqlDesignTimeServices().ConfigureDesignTimeServices(services);
        services.AddDbContextDesignTimeServices(this);
        using var provider = services.BuildServiceProvider();
        using var scope = provider.CreateScope();
        var code = scope.ServiceProvider.GetRequiredService<IMigrationsCodeGeneratorSelector>().Select("C#")
            .GenerateSnapshot("Snapshots", typeof(DbContext), "Snapshot", DesignModel);
        var assemblies = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        var compilation = CSharpCompilation.Create(
            $"Snapshot{Guid.NewGuid():N}", [CSharpSyntaxTree.ParseText(code)],
            assemblies.Select(static path => MetadataReference.CreateFromFile(path)), new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        using var image = new MemoryStream();
        var result = compilation.Emit(image);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics.Where(static one => one.Severity == DiagnosticSeverity.Error)) + code);
        image.Position = 0;
        var type = AssemblyLoadContext.Default.LoadFromStream(image).GetType("Snapshots.Snapshot", throwOnError: true)!;
        var model = ((ModelSnapshot)Activator.CreateInstance(type, nonPublic: true)!).Model;
        return (this.GetService<IModelRuntimeInitializer>().Initialize(
            model is IMutableModel mutable ? mutable.FinalizeModel() : model, designTime: true, validationLogger: null), code);
    }

    private IReadOnlyList<MigrationCommand> CommandsFrom(IModel? before) =>
        this.GetService<IMigrationsSqlGenerator>().Generate(DifferencesFrom(before), DesignModel);

    private sealed class ByBuild : IModelCacheKeyFactory
    {
        public object Create(DbContext context, bool designTime) => (((AnyModel)context).Build.GetMethodInfo(), designTime);
    }
}
