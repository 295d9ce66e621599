namespace Slipstream.PostgreSql;

/// <summary>
/// Translates names of .NET types and members to names of the database, for mapped enumerations and composite types. <see cref="PgNameAttribute"/> takes
/// precedence.
/// </summary>
public interface IPgNameTranslator
{
    /// <summary>Translates the name of a .NET type to the name of a type of the database.</summary>
    /// <param name="clrName">The name of the .NET type.</param>
    /// <returns>The name of the type of the database.</returns>
    string TranslateTypeName(string clrName);

    /// <summary>Translates the name of a member to the label of an enumeration or the name of a field.</summary>
    /// <param name="clrName">The name of the .NET member.</param>
    /// <returns>The label, or the name of the field.</returns>
    string TranslateMemberName(string clrName);
}
