namespace Slipstream.Packages.Tests;

/// <summary>Compiles the drivers, and all of their tests that need no server, for systems other than this one.</summary>
public sealed class PortableTests
{
    [Theory]
    [InlineData("win-x64")]
    [InlineData("osx-arm64")]
    public async Task The_byte_and_transcript_tests_compile_for_another_system(string system)
    {
        var root = Programs.Root();
        var folder = Path.Combine(root, "artifacts", "portable");
        var compiled = await Programs.RunAsync(
            root, "dotnet", "msbuild", Path.Combine("tests", "Packages", "Portable.targets"), $"-p:System={system}", $"-p:Folder={folder}", "-m", "-v:minimal",
            "-nologo", "-nodeReuse:false");
        Assert.True(compiled.ExitCode == 0, compiled.Output);
        // The warnings of the compiler and of the platform analysers; the SDK's warnings about a test package's folders do not concern the drivers.
        Assert.DoesNotMatch("warning (CS|CA|IL)", compiled.Output);
        foreach (var project in (string[])["Core.Tests", "MySql.Tests", "PostgreSql.Tests", "Transcripts.Tests"])
            Assert.True(
                File.Exists(Path.Combine(folder, "obj", project, $"release_{system}", $"{project}.dll")), $"{project} was not compiled.\n{compiled.Output}");
    }
}
