using System.Data;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Slipstream.Core.Data;

namespace Slipstream.MySql;

/// <summary>
/// The parameters of a command. A name is looked up as it is written first, then without regard to case; prefixes and quotes do not matter.
/// Thousands of parameters stay linear. Two parameters of exactly the same name are refused with an <see cref="ArgumentException"/>.
/// </summary>
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed class MySqlParameterCollection : ProviderParameterCollection<MySqlParameter>
{
    internal MySqlParameterCollection()
    {
    }

    /// <summary>See <see cref="ProviderParameterCollection{T}.CurrentShape"/>.</summary>
    internal int Shape => CurrentShape;

    /// <summary>Adds a parameter of this type, whose value is set later.</summary>
    public MySqlParameter Add(string parameterName, DbType dbType) => Add(new MySqlParameter { ParameterName = parameterName, DbType = dbType });

    /// <summary>Adds a parameter of this type, whose value is set later.</summary>
    public MySqlParameter Add(string parameterName, MySqlDbType mySqlDbType) => Add(new MySqlParameter(parameterName, mySqlDbType));

    /// <summary>Adds a parameter of this type and size, whose value is set later; 0 sends all of a value.</summary>
    public MySqlParameter Add(string parameterName, MySqlDbType mySqlDbType, int size) => Add(new MySqlParameter(parameterName, mySqlDbType, size));

    /// <summary>Adds a parameter of this type and size, whose value a data adapter takes from a column. (Not in MySqlConnector.)</summary>
    public MySqlParameter Add(string parameterName, MySqlDbType mySqlDbType, int size, string? sourceColumn) =>
        Add(new MySqlParameter(parameterName, mySqlDbType, size, sourceColumn));

    /// <summary>Adds a parameter whose type follows from its value; null and DBNull are the server's NULL.</summary>
    public MySqlParameter AddWithValue(string parameterName, object? value) => Add(new MySqlParameter(parameterName, value));

    /// <summary>The index of a name without prefix and quotes; −1 when there is none.</summary>
    internal int IndexOfBare(ReadOnlySpan<char> name) => Find(name, exactly: false);

    /// <summary>
    /// The index of a name that stands in a text; −1 when there is none. In the text of a call <see cref="ArgumentAt"/> may stand for a parameter.
    /// </summary>
    internal int IndexInText(ReadOnlySpan<char> name) =>
        name.StartsWith(Argument, StringComparison.Ordinal)
        && int.TryParse(name[Argument.Length..], NumberStyles.None, CultureInfo.InvariantCulture, out var at) && at < Count ? at : IndexOfBare(name);

    /// <summary>What a parameter is called in the text of a call when its own name might not stay between quotes, or it has none.</summary>
    internal static string ArgumentAt(int index) => Argument + index.ToString(CultureInfo.InvariantCulture);

    /// <summary>Whether a name can stand in the text of a call as it is.</summary>
    internal static bool StandsInText(string name) =>
        name.Length > 0 && name.AsSpan().IndexOfAny("`'\"\\") < 0 && !name.StartsWith(Argument, StringComparison.Ordinal);

    private const string Argument = "slipstream.argument.";

    /// <summary>Adds a clone of each parameter of another collection.</summary>
    internal void AddClonesOf(MySqlParameterCollection others) => AddClones(others);

    /// <inheritdoc/>
    private protected override ReadOnlySpan<char> BareOf(string? name) => ParameterName.Bare(name);

    /// <inheritdoc/>
    // Only the same spelling is a duplicate: "@a" and "@A" are told apart by the lookup.
    private protected override void Admit(MySqlParameter parameter, string name, MySqlParameter? replaced)
    {
        var index = Find(BareOf(name), exactly: true);
        if (index >= 0 && !ReferenceEquals(this[index], replaced))
            throw new ArgumentException($"Parameter '{name}' has already been defined: a command has one parameter of each name.");
        if (replaced != parameter && Owns(parameter))
            throw new ArgumentException($"The parameter '{name}' is already in this collection: add another object.");
    }
}
