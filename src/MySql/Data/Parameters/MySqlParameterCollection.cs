using System.Data;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Slipstream.Core.Data;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql;

/// <summary>
/// The parameters of a command. A lookup by name first compares the exact spelling, then ignores case; prefixes and quotes do not matter. Lookups take linear
/// time in total even with thousands of parameters. Adding a second parameter with exactly the same name throws an <see cref="ArgumentException"/>.
/// </summary>
[SuppressMessage("Design", "CA1010:Generic interface should also be implemented", Justification = "The base class of ADO.NET decides the interfaces.")]
public sealed class MySqlParameterCollection : ProviderParameterCollection<MySqlParameter>
{
    internal MySqlParameterCollection()
    {
    }

    /// <summary>See <see cref="ProviderParameterCollection{T}.CurrentShape"/>.</summary>
    internal int Shape => CurrentShape;

    /// <summary>Adds a parameter with its type. Its value is set later.</summary>
    /// <param name="parameterName">The name, with or without its prefix.</param>
    /// <param name="dbType">The type that the value is sent as.</param>
    /// <returns>The new parameter.</returns>
    /// <exception cref="ArgumentException">The collection already has a parameter with exactly this name.</exception>
    public MySqlParameter Add(string parameterName, DbType dbType) => Add(new MySqlParameter { ParameterName = parameterName, DbType = dbType });

    /// <summary>Adds a parameter with its type. Its value is set later.</summary>
    /// <param name="parameterName">The name, with or without its prefix.</param>
    /// <param name="mySqlDbType">The type that the value is sent as.</param>
    /// <returns>The new parameter.</returns>
    /// <exception cref="ArgumentException">The collection already has a parameter with exactly this name.</exception>
    public MySqlParameter Add(string parameterName, MySqlDbType mySqlDbType) => Add(new MySqlParameter(parameterName, mySqlDbType));

    /// <summary>Adds a parameter with its type and size. Its value is set later.</summary>
    /// <param name="parameterName">The name, with or without its prefix.</param>
    /// <param name="mySqlDbType">The type that the value is sent as.</param>
    /// <param name="size">The declared size: characters of a text, bytes of other types. The driver sends the whole value whatever the size.</param>
    /// <returns>The new parameter.</returns>
    /// <exception cref="ArgumentException">The collection already has a parameter with exactly this name.</exception>
    public MySqlParameter Add(string parameterName, MySqlDbType mySqlDbType, int size) => Add(new MySqlParameter(parameterName, mySqlDbType, size));

    /// <summary>Adds a parameter with its type and size, for a column of a <see cref="DataTable"/>. (Not in MySqlConnector.)</summary>
    /// <param name="parameterName">The name, with or without its prefix.</param>
    /// <param name="mySqlDbType">The type that the value is sent as.</param>
    /// <param name="size">The declared size: characters of a text, bytes of other types. The driver sends the whole value whatever the size.</param>
    /// <param name="sourceColumn">The column of a <see cref="DataTable"/> from which a data adapter takes the value.</param>
    /// <returns>The new parameter.</returns>
    /// <exception cref="ArgumentException">The collection already has a parameter with exactly this name.</exception>
    public MySqlParameter Add(string parameterName, MySqlDbType mySqlDbType, int size, string? sourceColumn) =>
        Add(new MySqlParameter(parameterName, mySqlDbType, size, sourceColumn));

    /// <summary>Adds a parameter whose type is the type of its value.</summary>
    /// <param name="parameterName">The name, with or without its prefix.</param>
    /// <param name="value">The value. Null and <see cref="DBNull"/> are NULL.</param>
    /// <returns>The new parameter.</returns>
    /// <exception cref="ArgumentException">The collection already has a parameter with exactly this name.</exception>
    public MySqlParameter AddWithValue(string parameterName, object? value) => Add(new MySqlParameter(parameterName, value));

    /// <summary>Returns the index of a name without prefix and quotes; −1 if the collection does not contain it.</summary>
    internal int IndexOfBare(ReadOnlySpan<char> name) => Find(name, exactly: false);

    /// <summary>
    /// Returns the index of a name in a statement's text; −1 if the collection does not contain it. In the text of a call, the name may be one of
    /// <see cref="ArgumentAt"/>.
    /// </summary>
    internal int IndexInText(ReadOnlySpan<char> name) =>
        name.StartsWith(Argument, StringComparison.Ordinal)
        && int.TryParse(name[Argument.Length..], NumberStyles.None, CultureInfo.InvariantCulture, out var at) && at < Count ? at : IndexOfBare(name);

    /// <summary>Returns the name of a parameter in the text of a call, for a parameter without a name or with one that is not safe between quotes.</summary>
    internal static string ArgumentAt(int index) => Argument + index.ToString(CultureInfo.InvariantCulture);

    /// <summary>Returns whether a name can be used in the text of a call unchanged.</summary>
    internal static bool StandsInText(string name) =>
        name.Length > 0 && name.AsSpan().IndexOfAny("`'\"\\") < 0 && !name.StartsWith(Argument, StringComparison.Ordinal);

    private const string Argument = "slipstream.argument.";

    /// <summary>Whether a prepared statement sends another type than SQL text.</summary>
    /// <param name="isSettled">Whether the server settles the types of parameters, and the driver compares them with those of the values.</param>
    internal bool DiffersWhenPrepared(bool isSettled)
    {
        if (!ThisAssembly.Conventions.SendsDoublesAsDigits)
            return false;
        for (var i = 0; i < Count; i++)
        {
            if (this[i].ClrType is not { } type)
                continue;
            var sent = Nullable.GetUnderlyingType(type) ?? type;
            // A DOUBLE is not the DECIMAL that its digits are. Booleans, dates and times differ only where their text matters, which the settled type shows.
            if (sent == typeof(double) || sent == typeof(float) || (!isSettled && TextMatters.Contains(sent)))
                return true;
        }

        return false;
    }

    private static readonly HashSet<Type> TextMatters =
        [typeof(bool), typeof(DateTime), typeof(DateTimeOffset), typeof(MySqlDateTime), typeof(DateOnly), typeof(TimeOnly), typeof(TimeSpan)];

    /// <summary>Adds a clone of each parameter of another collection.</summary>
    internal void AddClonesOf(MySqlParameterCollection others) => AddClones(others);

    /// <inheritdoc/>
    private protected override Exception NotContained(string message, string argument) => ThisAssembly.Conventions.RefusesMissingParametersAsOutOfRange
        ? new ArgumentOutOfRangeException(argument, message)
        : base.NotContained(message, argument);

    /// <inheritdoc/>
    private protected override ReadOnlySpan<char> BareOf(string? name) => ParameterName.Bare(name);

    /// <inheritdoc/>
    // Only the same spelling is a duplicate: the lookup distinguishes "@a" from "@A".
    private protected override void Validate(MySqlParameter parameter, string name, MySqlParameter? replaced)
    {
        var index = Find(BareOf(name), exactly: !ThisAssembly.Conventions.ParametersDifferInMoreThanCase);
        if (index >= 0 && !ReferenceEquals(this[index], replaced))
            throw new ArgumentException($"Parameter '{name}' has already been defined: a command has one parameter of each name.");
        if (replaced != parameter && Owns(parameter))
            throw new ArgumentException($"The parameter '{name}' is already in this collection: add another parameter object.");
    }
}
