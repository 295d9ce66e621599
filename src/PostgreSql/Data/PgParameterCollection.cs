using System.Collections;
using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;

namespace Slipstream.PostgreSql;

/// <summary>
/// The parameters of a command. A name is looked up as it is written first, then without regard to case; prefixes do not matter.
/// Thousands of parameters stay linear.
/// </summary>
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed class PgParameterCollection : DbParameterCollection, IEnumerable<PgParameter>
{
    // Comparing a handful of short names is quicker than computing the hash of one.
    private const int FewEnoughToScan = 8;

    private readonly List<PgParameter> _parameters = [];

    // Bare name to index, the first of equal names; null until needed. The second only exists after a name was not found in the first.
    private Dictionary<string, int>? _byName;
    private Dictionary<string, int>? _byNameInAnyCase;
    private bool _isShared;
    private int _shape;

    internal PgParameterCollection()
    {
    }

    public override int Count => _parameters.Count;

    public override bool IsFixedSize => false;

    public override bool IsReadOnly => false;

    public override bool IsSynchronized => false;

    public override object SyncRoot => this;

    /// <summary>
    /// Changes whenever a name, the order or the number of parameters changes: what was found by names for one shape holds as long as the number
    /// stays the same.
    /// </summary>
    /// <remarks>A collection that does not hear of renames, because a parameter was added to another collection too, has a new shape each time it is asked.</remarks>
    internal int Shape => _isShared ? ++_shape : _shape;

    /// <summary>Whether the parameters have names; otherwise they are $1, $2, … in their order.</summary>
    internal bool HasNames => _parameters.Count > 0 && !_parameters[0].BareName.IsEmpty;

    public new PgParameter this[int index]
    {
        get => _parameters[index];
        set => SetParameter(index, value);
    }

    /// <exception cref="ArgumentException">There is no parameter of that name.</exception>
    public new PgParameter this[string name]
    {
        get => _parameters[FindOrThrow(name)];
        set => SetParameter(name, value);
    }

    public PgParameter Add(PgParameter parameter)
    {
        Insert(_parameters.Count, parameter);
        return parameter;
    }

    public PgParameter Add(string parameterName, DbType dbType) => Add(new PgParameter { ParameterName = parameterName, DbType = dbType });

    public PgParameter Add(string parameterName, PgDbType parameterType) => Add(new PgParameter(parameterName, parameterType));

    public PgParameter Add(string parameterName, PgDbType parameterType, int size) => Add(new PgParameter(parameterName, parameterType, size));

    /// <summary>Adds a <see cref="PgParameter"/>.</summary>
    /// <returns>Its index.</returns>
    /// <exception cref="ArgumentException">The value is no PgParameter.</exception>
    public override int Add(object value)
    {
        Insert(_parameters.Count, Cast(value));
        return _parameters.Count - 1;
    }

    public override void AddRange(Array values)
    {
        ArgumentNullException.ThrowIfNull(values);
        foreach (var value in values)
            Add(value!);
    }

    public PgParameter AddWithValue(string parameterName, object? value) => Add(new PgParameter(parameterName, value));

    /// <summary>Adds a positional parameter.</summary>
    public PgParameter AddWithValue(object? value) => Add(new PgParameter("", value));

    /// <summary>Adds a positional parameter.</summary>
    public PgParameter AddWithValue(PgDbType parameterType, object? value) => Add(new PgParameter("", parameterType) { Value = value });

    public PgParameter AddWithValue(string parameterName, PgDbType parameterType, object? value) => Add(new PgParameter(parameterName, parameterType) { Value = value });

    public PgParameter AddWithValue(string parameterName, PgDbType parameterType, int size, object? value) =>
        Add(new PgParameter(parameterName, parameterType, size) { Value = value });

    public override void Insert(int index, object? value) => Insert(index, Cast(value));

    public override void Clear()
    {
        foreach (var parameter in _parameters)
            Detach(parameter);
        _parameters.Clear();
        _isShared = false;
        Forget();
    }

    public override bool Contains(object value) => value is PgParameter parameter && _parameters.Contains(parameter);

    public override bool Contains(string value) => IndexOf(value) >= 0;

    public override void CopyTo(Array array, int index) => ((ICollection)_parameters).CopyTo(array, index);

    public override IEnumerator GetEnumerator() => _parameters.GetEnumerator();

    IEnumerator<PgParameter> IEnumerable<PgParameter>.GetEnumerator() => _parameters.GetEnumerator();

    public override int IndexOf(object value) => value is PgParameter parameter ? _parameters.IndexOf(parameter) : -1;

    /// <returns>−1 when there is none.</returns>
    public override int IndexOf(string parameterName) => IndexOfBare(ParameterName.Bare(parameterName));

    public override void Remove(object? value)
    {
        var index = _parameters.IndexOf(Cast(value));
        if (index < 0)
            throw new ArgumentException($"The parameter '{Cast(value).ParameterName}' is not in this collection.", nameof(value));
        RemoveAt(index);
    }

    public override void RemoveAt(int index)
    {
        var parameter = _parameters[index];
        Detach(parameter);
        _parameters.RemoveAt(index);
        Forget();
    }

    /// <exception cref="ArgumentException">There is no parameter of that name.</exception>
    public override void RemoveAt(string parameterName) => RemoveAt(FindOrThrow(parameterName));

    /// <summary>The index of a name without prefix; −1 when there is none.</summary>
    internal int IndexOfBare(ReadOnlySpan<char> name)
    {
        if (name.IsEmpty)
            return -1;
        if (_isShared || _parameters.Count <= FewEnoughToScan)
            return Scan(name);
        _byName ??= Index(StringComparer.Ordinal);
        if (_byName.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(name, out var index))
            return index;
        _byNameInAnyCase ??= Index(StringComparer.OrdinalIgnoreCase);
        return _byNameInAnyCase.GetAlternateLookup<ReadOnlySpan<char>>().TryGetValue(name, out index) ? index : -1;
    }

    /// <summary>Adds a clone of each parameter of another collection.</summary>
    internal void AddClonesOf(PgParameterCollection others)
    {
        foreach (var parameter in others._parameters)
            Add(parameter.Clone());
    }

    internal void Renamed(PgParameter parameter, string oldName)
    {
        _shape++;
        _byNameInAnyCase = null;
        if (_byName is null)
            return;
        // In step without a search when neither the old nor the new name is another parameter's, which is all but always.
        var names = _byName.GetAlternateLookup<ReadOnlySpan<char>>();
        var inStep = names.Remove(ParameterName.Bare(oldName), out _, out var index) && _parameters[index] == parameter
            && !parameter.BareName.IsEmpty && names.TryAdd(parameter.BareName, index);
        if (!inStep)
            _byName = null;
    }

    protected override DbParameter GetParameter(int index) => _parameters[index];

    protected override DbParameter GetParameter(string parameterName) => this[parameterName];

    protected override void SetParameter(int index, DbParameter value)
    {
        var parameter = Cast(value);
        var old = _parameters[index];
        if (old == parameter)
            return;
        Detach(old);
        Attach(parameter);
        _parameters[index] = parameter;
        Forget();
    }

    protected override void SetParameter(string parameterName, DbParameter value) => SetParameter(FindOrThrow(parameterName), value);

    private static PgParameter Cast(object? value) => value switch
    {
        PgParameter parameter => parameter,
        null => throw new ArgumentNullException(nameof(value)),
        _ => throw new ArgumentException($"A parameter of this command must be a PgParameter, not {value.GetType().FullName}.", nameof(value)),
    };

    private void Insert(int index, PgParameter parameter)
    {
        ArgumentNullException.ThrowIfNull(parameter);
        Attach(parameter);
        _parameters.Insert(index, parameter);
        _shape++;
        // At the end the indexes stay right; in front of others they do not.
        if (index < _parameters.Count - 1)
            Forget();
        else if (!parameter.BareName.IsEmpty)
        {
            _byName?.GetAlternateLookup<ReadOnlySpan<char>>().TryAdd(parameter.BareName, index);
            _byNameInAnyCase?.GetAlternateLookup<ReadOnlySpan<char>>().TryAdd(parameter.BareName, index);
        }
    }

    private int Scan(ReadOnlySpan<char> name)
    {
        var index = Scan(name, StringComparison.Ordinal);
        return index >= 0 ? index : Scan(name, StringComparison.OrdinalIgnoreCase);
    }

    private int Scan(ReadOnlySpan<char> name, StringComparison comparison)
    {
        for (var index = 0; index < _parameters.Count; index++)
        {
            if (_parameters[index].BareName.Equals(name, comparison))
                return index;
        }

        return -1;
    }

    private Dictionary<string, int> Index(StringComparer comparer)
    {
        var index = new Dictionary<string, int>(_parameters.Count, comparer);
        var names = index.GetAlternateLookup<ReadOnlySpan<char>>();
        for (var at = 0; at < _parameters.Count; at++)
        {
            if (!_parameters[at].BareName.IsEmpty)
                names.TryAdd(_parameters[at].BareName, at);
        }

        return index;
    }

    private void Attach(PgParameter parameter)
    {
        parameter.Collection?._isShared = true;
        parameter.Collection = this;
    }

    private void Detach(PgParameter parameter)
    {
        if (parameter.Collection == this)
            parameter.Collection = null;
    }

    private void Forget()
    {
        _shape++;
        _byName = null;
        _byNameInAnyCase = null;
    }

    private int FindOrThrow(string name)
    {
        var index = IndexOf(name);
        return index >= 0 ? index : throw new ArgumentException($"There is no parameter '{name}' in this collection.", nameof(name));
    }
}
