namespace Slipstream.Tool.Tests;

/// <summary>A folder outside the repository, whose files of properties must not take part.</summary>
internal sealed class TemporaryFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("slipstream-tool-").FullName;

    /// <summary>Returns a copy of a sample solution.</summary>
    public static TemporaryFolder Of(string fixture)
    {
        var folder = new TemporaryFolder();
        var from = System.IO.Path.Combine(AppContext.BaseDirectory, "Fixtures", fixture);
        foreach (var file in Directory.EnumerateFiles(from, "*", SearchOption.AllDirectories))
        {
            var to = folder[System.IO.Path.GetRelativePath(from, file)];
            Directory.CreateDirectory(System.IO.Path.GetDirectoryName(to)!);
            File.Copy(file, to);
        }

        return folder;
    }

    /// <summary>Returns a folder with one project and one source file.</summary>
    public static TemporaryFolder With(string package, string source)
    {
        var folder = new TemporaryFolder();
        File.WriteAllText(
            folder["App.csproj"],
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <TargetFramework>net10.0</TargetFramework>
              </PropertyGroup>
              <ItemGroup>
                <PackageReference Include="{package}" Version="1.0.0" />
              </ItemGroup>
            </Project>

            """);
        File.WriteAllText(folder["App.cs"], source);
        return folder;
    }

    /// <summary>Returns the text of a project with these items.</summary>
    public static string Project(string items) =>
        "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>net10.0</TargetFramework></PropertyGroup>"
        + $"<ItemGroup>{items}</ItemGroup></Project>\n";

    /// <summary>Writes a file, and makes its folder if it is missing.</summary>
    public void Add(string name, string text)
    {
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(this[name])!);
        File.WriteAllText(this[name], text);
    }

    public string this[string name] => System.IO.Path.Combine(Path, name);

    public string Text(string name) => File.ReadAllText(this[name]);

    /// <summary>Returns the bytes of every file, to see whether something was written.</summary>
    public Dictionary<string, byte[]> Everything() =>
        Directory.EnumerateFiles(Path, "*", SearchOption.AllDirectories).ToDictionary(static file => file, File.ReadAllBytes);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
