using System.Buffers.Binary;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol.Responses;
using Slipstream.PostgreSql.Protocol;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// The columns of one result. They are parsed once and shared by all sessions. The object is immutable, except for names and a lookup table, which are created
/// on first use. A repeated RowDescription is recognised by its bytes.
/// </summary>
internal sealed class ResultMetadata
{
    private readonly byte[] _description;
    private readonly FieldDescription[] _fields;
    private readonly string?[] _names;
    private Dictionary<string, int>? _ordinals;
    private ResultMetadata? _best;

    private ResultMetadata(byte[] description, FieldDescription[] fields, TypeCatalogue types)
    {
        Types = types;
        _description = description;
        _fields = fields;
        _names = new string?[fields.Length];
        Columns = new Column[fields.Length];
        IsReadableInBinary = true;
        for (var i = 0; i < fields.Length; i++)
        {
            var type = types.Get(fields[i].TypeOid, fields[i].TypeModifier);
            Columns[i] = new(type.Kind, fields[i].IsBinary, type);
            IsReadableInBinary &= type.HasBinary;
        }
    }

    /// <summary>The types of the database when the description was read.</summary>
    public TypeCatalogue Types { get; }

    /// <summary>The information about each column that decoding needs.</summary>
    public Column[] Columns { get; }

    public int Count => Columns.Length;

    /// <summary>True if the type of every column has a codec for the binary format.</summary>
    public bool IsReadableInBinary { get; }

    /// <summary>The same columns, each in its best format. A prepared statement requests these formats without describing the columns again.</summary>
    public ResultMetadata Best => _best ??= WithBestFormats();

    /// <summary>The format codes of the columns, for Bind.</summary>
    public short[] Formats => field ??= [.. Columns.Select(column => (short)(column.IsBinary ? 1 : 0))];

    /// <summary>Parses the body of a RowDescription. Returns <paramref name="known"/> if it was made from the same bytes and types.</summary>
    /// <exception cref="ProtocolException">The message is truncated or contains impossible values.</exception>
    public static ResultMetadata From(ReadOnlySpan<byte> description, ResultMetadata? known, TypeCatalogue types)
    {
        if (known is not null && ReferenceEquals(known.Types, types) && description.SequenceEqual(known._description))
            return known;
        var reader = new ByteReader(description);
        var fields = RowDescription.Read(ref reader);
        if (reader.Failed)
            throw new ProtocolException("a valid RowDescription", $"one of {description.Length} bytes that do not match its columns");
        return new(description.ToArray(), fields, types);
    }

    /// <summary>Describes the fields of a composite value as columns, all in one format.</summary>
    public static ResultMetadata Of(IReadOnlyList<(string Name, uint Oid)> fields, bool isBinary, TypeCatalogue types)
    {
        var description = new ByteWriter();
        var columns = new FieldDescription[fields.Count];
        for (var i = 0; i < columns.Length; i++)
        {
            var name = Encoding.UTF8.GetBytes(fields[i].Name);
            columns[i] = new(description.Length, name.Length, TableOid: 0, AttributeNumber: 0, fields[i].Oid, TypeSize: -1, TypeModifier: -1, isBinary);
            description.Bytes(name);
        }

        return new(description.Written.ToArray(), columns, types);
    }

    public FieldDescription Field(int ordinal) => _fields[ordinal];

    public string Name(int ordinal)
    {
        ref readonly var field = ref _fields[ordinal];
        return _names[ordinal] ??= Encoding.UTF8.GetString(_description, field.NameAt, field.NameLength);
    }

    /// <summary>Returns the first column with this name, or −1 if there is none. An exact match precedes a match that ignores case.</summary>
    public int Ordinal(string name)
    {
        var ordinals = _ordinals ??= IndexNames();
        if (ordinals.TryGetValue(name, out var exact))
            return exact;
        for (var i = 0; i < _fields.Length; i++)
            if (Name(i).Equals(name, StringComparison.OrdinalIgnoreCase))
                return i;
        return -1;
    }

    /// <summary>Returns the same columns in text format.</summary>
    /// <param name="asText">For each column, whether its value is read as the server's text, whatever its type is. Missing columns keep their type.</param>
    /// <param name="all">True to read all columns as the server's text.</param>
    public ResultMetadata WithText(ReadOnlySpan<bool> asText, bool all)
    {
        var fields = (FieldDescription[])_fields.Clone();
        for (var i = 0; i < fields.Length; i++)
            fields[i] = fields[i] with { IsBinary = false };
        var text = new ResultMetadata(_description, fields, Types);
        for (var i = 0; i < fields.Length; i++)
            if (all || (i < asText.Length && asText[i]))
                text.Columns[i] = new(ColumnKind.Text, false, Types.Get(TypeOid.Text));
        return text;
    }

    private Dictionary<string, int> IndexNames()
    {
        var ordinals = new Dictionary<string, int>(_fields.Length, StringComparer.Ordinal);
        for (var i = 0; i < _fields.Length; i++)
            ordinals.TryAdd(Name(i), i);
        return ordinals;
    }

    private ResultMetadata WithBestFormats()
    {
        var description = (byte[])_description.Clone();
        var fields = (FieldDescription[])_fields.Clone();
        for (var i = 0; i < fields.Length; i++)
        {
            var binary = Columns[i].Type.IsBetterBinary;
            fields[i] = fields[i] with { IsBinary = binary };
            var formatAt = fields[i].NameAt + fields[i].NameLength + 1 + RowDescription.FixedLength - 2;
            BinaryPrimitives.WriteInt16BigEndian(description.AsSpan(formatAt), (short)(binary ? 1 : 0));
        }

        var best = new ResultMetadata(description, fields, Types);
        best._best = best;
        return best;
    }

    internal readonly record struct Column(ColumnKind Kind, bool IsBinary, DataType Type);
}
