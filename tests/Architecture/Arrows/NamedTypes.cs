using System.Collections.Immutable;
using System.Reflection.Metadata;

namespace Slipstream.Architecture.Arrows;

/// <summary>Collects the outermost types that handles and signatures name. A decoded "type" has no value.</summary>
internal sealed class NamedTypes(MetadataReader metadata) : ISignatureTypeProvider<bool, object?>
{
    private readonly HashSet<string> _names = [];

    /// <summary>Returns the types collected since the last call.</summary>
    public List<string> Taken()
    {
        List<string> taken = [.. _names];
        _names.Clear();
        return taken;
    }

    /// <summary>Adds a type, or the type of a member, with its type arguments.</summary>
    public void Add(EntityHandle handle)
    {
        if (handle.IsNil)
            return;
        switch (handle.Kind)
        {
            case HandleKind.TypeDefinition:
                _names.Add(NameOf(metadata, (TypeDefinitionHandle)handle));
                break;
            case HandleKind.TypeReference:
                _names.Add(NameOf(metadata, (TypeReferenceHandle)handle));
                break;
            case HandleKind.TypeSpecification:
                metadata.GetTypeSpecification((TypeSpecificationHandle)handle).DecodeSignature(this, null);
                break;
            case HandleKind.FieldDefinition:
                Add(metadata.GetFieldDefinition((FieldDefinitionHandle)handle).GetDeclaringType());
                break;
            case HandleKind.MethodDefinition:
                Add(metadata.GetMethodDefinition((MethodDefinitionHandle)handle).GetDeclaringType());
                break;
            case HandleKind.MemberReference:
                Add(metadata.GetMemberReference((MemberReferenceHandle)handle).Parent);
                break;
            case HandleKind.MethodSpecification:
                var generic = metadata.GetMethodSpecification((MethodSpecificationHandle)handle);
                Add(generic.Method);
                generic.DecodeSignature(this, null);
                break;
            case HandleKind.StandaloneSignature:
                metadata.GetStandaloneSignature((StandaloneSignatureHandle)handle).DecodeMethodSignature(this, null);
                break;
        }
    }

    public void AddConstraints(GenericParameterHandleCollection parameters)
    {
        foreach (var parameter in parameters)
            foreach (var constraint in metadata.GetGenericParameter(parameter).GetConstraints())
                Add(metadata.GetGenericParameterConstraint(constraint).Type);
    }

    public void AddAttributes(CustomAttributeHandleCollection attributes)
    {
        foreach (var attribute in attributes)
            Add(metadata.GetCustomAttribute(attribute).Constructor);
    }

    public static string NameOf(MetadataReader metadata, TypeDefinitionHandle handle)
    {
        var type = metadata.GetTypeDefinition(handle);
        return type.GetDeclaringType() is { IsNil: false } outer
            ? NameOf(metadata, outer)
            : $"{metadata.GetString(type.Namespace)}.{metadata.GetString(type.Name)}";
    }

    private static string NameOf(MetadataReader metadata, TypeReferenceHandle handle)
    {
        var type = metadata.GetTypeReference(handle);
        return type.ResolutionScope.Kind == HandleKind.TypeReference
            ? NameOf(metadata, (TypeReferenceHandle)type.ResolutionScope)
            : $"{metadata.GetString(type.Namespace)}.{metadata.GetString(type.Name)}";
    }

    bool ISimpleTypeProvider<bool>.GetTypeFromDefinition(MetadataReader reader, TypeDefinitionHandle handle, byte rawTypeKind) =>
        _names.Add(NameOf(reader, handle));

    bool ISimpleTypeProvider<bool>.GetTypeFromReference(MetadataReader reader, TypeReferenceHandle handle, byte rawTypeKind) =>
        _names.Add(NameOf(reader, handle));

    bool ISignatureTypeProvider<bool, object?>.GetTypeFromSpecification(
        MetadataReader reader, object? context, TypeSpecificationHandle handle, byte rawTypeKind) =>
        reader.GetTypeSpecification(handle).DecodeSignature(this, context);

    // The parts of a constructed type have been collected before it is constructed.
    bool ISimpleTypeProvider<bool>.GetPrimitiveType(PrimitiveTypeCode typeCode) => false;

    bool ISZArrayTypeProvider<bool>.GetSZArrayType(bool elementType) => false;

    bool IConstructedTypeProvider<bool>.GetArrayType(bool elementType, ArrayShape shape) => false;

    bool IConstructedTypeProvider<bool>.GetByReferenceType(bool elementType) => false;

    bool IConstructedTypeProvider<bool>.GetPointerType(bool elementType) => false;

    bool IConstructedTypeProvider<bool>.GetGenericInstantiation(bool genericType, ImmutableArray<bool> typeArguments) => false;

    bool ISignatureTypeProvider<bool, object?>.GetFunctionPointerType(MethodSignature<bool> signature) => false;

    bool ISignatureTypeProvider<bool, object?>.GetGenericMethodParameter(object? context, int index) => false;

    bool ISignatureTypeProvider<bool, object?>.GetGenericTypeParameter(object? context, int index) => false;

    bool ISignatureTypeProvider<bool, object?>.GetModifiedType(bool modifier, bool unmodifiedType, bool isRequired) => false;

    bool ISignatureTypeProvider<bool, object?>.GetPinnedType(bool elementType) => false;
}
