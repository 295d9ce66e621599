using System.Data;
using System.Diagnostics.CodeAnalysis;
using Slipstream.Core.Data;
using Slipstream.Core.Statements;

namespace Slipstream.PostgreSql;

/// <summary>
/// The parameters of a command. A name is looked up as it is written first, then without regard to case; prefixes do not matter.
/// Thousands of parameters stay linear.
/// </summary>
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed class PgParameterCollection : ProviderParameterCollection<PgParameter>
{
    internal PgParameterCollection()
    {
    }

    /// <summary>See <see cref="ProviderParameterCollection{T}.CurrentShape"/>.</summary>
    internal int Shape => CurrentShape;

    private int _namingShape = -1;
    private ParameterNaming _naming;

    /// <summary>How its parameters are called: found once for each list of them.</summary>
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

    // The first decides, as long as none is called by a number.
    private ParameterNaming FindNaming()
    {
        if (Count == 0 || this[0].BareName.IsEmpty)
            return ParameterNaming.None;
        for (var i = 0; i < Count; i++)
            if (this[i].BareName is [>= '0' and <= '9', ..])
                return ParameterNaming.Numbers;
        return ParameterNaming.Names;
    }

    /// <summary>Adds a parameter of that name and type, whose value is set later, and returns it.</summary>
    public PgParameter Add(string parameterName, DbType dbType) => Add(new PgParameter { ParameterName = parameterName, DbType = dbType });

    /// <summary>Adds a parameter of that name and type, whose value is set later, and returns it.</summary>
    public PgParameter Add(string parameterName, PgDbType parameterType) => Add(new PgParameter(parameterName, parameterType));

    /// <summary>Adds a parameter of that name and type, whose value is set later, and returns it.</summary>
    public PgParameter Add(string parameterName, PgDbType parameterType, int size) => Add(new PgParameter(parameterName, parameterType, size));

    /// <summary>Adds a parameter with that value and returns it.</summary>
    public PgParameter AddWithValue(string parameterName, object? value) => Add(new PgParameter(parameterName, value));

    /// <summary>Adds a positional parameter.</summary>
    public PgParameter AddWithValue(object? value) => Add(new PgParameter("", value));

    /// <summary>Adds a positional parameter.</summary>
    public PgParameter AddWithValue(PgDbType parameterType, object? value) => Add(new PgParameter("", parameterType) { Value = value });

    /// <summary>Adds a parameter with that value and returns it.</summary>
    public PgParameter AddWithValue(string parameterName, PgDbType parameterType, object? value) => Add(new PgParameter(parameterName, parameterType) { Value = value });

    /// <summary>Adds a parameter with that value and returns it.</summary>
    public PgParameter AddWithValue(string parameterName, PgDbType parameterType, int size, object? value) =>
        Add(new PgParameter(parameterName, parameterType, size) { Value = value });

    /// <summary>The index of a name without prefix; −1 when there is none.</summary>
    internal int IndexOfBare(ReadOnlySpan<char> name) => Find(name, exactly: false);

    /// <summary>Adds a clone of each parameter of another collection.</summary>
    internal void AddClonesOf(PgParameterCollection others) => AddClones(others);

    /// <inheritdoc/>
    private protected override ReadOnlySpan<char> BareOf(string? name) => ParameterName.Bare(name);
}
