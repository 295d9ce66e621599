using System.Data;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;
using Slipstream.Core.Statements;

namespace Slipstream.PostgreSql;

/// <summary>
/// The parameters of a command. The lookup by name prefers an exact match to one that ignores case, and ignores prefixes. Its cost stays linear with thousands
/// of parameters.
/// </summary>
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed class PgParameterCollection : ProviderParameterCollection<PgParameter>
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

    /// <summary>Returns the index of a name without its prefix; −1 if there is none.</summary>
    internal int IndexOfBare(ReadOnlySpan<char> name) => Find(name, exactly: false);

    /// <summary>Adds a clone of each parameter of another collection.</summary>
    internal void AddClonesOf(PgParameterCollection others) => AddClones(others);

    /// <inheritdoc/>
    private protected override ReadOnlySpan<char> BareOf(string? name) => ParameterName.Bare(name);
}
