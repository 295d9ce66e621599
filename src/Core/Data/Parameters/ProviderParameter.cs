using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;

namespace Slipstream.Core.Data;

/// <summary>The base class of the providers' parameters: everything but the type and the value.</summary>
// Implements IDbDataParameter again: otherwise its Precision and Scale would be empty members of DbParameter, and values set through the interface would be
// lost.
public abstract class ProviderParameter : DbParameter, IDbDataParameter
{
    // -1 and 0 send all, as in the peers: DataTable and Dapper write either.
    private const int MinSize = -1;

    private string _name;
    private AdapterProperties? _adapter;
    private int _size;
    private bool _isNullable;
    private byte _direction;

    /// <summary>Creates a parameter with a name.</summary>
    private protected ProviderParameter(string? name) => _name = name ?? "";

    /// <summary>Creates a parameter with a name.</summary>
    private protected ProviderParameter(string? name, int size, string? sourceColumn)
        : this(name)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(size, MinSize);
        _size = size;
        if (!string.IsNullOrEmpty(sourceColumn))
            Adapter.SourceColumn = sourceColumn;
    }

    /// <summary>Creates a copy of a parameter that belongs to no collection.</summary>
    private protected ProviderParameter(ProviderParameter other)
    {
        _name = other._name;
        _size = other._size;
        _isNullable = other._isNullable;
        _direction = other._direction;
        _adapter = other._adapter?.Clone();
    }

    /// <summary>Gets or sets the name of the parameter. The prefix, such as @, is optional.</summary>
    /// <value>An empty string, the default, for a positional parameter.</value>
    /// <exception cref="ArgumentException">The collection of the parameter has another one with this name, and the provider does not allow that.</exception>
    [AllowNull]
    public override string ParameterName
    {
        get => _name;
        set
        {
            var old = _name;
            Owner?.Renaming(this, value ?? "");
            _name = value ?? "";
            Owner?.Renamed(this, BareOf(old));
        }
    }

    /// <summary>Gets or sets the direction of the parameter.</summary>
    /// <value>The default is <see cref="ParameterDirection.Input"/>.</value>
    /// <exception cref="ArgumentOutOfRangeException">The value is not a defined direction.</exception>
    public override ParameterDirection Direction
    {
        get => _direction == 0 ? ParameterDirection.Input : (ParameterDirection)_direction;
        set => _direction = value is ParameterDirection.Input or ParameterDirection.Output or ParameterDirection.InputOutput or ParameterDirection.ReturnValue
            ? (byte)value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "A parameter's direction must be Input, Output, InputOutput or ReturnValue.");
    }

    /// <summary>Whether the direction was set.</summary>
    private protected bool IsDirectionSet => _direction != 0;

    /// <inheritdoc/>
    public override bool IsNullable
    {
        get => _isNullable;
        set => _isNullable = value;
    }

    /// <summary>
    /// Gets or sets the size of the value, in characters of a text or bytes of other values; 0 (the default) and -1 mean any size. Each provider says what
    /// it does with a longer value.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is less than -1.</exception>
    public override int Size
    {
        get => _size;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, MinSize);
            _size = value;
        }
    }

    /// <inheritdoc/>
    public override byte Precision
    {
        get => _adapter?.Precision ?? 0;
        set => Adapter.Precision = value;
    }

    /// <inheritdoc/>
    public override byte Scale
    {
        get => _adapter?.Scale ?? 0;
        set => Adapter.Scale = value;
    }

    /// <inheritdoc/>
    [AllowNull]
    public override string SourceColumn
    {
        get => _adapter?.SourceColumn ?? "";
        set => Adapter.SourceColumn = value ?? "";
    }

    /// <inheritdoc/>
    public override bool SourceColumnNullMapping
    {
        get => _adapter?.SourceColumnNullMapping ?? false;
        set => Adapter.SourceColumnNullMapping = value;
    }

    /// <inheritdoc/>
    public override DataRowVersion SourceVersion
    {
        get => _adapter?.SourceVersion ?? DataRowVersion.Current;
        set => Adapter.SourceVersion = value;
    }

    /// <summary>The name without the provider's prefixes and quotes.</summary>
    internal ReadOnlySpan<char> Bare => BareOf(_name);

    /// <summary>The collection to notify of a new name; null without one.</summary>
    internal IParameterOwner? Owner { get; set; }

    private AdapterProperties Adapter => _adapter ??= new();

    /// <summary>A name without the provider's prefixes and quotes.</summary>
    private protected abstract ReadOnlySpan<char> BareOf(string name);

    /// <summary>Creates a clone of the same type that belongs to no collection.</summary>
    internal abstract ProviderParameter CloneParameter();

    // Properties for data adapters, which commands do not need. They are in a separate object, so that parameters of commands stay small.
    private sealed class AdapterProperties
    {
        public string SourceColumn { get; set; } = "";

        public DataRowVersion SourceVersion { get; set; } = DataRowVersion.Current;

        public bool SourceColumnNullMapping { get; set; }

        public byte Precision { get; set; }

        public byte Scale { get; set; }

        public AdapterProperties Clone() => (AdapterProperties)MemberwiseClone();
    }
}

/// <summary>A collection, as its parameters see it.</summary>
internal interface IParameterOwner
{
    /// <summary>Called before a parameter gets a new name.</summary>
    /// <exception cref="ArgumentException">The collection has another parameter with this name.</exception>
    void Renaming(ProviderParameter parameter, string name);

    void Renamed(ProviderParameter parameter, ReadOnlySpan<char> oldName);

    /// <summary>Called when a parameter of this collection was added to another one too: its renames are no longer reported to this one.</summary>
    void Share();
}
