using Microsoft.EntityFrameworkCore.Storage;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

internal static class TypeMappingExtensions
{
    /// <summary>Returns the type that the database knows, without a nullable wrapper.</summary>
    public static Type ProviderType(this CoreTypeMapping mapping)
    {
        var type = mapping.Converter?.ProviderClrType ?? mapping.ClrType;
        return Nullable.GetUnderlyingType(type) ?? type;
    }
}
