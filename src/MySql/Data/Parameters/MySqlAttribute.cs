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
/// A query attribute: a named value that is sent with a command but is not part of its text, such as the user on whose behalf it runs. On the server, functions
/// (<c>mysql_query_attribute_string('name')</c>) and plug-ins can read it.
/// </summary>
public sealed class MySqlAttribute : ICloneable
{
    /// <summary>Creates an attribute without name and value. It needs a name before you add it to a collection.</summary>
    public MySqlAttribute()
        : this("", null)
    {
    }

    /// <summary>Creates an attribute.</summary>
    /// <param name="attributeName">The name.</param>
    /// <param name="value">The value; null is NULL.</param>
    public MySqlAttribute(string attributeName, object? value)
    {
        AttributeName = attributeName ?? "";
        Value = value;
    }

    /// <summary>Gets or sets the name.</summary>
    public string AttributeName { get; set; }

    /// <summary>Gets or sets the value, of any type that a parameter can have except streams. Null is NULL.</summary>
    public object? Value { get; set; }

    /// <summary>Creates an attribute with the same name and value.</summary>
    /// <returns>The new attribute.</returns>
    public MySqlAttribute Clone() => new(AttributeName, Value);

    object ICloneable.Clone() => Clone();
}

/// <summary>The query attributes of a command. They require MySQL 8.0.26 or later; the driver sends a command to other servers without them.</summary>
[SuppressMessage("Naming", "CA1710:Identifiers should have correct suffix", Justification = "MySqlConnector's name.")]
public sealed class MySqlAttributeCollection : IEnumerable<MySqlAttribute>
{
    // Kept beside the commands, not in a field: an application creates thousands of commands, and few have attributes.
    private static readonly ConditionalWeakTable<MySqlCommand, MySqlAttributeCollection> ByCommand = [];

    private readonly List<MySqlAttribute> _attributes = [];

    internal MySqlAttributeCollection()
    {
    }

    /// <summary>Gets the number of attributes.</summary>
    public int Count => _attributes.Count;

    /// <summary>Gets the attribute at a position, in the order in which they were added.</summary>
    /// <param name="index">The zero-based position.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no attribute at this position.</exception>
    public MySqlAttribute this[int index] => _attributes[index];

    /// <summary>Adds an attribute to the end of the collection.</summary>
    /// <param name="attribute">The attribute.</param>
    /// <exception cref="ArgumentException">The attribute has no name.</exception>
    public void Add(MySqlAttribute attribute)
    {
        ArgumentNullException.ThrowIfNull(attribute);
        ArgumentException.ThrowIfNullOrEmpty(attribute.AttributeName);
        _attributes.Add(attribute);
    }

    /// <summary>Sets the value of the attribute with this name. Adds the attribute if the collection does not contain it.</summary>
    /// <param name="attributeName">The name; it is case-sensitive.</param>
    /// <param name="value">The value; null is NULL.</param>
    /// <exception cref="ArgumentException">The name is null or empty.</exception>
    public void SetAttribute(string attributeName, object? value)
    {
        ArgumentException.ThrowIfNullOrEmpty(attributeName);
        if (_attributes.Find(attribute => attribute.AttributeName == attributeName) is { } known)
            known.Value = value;
        else
            _attributes.Add(new(attributeName, value));
    }

    /// <summary>Removes an attribute.</summary>
    /// <param name="attribute">The attribute.</param>
    /// <returns>False if the collection does not contain it.</returns>
    public bool Remove(MySqlAttribute attribute) => _attributes.Remove(attribute);

    /// <summary>Removes all attributes.</summary>
    public void Clear() => _attributes.Clear();

    /// <summary>Enumerates the attributes in the order in which they were added.</summary>
    /// <returns>The enumerator.</returns>
    public IEnumerator<MySqlAttribute> GetEnumerator() => _attributes.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

    /// <summary>Returns the command's collection, and creates it at the first call.</summary>
    internal static MySqlAttributeCollection Of(MySqlCommand command) => ByCommand.GetValue(command, static _ => new());

    /// <summary>Returns what the driver sends to a session; null for nothing.</summary>
    /// <exception cref="NotSupportedException">The connection string forbids attributes.</exception>
    internal MySqlAttributeCollection? For(MySqlSession session, MySqlSettings settings)
    {
        if (Count == 0)
            return null;
        if (session.Wire.Out.Dialect == Query.WithAttributes)
            return this;
        return session.State.IsMariaDb || settings.QueryAttributes
            ? null
            : throw new NotSupportedException($"The command has query attributes ({Count}), which Query Attributes=false in the connection string forbids: "
                + "remove that option.");
    }

    internal bool Has(string attributeName) => _attributes.Exists(attribute => attribute.AttributeName == attributeName);

    /// <summary>Writes COM_QUERY up to its text.</summary>
    internal int BeginQuery(ByteWriter writer, CodecSettings codecs)
    {
        var at = Query.Begin(writer, Count, out var bitmap);
        WriteTypes(writer, codecs);
        WriteValues(writer, bitmap, 0, codecs);
        return at;
    }

    /// <summary>Writes the types and names.</summary>
    internal void WriteTypes(ByteWriter writer, CodecSettings codecs)
    {
        foreach (var attribute in _attributes)
        {
            writer.UInt16(ParameterWriter.WireType(attribute.Value, codecs));
            writer.LengthEncodedBytes(System.Text.Encoding.UTF8.GetBytes(attribute.AttributeName));
        }
    }

    /// <summary>Writes the values, after <paramref name="first"/> parameters.</summary>
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
