using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;
using System.Text.RegularExpressions;

namespace Slipstream.Architecture;

/// <summary>
/// Checks that the driver finds no type, method or assembly by a name, and generates no code at run time. Then no text of a server or a connection string can
/// choose the code that runs (CVE-2022-21724, and the column names that became code in other drivers). The check reads the references of the assemblies, where
/// aliases and helper methods hide nothing.
/// </summary>
public partial class NoCodeByName
{
    [Theory]
    [InlineData("Slipstream.Core.dll")]
    [InlineData("Slipstream.MySql.dll")]
    [InlineData("Slipstream.PostgreSql.dll")]
    public void Nothing_is_loaded_called_or_compiled_by_name(string assembly) =>
        Report.Empty(
            References(TheCoreAssembly.Built(assembly))
                .Where(name => Forbidden().IsMatch(name) && !(assembly == "Slipstream.PostgreSql.dll" && ForApplicationsTypes().IsMatch(name)))
                .Select(name => $"{assembly} uses {name}"));

    // The application maps its own types to types of PostgreSQL, names tuples, and lets System.Text.Json read its types. The names of a server choose only
    // among the members of such a type. These files, and no others, do so.
    private static readonly string[] ReadersOfApplicationsTypes =
    [
        "PostgreSql/Types/Converters/CompositeConverter.cs", "PostgreSql/Types/Converters/EnumConverter.cs", "PostgreSql/Types/EnumType.cs",
        "PostgreSql/Types/Nested/Tuples.cs", "PostgreSql/Types/Json/JsonValues.cs", "PostgreSql/Types/Json/SerializerJsonMapping.cs",
        "PostgreSql/Data/Connections/Mapping/TypeMappingBuilder.cs", "PostgreSql/Values/Ranges/PgRange.cs", "PostgreSql/Values/Ranges/RangeText.cs",
    ];

    [Fact]
    public void Only_the_mapping_of_types_reads_the_members_of_a_type() =>
        Report.Empty(
            from file in SourceFile.All
            where file.Path.Contains("PostgreSql/", StringComparison.Ordinal)
                && !ReadersOfApplicationsTypes.Contains(file.Path.TrimStart('/'), StringComparer.Ordinal)
            let word = MemberWords().Match(file.Code)
            where word.Success
            select $"{file.Path}: {word.Value}");

    // The packages above the drivers are checked as text. EF Core compiles queries from expressions and types that it makes, and
    // a provider makes some of them; a reader of JSON says by an expression where its instance is.
    [Fact]
    public void The_packages_above_load_nothing_by_name() =>
        Report.Empty(
            from file in Directory.EnumerateFiles(SourceFile.Root, "*.cs", SearchOption.AllDirectories)
            where !file.Contains("/obj/", StringComparison.Ordinal) && !file.Contains("/bin/", StringComparison.Ordinal)
            let path = Path.GetRelativePath(SourceFile.Root, file).Replace('\\', '/')
            from word in Words().Matches(SourceFile.Strip(File.ReadAllText(file)).Code)
            where word.Value is not ("Expression." or "MakeGenericType") || !(path.StartsWith("MySql.EntityFrameworkCore/Query/", StringComparison.Ordinal)
                || path == "MySql.EntityFrameworkCore/Storage/Mappings/JsonDecimals.cs")
            select $"{path}: {word.Value}");

    // Tests the check: this assembly does everything that is forbidden, and the check must find it.
    [Fact]
    public void What_is_forbidden_is_seen()
    {
        Assert.NotNull(Type.GetType("System.String"));
        Assert.NotNull(Activator.CreateInstance(typeof(object), nonPublic: true));
        Assert.NotNull(typeof(string).GetMethod("Clone")!.Invoke("a", null));
        Assert.Equal(2, System.Linq.Expressions.Expression.Lambda<Func<int>>(System.Linq.Expressions.Expression.Constant(2)).Compile()());
        var found = References(typeof(NoCodeByName).Assembly.Location).Where(name => Forbidden().IsMatch(name)).ToList();
        Assert.Contains("System.Type.GetType(String)", found);
        Assert.Contains(found, name => name.StartsWith("System.Activator.CreateInstance", StringComparison.Ordinal));
        Assert.Contains(found, name => name.StartsWith("System.Type.GetMethod", StringComparison.Ordinal));
        Assert.Contains(found, name => name.StartsWith("System.Reflection.MethodBase.Invoke", StringComparison.Ordinal));
        Assert.Contains(found, name => name.StartsWith("System.Linq.Expressions.Expression.", StringComparison.Ordinal));
    }

