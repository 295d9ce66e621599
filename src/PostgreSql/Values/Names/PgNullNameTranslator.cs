namespace Slipstream.PostgreSql;

/// <summary>Uses the names of .NET unchanged.</summary>
public sealed class PgNullNameTranslator : IPgNameTranslator
{
    /// <summary>Returns the name unchanged.</summary>
    /// <param name="clrName">The name.</param>
    /// <returns>The same name.</returns>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    public string TranslateTypeName(string clrName) => clrName ?? throw new ArgumentNullException(nameof(clrName));

    /// <summary>Returns the name unchanged.</summary>
    /// <param name="clrName">The name.</param>
    /// <returns>The same name.</returns>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    public string TranslateMemberName(string clrName) => clrName ?? throw new ArgumentNullException(nameof(clrName));
}
