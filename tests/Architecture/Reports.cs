using System.Reflection.Metadata;
using System.Reflection.PortableExecutable;
using System.Text.RegularExpressions;

namespace Slipstream.Architecture;

/// <summary>Prints figures for an occasional review. Lengths are not rules, so these tests never fail because of them.</summary>
public class Reports
{
    private const int Shown = 10;

    [Fact]
    public void Longest_files()
    {
        var files = SourceFile.All.Select(file => (file.Path, Lines: file.Code.Count(letter => letter == '\n')))
            .OrderByDescending(file => file.Lines)
            .Take(Shown)
            .ToList();
        Assert.NotEmpty(files);
        Print("Longest files", files.Select(file => $"{file.Lines,5}  {file.Path}"));
    }

    [Fact]
    public void Longest_methods()
    {
        var methods = SourceFile.All.SelectMany(file => Methods(file.Code).Select(method => (file.Path, method.Name, method.Lines)))
            .OrderByDescending(method => method.Lines).Take(Shown).ToList();
        Assert.NotEmpty(methods);
        Print("Longest methods", methods.Select(method => $"{method.Lines,5}  {method.Path} {method.Name}"));
    }

    [Fact]
    public void Members_of_the_core_that_only_one_provider_uses()
    {
        var mySql = MembersOfTheCoreUsedBy("Slipstream.MySql.dll");
        var postgreSql = MembersOfTheCoreUsedBy("Slipstream.PostgreSql.dll");
        Assert.NotEmpty(mySql.Union(postgreSql));
        Print("Members of the core that only MySql uses", mySql.Except(postgreSql).Order(StringComparer.Ordinal).Select(name => "       " + name));
        Print("Members of the core that only PostgreSql uses", postgreSql.Except(mySql).Order(StringComparer.Ordinal).Select(name => "       " + name));
    }

    private static HashSet<string> MembersOfTheCoreUsedBy(string assembly)
    {
        using var file = new PEReader(File.OpenRead(TheCoreAssembly.Built(assembly)));
        var metadata = file.GetMetadataReader();
        var used = new HashSet<string>();
        foreach (var handle in metadata.MemberReferences)
        {
            var member = metadata.GetMemberReference(handle);
            var parent = member.Parent;
            if (parent.Kind == HandleKind.TypeSpecification)
            {
                // An instance of a generic type: its blob names the type after 0x15 (GENERICINST) and 0x12 or 0x11 (class or value type).
                var blob = metadata.GetBlobReader(metadata.GetTypeSpecification((TypeSpecificationHandle)parent).Signature);
                if (blob.ReadByte() != 0x15)
                    continue;
                blob.ReadByte();
                parent = blob.ReadTypeHandle();
            }

            if (parent.Kind == HandleKind.TypeReference && metadata.GetTypeReference((TypeReferenceHandle)parent) is var type && IsCore(metadata, type))
                used.Add($"{metadata.GetString(type.Namespace)}.{metadata.GetString(type.Name)}.{metadata.GetString(member.Name)}");
        }

        return used;
    }

    private static bool IsCore(MetadataReader metadata, TypeReference type) =>
        type.ResolutionScope.Kind == HandleKind.AssemblyReference
        && metadata.GetString(metadata.GetAssemblyReference((AssemblyReferenceHandle)type.ResolutionScope).Name) == "Slipstream.Core";

    // A block whose head ends with a closing bracket, and whose parent is a type.
    private static IEnumerable<(string Name, int Lines)> Methods(string code)
    {
        var blocks = new Stack<(bool IsType, string? Method, int Line)>();
        var (line, head) = (1, 0);
        for (var i = 0; i < code.Length; i++)
        {
            switch (code[i])
            {
                case '\n':
                    line++;
                    break;
                case ';':
                    head = i + 1;
                    break;
                case '{':
                    var text = code[head..i].Trim();
                    var isType = Regex.IsMatch(text, @"\b(class|struct|interface|record|enum)\b");
                    var match = Regex.Match(text, @"\b(?!new\b)(\w+)\s*(<[^()]*>)?\([^{}]*\)[^=]*$", RegexOptions.Singleline);
                    blocks.Push((isType, !isType && match.Success && blocks.TryPeek(out var outer) && outer.IsType ? match.Groups[1].Value : null, line));
                    head = i + 1;
                    break;
                case '}':
                    if (blocks.TryPop(out var block) && block.Method is { } name)
                        yield return (name, line - block.Line + 1);
                    head = i + 1;
                    break;
            }
        }
    }

    private static void Print(string title, IEnumerable<string> lines) =>
        Console.WriteLine(title + ":\n" + string.Join('\n', lines));
}
