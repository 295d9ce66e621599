using System.Reflection;
using PublicApiGenerator;

namespace Slipstream.Architecture.Api;

/// <summary>Compares the public API of each package with its text in docs/api, so that a review shows every change.</summary>
public class PublicApi
{
    private const string UpdateVariable = "SLIPSTREAM_UPDATE_DOCS";

    private static readonly string Folder = Path.Combine(Path.GetDirectoryName(SourceFile.Root)!, "docs", "api");

    // Extension methods are in the namespaces that their users import, so no namespace is left out.
    private static readonly ApiGeneratorOptions Options = new() { IncludeAssemblyAttributes = false, DenyNamespacePrefixes = [] };

    public static TheoryData<string> Packages => [.. ShippedPackages.Names];

    [Theory]
    [MemberData(nameof(Packages))]
    public void The_public_surface_is_the_approved_one(string package)
    {
        var path = Path.Combine(Folder, $"{package}.txt");
        var surface = Assembly.Load(package).GeneratePublicApi(Options).ReplaceLineEndings("\n").TrimEnd() + "\n";
        if (Environment.GetEnvironmentVariable(UpdateVariable) is { Length: > 0 })
        {
            Directory.CreateDirectory(Folder);
            File.WriteAllText(path, surface);
            return;
        }

        var approved = File.Exists(path) ? File.ReadAllText(path) : "";
        var difference = LineDifference.Between(approved.Split('\n'), surface.Split('\n'));
        Assert.True(
            difference.Count == 0,
            $"""
            The public surface of {package} is not docs/api/{package}.txt.
            Is the change meant? Then run this test once with {UpdateVariable}=1 and commit the file.

            """ + string.Join('\n', difference));
    }

    [Fact]
    public void Each_text_has_its_package() =>
        Assert.Equal(
            ShippedPackages.Names,
            Directory.EnumerateFiles(Folder).Select(static path => Path.GetFileNameWithoutExtension(path)).Order(StringComparer.Ordinal));

    [Fact]
    public void A_difference_names_the_type_around_it() =>
        Assert.Equal(
            ["  class A", "-     int Old;", "+     int New;", "  class B", "+     int More;"],
            LineDifference.Between(
                ["class A", "    {", "    int Old;", "    }", "class B", "    {", "    }"],
                ["class A", "    {", "    int New;", "    }", "class B", "    {", "    int More;", "    }"]));
}
