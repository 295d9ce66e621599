using System.Data;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;
using Slipstream.Core.Statements;

namespace Slipstream.PostgreSql;

/// <summary>
/// The parameters of a command. The lookup by name prefers an exact match to one that ignores case, and ignores prefixes. Its cost stays linear with thousands
/// of parameters.
/// </summary>
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed class PgParameterCollection : ProviderParameterCollection<PgParameter>, IList<PgParameter>
{
    internal PgParameterCollection()
    {
    }

    /// <summary>Gets <see cref="ProviderParameterCollection{T}.CurrentShape"/>.</summary>
    internal int Shape => CurrentShape;

    private int _namingShape = -1;
    private ParameterNaming _naming;

    /// <summary>Gets how the parameters are named. It is determined once per list of parameters.</summary>
    internal ParameterNaming Naming
    {
        get
        {
            var shape = CurrentShape;
            if (shape != _namingShape)
            {
                _naming = FindNaming();
                _namingShape = shape;
            }

            return _naming;
        }
    }

    // The first parameter decides, unless the name of one is a number.
    private ParameterNaming FindNaming()
    {
        if (Count == 0 || this[0].BareName.IsEmpty)
            return ParameterNaming.None;
        for (var i = 0; i < Count; i++)
            if (this[i].BareName is [>= '0' and <= '9', ..])
                return ParameterNaming.Numbers;
        return ParameterNaming.Names;
    }

    /// <summary>Gets or sets the parameter with a name. An exact match is preferred; prefix and case are ignored otherwise.</summary>
    /// <param name="parameterName">The name, with or without prefix.</param>
    /// <value>The parameter.</value>
    /// <exception cref="ArgumentException">No parameter has this name, or the value is set to a parameter with another name.</exception>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public new PgParameter this[string parameterName]
    {
        get => base[parameterName];
        set => SetParameter(parameterName, value);
    }

    /// <inheritdoc/>
    protected override void SetParameter(string parameterName, DbParameter value)
    {
        if (value is PgParameter { BareName: var name } && !name.Equals(ParameterName.Bare(parameterName), StringComparison.OrdinalIgnoreCase))
            throw new ArgumentException($"The parameter is named '{name}', not '{parameterName}': assign it by its index, or rename it.", nameof(value));
        base.SetParameter(parameterName, value);
    }

    /// <summary>Gets or sets the parameter at an index.</summary>
    /// <param name="index">The index, from 0.</param>
    /// <value>The parameter.</value>
    /// <exception cref="ArgumentOutOfRangeException">The index is not valid.</exception>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public new PgParameter this[int index]
    {
        get => base[index];
        set => base[index] = value;
    }

    /// <summary>Adds a parameter at the end.</summary>
    /// <param name="value">The parameter.</param>
    /// <returns>The same parameter.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="value"/> is null.</exception>
    public new PgParameter Add(PgParameter value) => base.Add(value);

    /// <summary>Adds a parameter with a name and a type. Set its value before the execution.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; empty for a positional parameter.</param>
    /// <param name="dbType">The type.</param>
    /// <returns>The parameter.</returns>
    /// <exception cref="NotSupportedException">Parameters of that type are not supported.</exception>
    public PgParameter Add(string parameterName, DbType dbType) => Add(new PgParameter { ParameterName = parameterName, DbType = dbType });

    /// <summary>Adds a parameter with a name and a type. Set its value before the execution.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    /// <returns>The parameter.</returns>
    public PgParameter Add(string parameterName, PgDbType parameterType) => Add(new PgParameter(parameterName, parameterType));

    /// <summary>Adds a parameter with a name, a type and a size. Set its value before the execution.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    /// <returns>The parameter.</returns>
    public PgParameter Add(string parameterName, PgDbType parameterType, int size) => Add(new PgParameter(parameterName, parameterType, size));

    /// <summary>Adds a parameter with a name, a type, a size and a source column. Set its value before the execution.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    /// <param name="sourceColumn">The column of a DataTable that provides the value.</param>
    /// <returns>The parameter.</returns>
    public PgParameter Add(string parameterName, PgDbType parameterType, int size, string sourceColumn) =>
        Add(new PgParameter(parameterName, parameterType, size, sourceColumn));

    /// <summary>Adds a parameter with a name and a value.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; empty for a positional parameter.</param>
    /// <param name="value">The value, from which the type follows.</param>
    /// <returns>The parameter.</returns>
    public PgParameter AddWithValue(string parameterName, object? value) => Add(new PgParameter(parameterName, value));

    /// <summary>Adds a positional parameter.</summary>
    /// <param name="value">The value, from which the type follows.</param>
    /// <returns>The parameter.</returns>
    public PgParameter AddWithValue(object? value) => Add(new PgParameter("", value));

    /// <summary>Adds a positional parameter with a type.</summary>
    /// <param name="parameterType">The type.</param>
    /// <param name="value">The value.</param>
    /// <returns>The parameter.</returns>
    public PgParameter AddWithValue(PgDbType parameterType, object? value) => Add(new PgParameter("", parameterType) { Value = value });

    /// <summary>Adds a parameter with a name, a type and a value.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    /// <param name="value">The value.</param>
    /// <returns>The parameter.</returns>
    public PgParameter AddWithValue(string parameterName, PgDbType parameterType, object? value) =>
        Add(new PgParameter(parameterName, parameterType) { Value = value });

    /// <summary>Adds a parameter with a name, a type, a size and a value.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    /// <param name="value">The value.</param>
    /// <returns>The parameter.</returns>
    public PgParameter AddWithValue(string parameterName, PgDbType parameterType, int size, object? value) =>
        Add(new PgParameter(parameterName, parameterType, size) { Value = value });

    /// <summary>Adds a parameter with a name, a type, a size, a source column and a value.</summary>
    /// <param name="parameterName">The name, with or without "@" or ":"; empty for a positional parameter.</param>
    /// <param name="parameterType">The type.</param>
    /// <param name="size">The maximum number of characters or bytes to send; 0 or −1 for all.</param>
    /// <param name="sourceColumn">The column of a DataTable that provides the value.</param>
    /// <param name="value">The value.</param>
    /// <returns>The parameter.</returns>
    public PgParameter AddWithValue(string parameterName, PgDbType parameterType, int size, string? sourceColumn, object? value) =>
        Add(new PgParameter(parameterName, parameterType, size, sourceColumn) { Value = value });

    void ICollection<PgParameter>.Add(PgParameter item) => Add(item);

    /// <summary>Inserts a parameter before others.</summary>
    /// <param name="index">The index that the parameter will have.</param>
    /// <param name="item">The parameter.</param>
    /// <exception cref="ArgumentNullException"><paramref name="item"/> is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The index is not valid.</exception>
    public void Insert(int index, PgParameter item)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(index);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(index, Count);
        Insert(index, (object)item);
    }

    /// <summary>Returns whether the collection contains a parameter.</summary>
    /// <param name="item">The parameter.</param>
    /// <returns>True if the collection contains it.</returns>
    public bool Contains(PgParameter item) => IndexOf(item) >= 0;

    /// <summary>Returns the index of a parameter.</summary>
    /// <param name="item">The parameter.</param>
    /// <returns>The index, from 0; −1 if the collection does not contain it.</returns>
    public int IndexOf(PgParameter item) => IndexOf((object)item);

    /// <summary>Removes a parameter.</summary>
    /// <param name="item">The parameter.</param>
    /// <returns>False if the collection does not contain it.</returns>
    public bool Remove(PgParameter item)
    {
        var index = IndexOf(item);
        if (index >= 0)
            RemoveAt(index);
        return index >= 0;
    }

    /// <summary>Removes the parameter with a name.</summary>
    /// <param name="parameterName">The name, with or without prefix.</param>
    /// <exception cref="ArgumentException">No parameter has this name.</exception>
    public void Remove(string parameterName) => RemoveAt(parameterName);

    /// <summary>Finds the parameter with a name. An exact match is preferred; prefix and case are ignored otherwise.</summary>
    /// <param name="parameterName">The name, with or without prefix.</param>
    /// <param name="parameter">The parameter; null if no parameter has this name.</param>
    /// <returns>True if a parameter has this name.</returns>
    public bool TryGetValue(string parameterName, [NotNullWhen(true)] out PgParameter? parameter)
    {
        var index = IndexOf(parameterName);
        parameter = index >= 0 ? this[index] : null;
        return index >= 0;
    }

    /// <summary>Copies the parameters into an array.</summary>
    /// <param name="array">The array.</param>
    /// <param name="arrayIndex">The index in the array of the first parameter.</param>
    /// <exception cref="ArgumentNullException"><paramref name="array"/> is null.</exception>
    /// <exception cref="ArgumentException">The array is too short.</exception>
    public void CopyTo(PgParameter[] array, int arrayIndex) => CopyTo((Array)array, arrayIndex);

    /// <summary>Returns the parameters as an array.</summary>
    /// <returns>A new array.</returns>
    public PgParameter[] ToArray()
    {
        var array = new PgParameter[Count];
        CopyTo(array, 0);
        return array;
    }

    /// <summary>Returns the index of a name without its prefix; −1 if there is none.</summary>
    internal int IndexOfBare(ReadOnlySpan<char> name) => Find(name, exactly: false);

    /// <summary>Adds a clone of each parameter of another collection.</summary>
    internal void AddClonesOf(PgParameterCollection others) => AddClones(others);

    /// <inheritdoc/>
    private protected override ReadOnlySpan<char> BareOf(string? name) => ParameterName.Bare(name);
}
