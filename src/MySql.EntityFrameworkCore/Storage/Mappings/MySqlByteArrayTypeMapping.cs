using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.Json;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>Maps arrays of bytes to the binary types.</summary>
public sealed class MySqlByteArrayTypeMapping : ByteArrayTypeMapping
{
    /// <summary>Creates a mapping.</summary>
    /// <param name="storeType">The name of the type in the database, without its size.</param>
    /// <param name="size">The size in bytes.</param>
    /// <param name="fixedLength">Whether the type has a fixed length.</param>
    public MySqlByteArrayTypeMapping(string storeType, int? size = null, bool fixedLength = false)
        : this(new RelationalTypeMappingParameters(
            new CoreTypeMappingParameters(typeof(byte[]), jsonValueReaderWriter: JsonByteArrayReaderWriter.Instance), storeType,
            size is null ? StoreTypePostfix.None : StoreTypePostfix.Size, System.Data.DbType.Binary, size: size, fixedLength: fixedLength))
    {
    }

    private MySqlByteArrayTypeMapping(RelationalTypeMappingParameters parameters)
        : base(parameters)
    {
    }

    /// <summary>Gets the mapping of compiled models, which they change with <c>Clone</c>.</summary>
    public static new MySqlByteArrayTypeMapping Default { get; } = new("longblob");

    /// <inheritdoc/>
    protected override RelationalTypeMapping Clone(RelationalTypeMappingParameters parameters) => new MySqlByteArrayTypeMapping(parameters);

    /// <inheritdoc/>
    protected override string GenerateNonNullSqlLiteral(object value) => $"X'{Convert.ToHexString((byte[])value)}'";
}
