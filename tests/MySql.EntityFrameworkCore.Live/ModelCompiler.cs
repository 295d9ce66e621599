using System.Reflection;
using System.Runtime.Loader;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Design;
using Microsoft.EntityFrameworkCore.Infrastructure;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.Scaffolding;
using Microsoft.Extensions.DependencyInjection;
using Slipstream.MySql.EntityFrameworkCore.Design;

namespace Slipstream.MySql.EntityFrameworkCore.Live;

/// <summary>Compiles the model of a context, as <c>dotnet ef dbcontext optimize</c> does.</summary>
internal static class ModelCompiler
{
    /// <param name="context">The context. It and its entity types are public.</param>
    /// <param name="isNative">Whether the code is for NativeAOT: it then contains the expressions of converters.</param>
    public static IModel Compile(DbContext context, bool isNative = false)
    {
        var services = new ServiceCollection().AddEntityFrameworkDesignTimeServices();
        new MySqlDesignTimeServices().ConfigureDesignTimeServices(services);
        services.AddDbContextDesignTimeServices(context);
        using var provider = services.BuildServiceProvider();
        var name = context.GetType().Name;
        var options = new CompiledModelCodeGenerationOptions
        {
            ContextType = context.GetType(), ModelNamespace = "Compiled", Language = "C#", UseNullableReferenceTypes = true, ForNativeAot = isNative,
        };
        var files = provider.GetRequiredService<ICompiledModelCodeGeneratorSelector>().Select(options)
            .GenerateModel(context.GetService<IDesignTimeModel>().Model, options);

        var assemblies = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator);
        var compilation = CSharpCompilation.Create(
            $"Compiled{name}", files.Select(static file => CSharpSyntaxTree.ParseText(file.Code)),
            assemblies.Select(static path => MetadataReference.CreateFromFile(path)), new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        using var image = new MemoryStream();
        var result = compilation.Emit(image);
        Assert.True(result.Success, string.Join('\n', result.Diagnostics.Where(static one => one.Severity == DiagnosticSeverity.Error)));
        image.Position = 0;
        var type = AssemblyLoadContext.Default.LoadFromStream(image).GetType($"Compiled.{name}Model", throwOnError: true)!;
        return (IModel)type.GetProperty("Instance", BindingFlags.Public | BindingFlags.Static)!.GetValue(null)!;
    }
}
