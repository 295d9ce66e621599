using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// A composite type. GetValue returns its fields as an array of objects, unless a .NET type is mapped to it; a tuple takes them by position.
/// </summary>
internal sealed class CompositeType(PostgresType postgres, IReadOnlyList<(string Name, uint Oid)> fields, TypeCatalogue types) : DataType(postgres)
{
    // A hostile catalogue may contain a type that contains itself.
    private const int MaxDepth = 64;

    [ThreadStatic]
    private static int _depth;

    private DataType[]? _types;
    private bool? _hasBinary;

    public int Count => fields.Count;

    /// <summary>Gets the names of the fields, and the object ids of their types.</summary>
    public IReadOnlyList<(string Name, uint Oid)> Fields => fields;

    public string NameOf(int field) => fields[field].Name;

    /// <summary>Gets the types of the fields.</summary>
    public DataType[] Types => _types ??= FindTypes();

    public override bool HasBinary => _hasBinary ??= ComputeHasBinary();

    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    protected override Type OwnClrType => typeof(object[]);

    /// <summary>Checks the number of fields.</summary>
    public CompositeFields FieldsOf(ReadOnlySpan<byte> value, bool isBinary)
    {
        // A value of another data source's type, or one whose type has changed since the types were loaded.
        var read = new CompositeFields(this, value, isBinary, Count);
        if (read.Count != Count)
            throw new InvalidCastException($"A value of type {Name} has {read.Count} fields, but the type had {Count} when the types were loaded: call "
                + "ReloadTypes.");
        return read;
    }

    protected override object ReadOwn(ReadOnlySpan<byte> value, bool isBinary)
    {
        Deepen();
        var read = FieldsOf(value, isBinary);
        var values = new object[Count];
        for (var i = 0; i < values.Length; i++)
            values[i] = read.TryTake(out var content) ? Types[i].Read(content, isBinary) : DBNull.Value;
        read.End();
        return values;
    }

    protected override bool TryReadOwn<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result)
    {
        if (typeof(T) == typeof(object[]))
        {
            result = (T)ReadOwn(value, isBinary);
            return true;
        }

        if (TryReadOwnAs(typeof(T), value, isBinary) is T tuple)
        {
            result = tuple;
            return true;
        }

        result = default;
        return false;
    }

    protected override object? TryReadOwnAs(Type type, ReadOnlySpan<byte> value, bool isBinary)
    {
        if (!typeof(ITuple).IsAssignableFrom(type))
            return null;
        Deepen();
        var read = FieldsOf(value, isBinary);
        return Tuples.Read(type, this, ref read, Types);
    }

    protected override void WriteOwn(ByteWriter writer, object value)
    {
        if (value is ITuple tuple && tuple.Length == Count)
        {
            var start = Begin(writer);
            for (var i = 0; i < Count; i++)
                WriteField(writer, i, tuple[i]);
            NestedValue.End(writer, start);
        }
        else if (value is object?[] values && values.Length == Count)
        {
            var start = Begin(writer);
            for (var i = 0; i < Count; i++)
                WriteField(writer, i, values[i]);
            NestedValue.End(writer, start);
        }
        else
            throw WrongType(value);
    }

    /// <summary>Writes the gap for the length, and the number of fields.</summary>
    public NestedValue.Start Begin(ByteWriter writer)
    {
        var start = NestedValue.Begin(writer);
        writer.Int32BigEndian(Count);
        return start;
    }

    /// <summary>Writes a field with its type.</summary>
    public void WriteField(ByteWriter writer, int index, object? value)
    {
        writer.Int32BigEndian((int)fields[index].Oid);
        if (value is null or DBNull)
            writer.Int32BigEndian(-1);
        else
            Types[index].Write(writer, value);
    }

    private static void Deepen()
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
            throw new FormatException("The server sent a composite value that is nested too deeply.");
    }

    private DataType[] FindTypes()
    {
        var found = new DataType[fields.Count];
        for (var i = 0; i < found.Length; i++)
            found[i] = types.Get(fields[i].Oid);
        return found;
    }

    private bool ComputeHasBinary()
    {
        if (_depth > MaxDepth)
            return false;
        _depth++;
        try
        {
            foreach (var type in Types)
                if (!type.HasBinary)
                    return false;
            return true;
        }
        finally
        {
            _depth--;
        }
    }
}