    private static List<string> References(string path)
    {
        using var file = new PEReader(File.OpenRead(path));
        var metadata = file.GetMetadataReader();
        return [.. metadata.MemberReferences.Select(metadata.GetMemberReference)
            .Where(member => member.Parent.Kind == HandleKind.TypeReference)
            .Select(member => $"{NameOf(metadata, (TypeReferenceHandle)member.Parent)}.{metadata.GetString(member.Name)}{FirstParameter(metadata, member)}")
            .Concat(metadata.TypeReferences.Select(type => NameOf(metadata, type) + "."))
            .Distinct()];
    }

    private static string NameOf(MetadataReader metadata, TypeReferenceHandle handle)
    {
        var type = metadata.GetTypeReference(handle);
        return type.ResolutionScope.Kind == HandleKind.TypeReference
            ? $"{NameOf(metadata, (TypeReferenceHandle)type.ResolutionScope)}.{metadata.GetString(type.Name)}"
            : $"{metadata.GetString(type.Namespace)}.{metadata.GetString(type.Name)}";
    }

    // Object.GetType() has no parameter, Type.GetType(String) has a name: "(String)" is enough to distinguish them.
    private static string FirstParameter(MetadataReader metadata, MemberReference member)
    {
        var signature = metadata.GetBlobReader(member.Signature);
        var header = signature.ReadSignatureHeader();
        if (header.Kind != SignatureKind.Method || header.IsGeneric || signature.ReadCompressedInteger() == 0)
            return "()";
        var result = signature.ReadSignatureTypeCode();
        if (result == SignatureTypeCode.TypeHandle)
            signature.ReadTypeHandle();
        return signature.RemainingBytes > 0 && signature.ReadSignatureTypeCode() == SignatureTypeCode.String ? "(String)" : "(…)";
    }

    // Of System.Text.Json, only writing JSON that the caller has read or built is allowed, because it creates no objects. (The options are the default of a
    // parameter of JsonNode.WriteTo.)
    [GeneratedRegex(
        @"^System\.Type\.(GetType\(String\)|GetMethods?\b|GetPropert|GetFields?\b|GetConstructors?\b|"
            + @"GetMembers?\b|InvokeMember|GetNestedType|MakeGenericType)|^System\.Activator\."
        + @"|^System\.Reflection\.Assembly\.(Load|UnsafeLoad|ReflectionOnly|GetType|CreateInstance)|^System\.AppDomain\.|"
            + @"^System\.Runtime\.Loader\.|^System\.Reflection\.Emit\.|^System\.Linq\.Expressions\."
        + @"|^System\.Reflection\.(MethodBase|MethodInfo|ConstructorInfo|PropertyInfo|FieldInfo|"
            + @"MethodInvoker|ConstructorInvoker)\.[A-Z]|^System\.Delegate\.(CreateDelegate|DynamicInvoke)"
        + @"|^System\.ComponentModel\.TypeDescriptor\.|^System\.Data\.Common\.DbProviderFactories\.|"
            + @"^System\.Runtime\.Serialization\.Formatters\.|^System\.Xml\.Serialization\.|^System\.Text\.Json\.(?!"
            + @"JsonDocument\.|JsonElement\.|Nodes\.JsonNode\.|Utf8JsonWriter\.|JsonWriterOptions\.|JsonSerializerOptions\.$)"
        + @"|^System\.Configuration\.|^Microsoft\.CSharp\.|^System\.CodeDom\.(?!Compiler\.GeneratedCode)|GetUninitializedObject")]
    private static partial Regex Forbidden();

    // What the application's types need.
    [GeneratedRegex(
        @"^System\.Text\.Json\.|^System\.Type\.(GetMethods|GetConstructors?|GetProperties|GetFields)\b|^System\.Reflection\.(MethodInfo\.MakeGenericMethod"
        + @"|MethodBase\.(Invoke|GetParameters)|ConstructorInfo\.Invoke|FieldInfo\.[GS]etValue|PropertyInfo\.[GS]etValue)"
        + @"|^System\.ComponentModel\.TypeDescriptor\.")]
    private static partial Regex ForApplicationsTypes();

    [GeneratedRegex(
        @"\bGet(Methods|Constructors?|Properties|Fields)\(|\bMakeGeneric(Type|Method)\b|\bMethodInfo\b|\bConstructorInfo\b|\bPropertyInfo\b|\bFieldInfo\b"
        + @"|\bJsonSerializer\b|\bTypeDescriptor\b")]
    private static partial Regex MemberWords();

    [GeneratedRegex(
        @"\bType\.GetType\(|\bActivator\b|\bAssembly\.Load|\bDynamicMethod\b|\bExpression\.|\bReflection\.Emit\b|"
            + @"\bGetMethod\(|\bInvokeMember\b|\bMakeGenericType\b|\bBinaryFormatter\b|\bdynamic\b")]
    private static partial Regex Words();
}
