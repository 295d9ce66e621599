using System.Buffers.Binary;
using System.Data.Common;
using Microsoft.EntityFrameworkCore.ChangeTracking;
using Microsoft.EntityFrameworkCore.Storage;
using Microsoft.EntityFrameworkCore.Storage.ValueConversion;

namespace Slipstream.MySql.EntityFrameworkCore.Storage.Mappings;

/// <summary>Maps arrays of <see cref="float"/> to vector(n) of MySQL 9 and MariaDB 11.7.</summary>
public sealed class MySqlVectorTypeMapping : RelationalTypeMapping
{
    private readonly bool _isOperand;

    /// <summary>Creates a mapping.</summary>
    /// <param name="storeType">The name of the type in the database, without its size.</param>
    /// <param name="size">The number of elements.</param>
    public MySqlVectorTypeMapping(string storeType, int? size = null)
        : this(new RelationalTypeMappingParameters(
            new CoreTypeMappingParameters(typeof(float[]), comparer: new ElementComparer()), storeType, StoreTypePostfix.Size, size: size))
    {
    }

    private MySqlVectorTypeMapping(RelationalTypeMappingParameters parameters, bool isOperand = false)
        : base(parameters) => _isOperand = isOperand;

    /// <summary>Gets the mapping of compiled models, which they change with <c>Clone</c>.</summary>
    public static MySqlVectorTypeMapping Default { get; } = new("vector");

    /// <summary>Gets the mapping of <see cref="ReadOnlyMemory{T}"/>.</summary>
    internal static RelationalTypeMapping OfMemory { get; } = (RelationalTypeMapping)Default.WithComposedConverter(
        new ValueConverter<ReadOnlyMemory<float>, float[]>(static memory => memory.ToArray(), static elements => new(elements)), new MemoryComparer());

    /// <summary>
    /// Returns the mapping of the value from which the distance to a column with this mapping is computed. It refuses a value of another length, for which
    /// MariaDB answers NULL.
    /// </summary>
    internal MySqlVectorTypeMapping ForOperand() => new(Parameters, isOperand: true);

    /// <inheritdoc/>
    protected override RelationalTypeMapping Clone(RelationalTypeMappingParameters parameters) => new MySqlVectorTypeMapping(parameters, _isOperand);

    /// <inheritdoc/>
    protected override void ConfigureParameter(DbParameter parameter)
    {
        if (parameter?.Value is float[] elements)
            Check(elements);
    }

    /// <inheritdoc/>
    protected override string GenerateNonNullSqlLiteral(object value)
    {
        var elements = (float[])value;
        Check(elements);
        var bytes = new byte[elements.Length * sizeof(float)];
        for (var index = 0; index < elements.Length; index++)
            BinaryPrimitives.WriteSingleLittleEndian(bytes.AsSpan(index * sizeof(float)), elements[index]);
        return $"X'{Convert.ToHexString(bytes)}'";
    }

    private void Check(float[] elements)
    {
        if (_isOperand && Size is { } size && size != elements.Length)
            throw new ArgumentException(
                $"The distance of a vector of {elements.Length} element(s) and one of the type {StoreType} is unknown: both must have the same number of "
                    + "elements.");
    }

    private static int Hash(ReadOnlySpan<float> elements)
    {
        var hash = default(HashCode);
        foreach (var element in elements)
            hash.Add(element);
        return hash.ToHashCode();
    }

    private sealed class ElementComparer() : ValueComparer<float[]>(
        static (left, right) => left == null ? right == null : right != null && left.SequenceEqual(right),
        static elements => HashOf(elements), static elements => elements.ToArray())
    {
        private static int HashOf(float[] elements) => Hash(elements);
    }

    private sealed class MemoryComparer() : ValueComparer<ReadOnlyMemory<float>>(
        static (left, right) => AreEqual(left, right), static memory => HashOf(memory), static memory => memory.ToArray())
    {
        private static bool AreEqual(ReadOnlyMemory<float> left, ReadOnlyMemory<float> right) => left.Span.SequenceEqual(right.Span);

        private static int HashOf(ReadOnlyMemory<float> memory) => Hash(memory.Span);
    }
}
