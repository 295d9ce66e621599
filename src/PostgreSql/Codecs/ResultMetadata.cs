using System.Buffers.Binary;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Responses;

namespace Slipstream.PostgreSql.Codecs;

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

    private ResultMetadata(byte[] description, FieldDescription[] fields)
    {
        _description = description;
        _fields = fields;
        _names = new string?[fields.Length];
        Columns = new Column[fields.Length];
        IsReadableInBinary = true;
        for (var i = 0; i < fields.Length; i++)
        {
            Columns[i] = new(ColumnKinds.Of(fields[i].TypeOid), fields[i].IsBinary);
            IsReadableInBinary &= Columns[i].Kind != ColumnKind.Other;
        }
    }

    /// <summary>The information about each column that decoding needs.</summary>
    public Column[] Columns { get; }

    public int Count => Columns.Length;

    /// <summary>True if the type of every column has a codec for the binary format.</summary>
    public bool IsReadableInBinary { get; }

    /// <summary>The same columns, each in its best format. A prepared statement requests these formats without describing the columns again.</summary>
    public ResultMetadata Best => _best ??= WithBestFormats();

    /// <summary>The format codes of the columns, for Bind.</summary>
    public short[] Formats => field ??= [.. Columns.Select(column => (short)(column.IsBinary ? 1 : 0))];

    /// <summary>Parses the body of a RowDescription. Returns <paramref name="known"/> if it was made from the same bytes.</summary>
    /// <exception cref="ProtocolException">The message is truncated or contains impossible values.</exception>
    public static ResultMetadata From(ReadOnlySpan<byte> description, ResultMetadata? known)
    {
        if (known is not null && description.SequenceEqual(known._description))
            return known;
        var reader = new ByteReader(description);
        var fields = RowDescription.Read(ref reader);
        if (reader.Failed)
            throw new ProtocolException("a valid RowDescription", $"one of {description.Length} bytes that do not match its columns");
        return new(description.ToArray(), fields);
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
            var binary = Columns[i].Kind.IsBetterBinary();
            fields[i] = fields[i] with { IsBinary = binary };
            var formatAt = fields[i].NameAt + fields[i].NameLength + 1 + RowDescription.FixedLength - 2;
            BinaryPrimitives.WriteInt16BigEndian(description.AsSpan(formatAt), (short)(binary ? 1 : 0));
        }

        var best = new ResultMetadata(description, fields);
        best._best = best;
        return best;
    }

    internal readonly record struct Column(ColumnKind Kind, bool IsBinary);
}
