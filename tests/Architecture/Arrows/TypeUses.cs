using System.Reflection;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;
using System.Reflection.PortableExecutable;

namespace Slipstream.Architecture.Arrows;

/// <summary>A use of one of our types by another: the file, the type that uses, and the outermost type that is used.</summary>
internal readonly record struct TypeUse(string File, string User, string Used);

/// <summary>A constant: the simple name of its declaring type, its name, and its outermost type.</summary>
internal readonly record struct Constant(string DeclaredIn, string Name, string Type);

/// <summary>
/// One built assembly and its symbols: the file that declares each type, and the types that bases, interfaces, constraints, attributes, fields, signatures and
/// method bodies name. Imports do not show all uses, because types of the same namespace need none. Constants are missing, because the compiler writes their
/// values: see <see cref="ConstantUses"/>.
/// </summary>
internal sealed class TypeUses : IDisposable
{
    // https://github.com/dotnet/runtime/blob/main/docs/design/specs/PortablePdb-Metadata.md#type-definition-documents-c-and-vb-compilers
    private static readonly Guid TypeDefinitionDocuments = new("932E74BC-DBA9-4478-8D46-0F32A7BAB3D3");

    private readonly PEReader _image;
    private readonly MetadataReader _metadata;
    private readonly MetadataReaderProvider _symbolProvider;
    private readonly MetadataReader _symbols;

    // The files of a type's own methods, or those that the compiler names for a type without methods.
    private readonly Dictionary<TypeDefinitionHandle, SortedSet<string>> _files = [];

    /// <summary>Reads an assembly. Its symbols are in the same folder.</summary>
    public TypeUses(string assembly)
    {
        _image = new PEReader(File.OpenRead(assembly));
        _metadata = _image.GetMetadataReader();
        _symbolProvider = MetadataReaderProvider.FromPortablePdbStream(File.OpenRead(Path.ChangeExtension(assembly, ".pdb")));
        _symbols = _symbolProvider.GetMetadataReader();
        foreach (var handle in _metadata.TypeDefinitions)
            _files[handle] = FilesOf(handle);
    }

    /// <summary>
    /// Returns the main file of each outermost type: if there are several, the one with the shortest name. Types that only generators wrote have none.
    /// </summary>
    public IEnumerable<(string Type, string File)> Declarations() =>
        from handle in _metadata.TypeDefinitions
        where _metadata.GetTypeDefinition(handle).GetDeclaringType().IsNil && FileOf(handle) is not null
        select (NameOf(handle), FileOf(handle)!);

    /// <summary>Returns the constants of all types, including enumerations.</summary>
    public IEnumerable<Constant> Constants() =>
        from handle in _metadata.FieldDefinitions
        let field = _metadata.GetFieldDefinition(handle)
        where (field.Attributes & FieldAttributes.Literal) != 0
        let declaring = field.GetDeclaringType()
        select new Constant(_metadata.GetString(_metadata.GetTypeDefinition(declaring).Name), _metadata.GetString(field.Name), NameOf(Outermost(declaring)));

    /// <summary>Returns each use once.</summary>
    public IEnumerable<TypeUse> All() => _metadata.TypeDefinitions.SelectMany(UsesOf).Distinct();

    public void Dispose()
    {
        _symbolProvider.Dispose();
        _image.Dispose();
    }

    private IEnumerable<TypeUse> UsesOf(TypeDefinitionHandle handle)
    {
        var type = _metadata.GetTypeDefinition(handle);
        var user = NameOf(Outermost(handle));
        if ((FileOf(handle) ?? FileOf(Outermost(handle))) is not { } main)
            yield break;

        var named = new NamedTypes(_metadata);
        named.Add(type.BaseType);
        foreach (var implemented in type.GetInterfaceImplementations())
            named.Add(_metadata.GetInterfaceImplementation(implemented).Interface);
        named.AddConstraints(type.GetGenericParameters());
        named.AddAttributes(type.GetCustomAttributes());
        foreach (var field in type.GetFields().Select(_metadata.GetFieldDefinition))
        {
            field.DecodeSignature(named, null);
            named.AddAttributes(field.GetCustomAttributes());
        }

        foreach (var property in type.GetProperties())
            named.AddAttributes(_metadata.GetPropertyDefinition(property).GetCustomAttributes());
        foreach (var used in named.Taken())
            yield return new(main, user, used);

        foreach (var method in type.GetMethods())
        {
            var definition = _metadata.GetMethodDefinition(method);
            definition.DecodeSignature(named, null);
            named.AddConstraints(definition.GetGenericParameters());
            named.AddAttributes(definition.GetCustomAttributes());
            foreach (var parameter in definition.GetParameters())
                named.AddAttributes(_metadata.GetParameter(parameter).GetCustomAttributes());
            if (definition.RelativeVirtualAddress != 0)
                Read(_image.GetMethodBody(definition.RelativeVirtualAddress), named);
            var file = FilesOf(method).FirstOrDefault() ?? main;
            foreach (var used in named.Taken())
                yield return new(file, user, used);
        }
    }

    // Locals are left out: an optimised build has fewer of them, and a call, a field or a cast has already named the type of their value.
    private static void Read(MethodBodyBlock body, NamedTypes named)
    {
        foreach (var region in body.ExceptionRegions)
            named.Add(region.CatchType);
        var code = body.GetILReader();
        while (code.RemainingBytes > 0)
            if (Instructions.ReadOperand(ref code) is { } operand)
                named.Add(operand);
    }

    private string? FileOf(TypeDefinitionHandle handle) =>
        _files[handle].MinBy(static file => (file.Length, file))
        ?? _metadata.GetTypeDefinition(handle).GetNestedTypes().Select(FileOf).FirstOrDefault(static file => file is not null);

    private SortedSet<string> FilesOf(TypeDefinitionHandle handle)
    {
        var files = new SortedSet<string>(_metadata.GetTypeDefinition(handle).GetMethods().SelectMany(FilesOf), StringComparer.Ordinal);
        foreach (var information in _symbols.GetCustomDebugInformation(handle).Select(_symbols.GetCustomDebugInformation))
        {
            if (_symbols.GetGuid(information.Kind) != TypeDefinitionDocuments)
                continue;
            var documents = _symbols.GetBlobReader(information.Value);
            while (documents.RemainingBytes > 0)
                files.Add(PathOf(MetadataTokens.DocumentHandle(documents.ReadCompressedInteger())));
        }

        files.RemoveWhere(IsGenerated);
        return files;
    }

    private IEnumerable<string> FilesOf(MethodDefinitionHandle handle)
    {
        var information = _symbols.GetMethodDebugInformation(handle.ToDebugInformationHandle());
        var documents = information.Document.IsNil ? information.GetSequencePoints().Select(static point => point.Document) : [information.Document];
        return documents.Where(static document => !document.IsNil).Select(PathOf).Where(static path => !IsGenerated(path));
    }

    private string PathOf(DocumentHandle handle) => _symbols.GetString(_symbols.GetDocument(handle).Name).Replace('\\', '/');

    private static bool IsGenerated(string path) => path.EndsWith(".g.cs", StringComparison.Ordinal) || path.Contains("/obj/", StringComparison.Ordinal);

    private TypeDefinitionHandle Outermost(TypeDefinitionHandle handle)
    {
        while (_metadata.GetTypeDefinition(handle).GetDeclaringType() is { IsNil: false } outer)
            handle = outer;
        return handle;
    }

    private string NameOf(TypeDefinitionHandle handle) => NamedTypes.NameOf(_metadata, handle);
}
