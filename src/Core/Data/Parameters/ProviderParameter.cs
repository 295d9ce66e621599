using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;

namespace Slipstream.Core.Data;

/// <summary>What every provider's parameter is besides its type and its value.</summary>
// IDbDataParameter again: its Precision and Scale are empty members of DbParameter's own otherwise, and what is set through it is lost.
public abstract class ProviderParameter : DbParameter, IDbDataParameter
{
    private string _name;
    private Rarities? _rarities;
    private int _size;
    private bool _isNullable;
    private byte _direction;

    /// <summary>A parameter of that name.</summary>
    private protected ProviderParameter(string? name) => _name = name ?? "";

    /// <summary>A parameter of that name.</summary>
    private protected ProviderParameter(string? name, int size, string? sourceColumn)
        : this(name)
    {
        _size = size;
        if (!string.IsNullOrEmpty(sourceColumn))
            Rare.SourceColumn = sourceColumn;
    }

    /// <summary>The same in all but its collection.</summary>
    private protected ProviderParameter(ProviderParameter other)
    {
        _name = other._name;
        _size = other._size;
        _isNullable = other._isNullable;
        _direction = other._direction;
        _rarities = other._rarities?.Clone();
    }

    /// <summary>"" for a positional parameter. The prefix does not matter.</summary>
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

    /// <inheritdoc/>
    public override ParameterDirection Direction
    {
        get => _direction == 0 ? ParameterDirection.Input : (ParameterDirection)_direction;
        set => _direction = value is ParameterDirection.Input or ParameterDirection.Output or ParameterDirection.InputOutput or ParameterDirection.ReturnValue
            ? (byte)value
            : throw new ArgumentOutOfRangeException(nameof(value), value, "A parameter's direction is Input, Output, InputOutput or ReturnValue.");
    }

    /// <summary>Whether the direction was set.</summary>
    private protected bool IsDirectionSet => _direction != 0;

    /// <inheritdoc/>
    public override bool IsNullable
    {
        get => _isNullable;
        set => _isNullable = value;
    }

    /// <summary>The most characters or bytes of the value that are sent; 0 sends all.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is less than <see cref="LeastSize"/>.</exception>
    public override int Size
    {
        get => _size;
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, LeastSize);
            _size = value;
        }
    }

    /// <inheritdoc/>
    public override byte Precision
    {
        get => _rarities?.Precision ?? 0;
        set => Rare.Precision = value;
    }

    /// <inheritdoc/>
    public override byte Scale
    {
        get => _rarities?.Scale ?? 0;
        set => Rare.Scale = value;
    }

    /// <inheritdoc/>
    [AllowNull]
    public override string SourceColumn
    {
        get => _rarities?.SourceColumn ?? "";
        set => Rare.SourceColumn = value ?? "";
    }

    /// <inheritdoc/>
    public override bool SourceColumnNullMapping
    {
        get => _rarities?.SourceColumnNullMapping ?? false;
        set => Rare.SourceColumnNullMapping = value;
    }

    /// <inheritdoc/>
    public override DataRowVersion SourceVersion
    {
        get => _rarities?.SourceVersion ?? DataRowVersion.Current;
        set => Rare.SourceVersion = value;
    }

    /// <summary>What <see cref="Size"/> may be at least.</summary>
    private protected virtual int LeastSize => 0;

    /// <summary>The name without the provider's prefixes and quotes.</summary>
    internal ReadOnlySpan<char> Bare => BareOf(_name);

    /// <summary>Who must hear of a new name; null in no collection.</summary>
    internal IParameterOwner? Owner { get; set; }

    private Rarities Rare => _rarities ??= new();

    /// <summary>A name without the provider's prefixes and quotes.</summary>
    private protected abstract ReadOnlySpan<char> BareOf(string name);

    /// <summary>A clone of the same type, in no collection.</summary>
    internal abstract ProviderParameter CloneParameter();

    // What data adapters need and commands do not: apart, so that a parameter of a command stays small.
    private sealed class Rarities
    {
        public string SourceColumn { get; set; } = "";

        public DataRowVersion SourceVersion { get; set; } = DataRowVersion.Current;

        public bool SourceColumnNullMapping { get; set; }

        public byte Precision { get; set; }

        public byte Scale { get; set; }

        public Rarities Clone() => (Rarities)MemberwiseClone();
    }
}

/// <summary>A collection, as its parameters see it.</summary>
internal interface IParameterOwner
{
    /// <summary>Called before a parameter gets another name.</summary>
    /// <exception cref="ArgumentException">The collection has one of that name.</exception>
    void Renaming(ProviderParameter parameter, string name);

    void Renamed(ProviderParameter parameter, ReadOnlySpan<char> oldName);

    /// <summary>A parameter of this collection was added to another one, too: from now on its renames are not heard of.</summary>
    void Share();
}
