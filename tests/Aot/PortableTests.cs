namespace Slipstream.Aot.Tests;

/// <summary>The drivers, and all tests of them that need no server, compiled for systems that are not here.</summary>
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
            root, "dotnet", "msbuild", Path.Combine("tests", "Aot", "Portable.targets"), $"-p:System={system}", $"-p:Folder={folder}", "-m", "-v:minimal", "-nologo", "-nodeReuse:false");
        Assert.True(compiled.ExitCode == 0, compiled.Output);
        // The compiler's and the platform analysers'; what the SDK thinks of a test package's folders is none of the drivers'.
        Assert.DoesNotMatch("warning (CS|CA|IL)", compiled.Output);
        foreach (var project in (string[])["Core.Tests", "MySql.Tests", "PostgreSql.Tests", "Transcripts.Tests"])
            Assert.True(File.Exists(Path.Combine(folder, "obj", project, $"release_{system}", $"{project}.dll")), $"{project} was not compiled.\n{compiled.Output}");
    }
}
