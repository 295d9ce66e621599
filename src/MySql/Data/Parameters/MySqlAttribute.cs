using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.MySql.Codecs;
using Slipstream.MySql.Options;
using Slipstream.MySql.Protocol;
using Slipstream.MySql.Protocol.Commands;
using Slipstream.MySql.Sessions;

namespace Slipstream.MySql;

/// <summary>
/// A query attribute: a named value that travels with a command and is no part of its text, such as who asks. The server shows it to functions
/// (<c>mysql_query_attribute_string('name')</c>) and to plug-ins.
/// </summary>
public sealed class MySqlAttribute : ICloneable
{
    /// <summary>An attribute without name and value: it needs a name before it is added to a collection.</summary>
    public MySqlAttribute()
        : this("", null)
    {
    }

    /// <summary>An attribute with its name and value; null is the server's NULL.</summary>
    public MySqlAttribute(string attributeName, object? value)
    {
        AttributeName = attributeName ?? "";
        Value = value;
    }

    /// <summary>The name.</summary>
    public string AttributeName { get; set; }

    /// <summary>The value: of any type that a parameter may have, but no stream.</summary>
    public object? Value { get; set; }

    /// <summary>Another attribute with the same name and value.</summary>
    public MySqlAttribute Clone() => new(AttributeName, Value);

    object ICloneable.Clone() => Clone();
}

/// <summary>
/// The query attributes of a command. They need MySQL 8.0.26; to another server the command is sent without them.
/// </summary>
[SuppressMessage("Naming", "CA1710:Identifiers should have correct suffix", Justification = "MySqlConnector's name.")]
public sealed class MySqlAttributeCollection : IEnumerable<MySqlAttribute>
{
    // Beside the commands and not in them: commands are made by the thousand, and hardly any has attributes.
    private static readonly ConditionalWeakTable<MySqlCommand, MySqlAttributeCollection> ByCommand = [];

    private readonly List<MySqlAttribute> _attributes = [];

    internal MySqlAttributeCollection()
    {
    }

    /// <summary>How many attributes there are.</summary>
    public int Count => _attributes.Count;

    /// <summary>The attribute at a place, counted from 0 in the order of adding.</summary>
    public MySqlAttribute this[int index] => _attributes[index];

    /// <summary>Adds an attribute to the end of the collection.</summary>
    /// <exception cref="ArgumentException">It has no name.</exception>
    public void Add(MySqlAttribute attribute)
    {
        ArgumentNullException.ThrowIfNull(attribute);
        ArgumentException.ThrowIfNullOrEmpty(attribute.AttributeName);
        _attributes.Add(attribute);
    }

    /// <summary>Sets the value of the attribute with this name, and adds it when there is none.</summary>
    public void SetAttribute(string attributeName, object? value)
    {
        ArgumentException.ThrowIfNullOrEmpty(attributeName);
        if (_attributes.Find(attribute => attribute.AttributeName == attributeName) is { } known)
            known.Value = value;
        else
            _attributes.Add(new(attributeName, value));
    }

    /// <summary>Takes this attribute out; false when it was not in.</summary>
    public bool Remove(MySqlAttribute attribute) => _attributes.Remove(attribute);

    /// <summary>Takes all attributes out.</summary>
    public void Clear() => _attributes.Clear();

    /// <summary>The attributes in the order of adding.</summary>
    public IEnumerator<MySqlAttribute> GetEnumerator() => _attributes.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>The command's collection, made when there is none yet.</summary>
    internal static MySqlAttributeCollection Of(MySqlCommand command) => ByCommand.GetValue(command, static _ => new());

    /// <summary>What of it a session is sent; null for nothing.</summary>
    /// <exception cref="NotSupportedException">The connection string forbids attributes.</exception>
    internal MySqlAttributeCollection? For(MySqlSession session, MySqlSettings settings)
    {
        if (Count == 0)
            return null;
        if (session.Wire.Out.Dialect == Query.WithAttributes)
            return this;
        return session.State.IsMariaDb || settings.QueryAttributes
            ? null
            : throw new NotSupportedException($"The command has query attributes ({Count}), which Query Attributes=false in the connection string forbids: leave that out.");
    }

    internal bool Has(string attributeName) => _attributes.Exists(attribute => attribute.AttributeName == attributeName);

    /// <summary>COM_QUERY up to its text.</summary>
    internal int BeginQuery(ByteWriter writer, CodecSettings codecs)
    {
        var at = Query.Begin(writer, Count, out var bitmap);
        WriteTypes(writer, codecs);
        WriteValues(writer, bitmap, 0, codecs);
        return at;
    }

    /// <summary>Types and names.</summary>
    internal void WriteTypes(ByteWriter writer, CodecSettings codecs)
    {
        foreach (var attribute in _attributes)
        {
            writer.UInt16(ParameterWriter.WireType(attribute.Value, codecs));
            writer.LengthEncodedBytes(System.Text.Encoding.UTF8.GetBytes(attribute.AttributeName));
        }
    }

    /// <summary>Values, behind <paramref name="first"/> parameters.</summary>
    internal void WriteValues(ByteWriter writer, int bitmap, int first, CodecSettings codecs)
    {
        for (var i = 0; i < _attributes.Count; i++)
        {
            if (_attributes[i].Value is null or DBNull)
                StatementExecute.SetNull(writer, bitmap, first + i);
            else
                ParameterWriter.WriteBinary(writer, _attributes[i].Value, codecs);
        }
    }
}
