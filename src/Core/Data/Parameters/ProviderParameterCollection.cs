using System.Collections;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;

namespace Slipstream.Core.Data;

/// <summary>
/// The parameters of a command. A lookup by name prefers an exact match and otherwise ignores case. Prefixes are ignored. Lookups remain fast with thousands of
/// parameters.
/// </summary>
/// <typeparam name="TParameter">The provider's type of parameters.</typeparam>
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public abstract class ProviderParameterCollection<TParameter> : DbParameterCollection, IEnumerable<TParameter>, IParameterOwner
    where TParameter : ProviderParameter
{
    // Comparing a few short names is faster than hashing one.
    private const int FewEnoughToScan = 8;

    // An empty collection has no list of its own: Dapper, for one, reads the collection of every command.
    private static readonly Members None = [];

    private Members _parameters = None;
    private bool _isShared;
    private int _shape;

    private protected ProviderParameterCollection()
    {
    }

    /// <inheritdoc/>
    public override int Count => _parameters.Count;

    /// <inheritdoc/>
    public override bool IsFixedSize => false;

    /// <inheritdoc/>
    public override bool IsReadOnly => false;

    /// <inheritdoc/>
    public override bool IsSynchronized => false;

    /// <inheritdoc/>
    public override object SyncRoot => this;

    /// <summary>
    /// A number that changes whenever a name, the order or the number of parameters changes. Results of lookups for one shape stay valid while the number is
    /// the same.
    /// </summary>
    /// <remarks>
    /// If a parameter was added to another collection too, this collection is not notified of renames, and the number changes with each call.
    /// </remarks>
    internal int CurrentShape => _isShared ? ++_shape : _shape;

    /// <summary>Gets or sets the parameter at an index.</summary>
    /// <param name="index">The index, from 0.</param>
    /// <value>The parameter.</value>
    /// <exception cref="ArgumentOutOfRangeException">The index is not valid.</exception>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public new TParameter this[int index]
    {
        get => _parameters[index];
        set => SetParameter(index, value);
    }

    /// <summary>Gets or sets the parameter with a name. An exact match is preferred; prefix and case are ignored otherwise.</summary>
    /// <param name="name">The name, with or without prefix.</param>
    /// <value>The parameter.</value>
    /// <exception cref="ArgumentException">No parameter has this name.</exception>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public new TParameter this[string name]
    {
        get => _parameters[FindOrThrow(name)];
        set => SetParameter(name, value);
    }

    /// <summary>Adds a parameter at the end.</summary>
    /// <param name="parameter">The parameter.</param>
    /// <returns>The same parameter.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="parameter"/> is null.</exception>
    public TParameter Add(TParameter parameter)
    {
        Insert(_parameters.Count, parameter);
        return parameter;
    }

    /// <summary>Adds a parameter of the provider's type at the end.</summary>
    /// <param name="value">The parameter.</param>
    /// <returns>The index of the parameter.</returns>
    /// <exception cref="InvalidCastException">The value has another type.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="value"/> is null.</exception>
    public override int Add(object value)
    {
        Insert(_parameters.Count, Cast(value));
        return _parameters.Count - 1;
    }

    /// <inheritdoc/>
    public override void AddRange(Array values)
    {
        ArgumentNullException.ThrowIfNull(values);
        foreach (var value in values)
            Add(value!);
    }

    /// <inheritdoc/>
    public override void Insert(int index, object? value) => Insert(index, Cast(value));

    /// <inheritdoc/>
    public override void Clear()
    {
        if (ReferenceEquals(_parameters, None))
            return;
        foreach (var parameter in _parameters)
            Detach(parameter);
        _parameters.Clear();
        _isShared = false;
        Forget();
    }

    /// <inheritdoc/>
    public override bool Contains(object value) => value is TParameter parameter && _parameters.Contains(parameter);

    /// <inheritdoc/>
    public override bool Contains(string value) => IndexOf(value) >= 0;

    /// <inheritdoc/>
    public override void CopyTo(Array array, int index) => ((ICollection)_parameters).CopyTo(array, index);

    /// <inheritdoc/>
    public override IEnumerator GetEnumerator() => _parameters.GetEnumerator();

    IEnumerator<TParameter> IEnumerable<TParameter>.GetEnumerator() => _parameters.GetEnumerator();

    /// <inheritdoc/>
    public override int IndexOf(object value) => value is TParameter parameter ? _parameters.IndexOf(parameter) : -1;

    /// <summary>Finds the parameter with a name. An exact match is preferred; prefix and case are ignored otherwise.</summary>
    /// <param name="parameterName">The name, with or without prefix.</param>
    /// <returns>The index of the parameter; −1 if no parameter has this name.</returns>
    public override int IndexOf(string parameterName) => Find(BareOf(parameterName), exactly: false);

    /// <inheritdoc/>
    public override void Remove(object? value)
    {
        var index = _parameters.IndexOf(Cast(value));
        if (index < 0)
            throw NotContained($"The parameter '{Cast(value).ParameterName}' is not in this collection.", nameof(value));
        RemoveAt(index);
    }

    /// <inheritdoc/>
    public override void RemoveAt(int index)
    {
        var parameter = _parameters[index];
        Detach(parameter);
        _parameters.RemoveAt(index);
        Forget();
    }

    /// <summary>Removes the parameter with a name.</summary>
    /// <param name="parameterName">The name, with or without prefix.</param>
    /// <exception cref="ArgumentException">No parameter has this name.</exception>
    public override void RemoveAt(string parameterName)
    {
        var index = IndexOf(parameterName);
        if (index < 0)
            throw NotContained($"The parameter '{parameterName}' is not in this collection.", nameof(parameterName));
        RemoveAt(index);
    }

    void IParameterOwner.Renaming(ProviderParameter parameter, string name) => Validate((TParameter)parameter, name, (TParameter)parameter);

    void IParameterOwner.Renamed(ProviderParameter parameter, ReadOnlySpan<char> oldName)
    {
        _shape++;
        _parameters.Index?.Renamed((TParameter)parameter, oldName);
    }

    void IParameterOwner.Share() => _isShared = true;

    /// <summary>The index of a name without prefix and quotes; −1 if no parameter has it.</summary>
    internal int Find(ReadOnlySpan<char> name, bool exactly)
    {
        if (name.IsEmpty)
            return -1;
        if (!_isShared && _parameters.Count > FewEnoughToScan)
            return (_parameters.Index ??= new(_parameters)).Find(name, exactly);
        var index = Scan(name, StringComparison.Ordinal);
        return index >= 0 || exactly ? index : Scan(name, StringComparison.OrdinalIgnoreCase);
    }

    /// <summary>Adds a clone of each parameter of another collection.</summary>
    private protected void AddClones(ProviderParameterCollection<TParameter> others)
    {
        foreach (var parameter in others._parameters)
            Add((TParameter)parameter.CloneParameter());
    }

    /// <summary>The exception for a parameter that the collection does not contain.</summary>
    private protected virtual Exception NotContained(string message, string argument) => new ArgumentException(message, argument);

    /// <summary>Removes prefix and quotes from a name.</summary>
    private protected abstract ReadOnlySpan<char> BareOf(string? name);

    /// <summary>Called before a parameter is added, and before a parameter of the collection is renamed.</summary>
    /// <param name="parameter">The parameter.</param>
    /// <param name="name">The name that it will have in the collection, as written.</param>
    /// <param name="replaced">The parameter that it replaces; itself when it is renamed; null for a new one.</param>
    private protected virtual void Validate(TParameter parameter, string name, TParameter? replaced)
    {
        // By default, two parameters may have the same name.
    }

    /// <summary>Whether a parameter belongs to this collection. False for one that was added to another collection later.</summary>
    private protected bool Owns(TParameter parameter) => parameter.Owner == this;

    /// <inheritdoc/>
    protected override DbParameter GetParameter(int index) => _parameters[index];

    /// <inheritdoc/>
    protected override DbParameter GetParameter(string parameterName) => this[parameterName];

    /// <inheritdoc/>
    protected override void SetParameter(int index, DbParameter value)
    {
        var parameter = Cast(value);
        var old = _parameters[index];
        if (old == parameter)
            return;
        Validate(parameter, parameter.ParameterName, old);
        Detach(old);
        Attach(parameter);
        _parameters[index] = parameter;
        Forget();
    }

    /// <inheritdoc/>
    protected override void SetParameter(string parameterName, DbParameter value) => SetParameter(FindOrThrow(parameterName), value);

    private static TParameter Cast(object? value) => value switch
    {
        TParameter parameter => parameter,
        null => throw new ArgumentNullException(nameof(value)),
        _ => throw new InvalidCastException($"A parameter of this command must be a {typeof(TParameter).Name}, not {value.GetType().FullName}."),
    };

    private void Insert(int index, TParameter parameter)
    {
        ArgumentNullException.ThrowIfNull(parameter);
        Validate(parameter, parameter.ParameterName, null);
        Attach(parameter);
        if (ReferenceEquals(_parameters, None))
            _parameters = [];
        _parameters.Insert(index, parameter);
        _shape++;
        // Existing indexes stay valid after adding at the end, but not after inserting before others.
        if (index < _parameters.Count - 1)
            Forget();
    }

    private int Scan(ReadOnlySpan<char> name, StringComparison comparison)
    {
        for (var index = 0; index < _parameters.Count; index++)
        {
            if (_parameters[index].Bare.Equals(name, comparison))
                return index;
        }

        return -1;
    }

    private void Attach(TParameter parameter)
    {
        parameter.Owner?.Share();
        parameter.Owner = this;
    }

    private void Detach(TParameter parameter)
    {
        if (parameter.Owner == this)
            parameter.Owner = null;
    }

    private void Forget()
    {
        _shape++;
        _parameters.Index?.Clear();
    }

    private int FindOrThrow(string name)
    {
        var index = IndexOf(name);
        return index >= 0 ? index : throw new ArgumentException($"The parameter '{name}' is not in this collection.", nameof(name));
    }

    // With the index by name, so that a collection without parameters needs no field for it.
    private sealed class Members : List<TParameter>
    {
        public ParameterIndex<TParameter>? Index { get; set; }
    }
}
