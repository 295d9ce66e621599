using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Text.RegularExpressions;

namespace Slipstream.Architecture;

/// <summary>Checks the built assembly, not the source, so that names and texts added by generators and the compiler count, too.</summary>
public class TheCoreAssembly
{
    [Fact]
    public void Contains_no_database_name_in_names_or_texts()
    {
        using var file = new PEReader(File.OpenRead(Built("Slipstream.Core.dll")));
        var metadata = file.GetMetadataReader();
        var names = new List<string>();
        for (var handle = MetadataTokens.StringHandle(1); !handle.IsNil; handle = metadata.GetNextHandle(handle))
            names.Add(metadata.GetString(handle));
        for (var handle = MetadataTokens.UserStringHandle(1); !handle.IsNil; handle = metadata.GetNextHandle(handle))
            names.Add(metadata.GetUserString(handle));

        Assert.Contains("SessionPool`1", names);
        Assert.Contains(names, text => text.Contains("The server closed the connection: "));
        Assert.DoesNotContain(names, name => Regex.IsMatch(name, @"(?i)mysql|mariadb|postgres|npgsql|(?-i:\bPg[A-Z])"));
    }

    [Theory]
    [InlineData("Slipstream.Core.dll", new string[0])]
    [InlineData("Slipstream.MySql.dll", new[] { "Slipstream.Core" })]
    [InlineData("Slipstream.PostgreSql.dll", new[] { "Slipstream.Core" })]
    public void References_only_what_it_may(string assembly, string[] expected)
    {
        using var file = new PEReader(File.OpenRead(Built(assembly)));
        var metadata = file.GetMetadataReader();
        var references = metadata.AssemblyReferences.Select(handle => metadata.GetString(metadata.GetAssemblyReference(handle).Name)).ToList();
        Assert.Equal(expected.Order(), references.Where(name => name.StartsWith("Slipstream", StringComparison.Ordinal)).Order());
        Assert.All(references, name => Assert.Matches(@"^(System|Microsoft\.(Extensions|Win32))\b|^Slipstream\.|^netstandard$", name));
    }

    // Everything else runs on Windows and macOS as it does on Linux. This type is used only on Linux.
    [Theory]
    [InlineData("Slipstream.Core.dll", new[] { "Slipstream.Core.Wires.Epoll" })]
    [InlineData("Slipstream.MySql.dll", new string[0])]
    [InlineData("Slipstream.PostgreSql.dll", new string[0])]
    public void Calls_the_operating_system_in_the_completion_engine_only(string assembly, string[] expected)
    {
        using var file = new PEReader(File.OpenRead(Built(assembly)));
        var metadata = file.GetMetadataReader();
        var callers =
            from handle in metadata.MethodDefinitions
            let method = metadata.GetMethodDefinition(handle)
            where (method.Attributes & MethodAttributes.PinvokeImpl) != 0
            let type = metadata.GetTypeDefinition(method.GetDeclaringType())
            select $"{metadata.GetString(type.Namespace)}.{metadata.GetString(type.Name)}";
        Assert.Equal(expected, callers.Distinct());
    }

    internal static string Built(string assembly) => Path.Combine(AppContext.BaseDirectory, assembly);
}
