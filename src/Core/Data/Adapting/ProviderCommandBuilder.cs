using System.Data;
using System.Data.Common;
using System.Globalization;

namespace Slipstream.Core.Data;

/// <summary>
/// The base class of the providers' command builders, which create the INSERT, UPDATE and DELETE commands of an adapter whose SELECT reads one table with a
/// key.
/// </summary>
/// <typeparam name="TAdapter">The provider's type of adapters.</typeparam>
public abstract class ProviderCommandBuilder<TAdapter> : DbCommandBuilder
    where TAdapter : ProviderDataAdapter
{
    private readonly char _quote;

    /// <summary>Creates a builder whose <see cref="DataAdapter"/> is set later.</summary>
    /// <param name="quote">The character around names.</param>
    private protected ProviderCommandBuilder(char quote)
    {
        _quote = quote;
        base.QuotePrefix = base.QuoteSuffix = quote.ToString();
    }

    /// <summary>Gets or sets the adapter whose SELECT is the source of the commands.</summary>
    public new TAdapter? DataAdapter
    {
        get => (TAdapter?)base.DataAdapter;
        set => base.DataAdapter = value;
    }

    /// <summary>Puts a name between quotes and doubles the quotes in it.</summary>
    /// <param name="unquotedIdentifier">The name.</param>
    /// <returns>The quoted name.</returns>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    public override string QuoteIdentifier(string unquotedIdentifier)
    {
        ArgumentNullException.ThrowIfNull(unquotedIdentifier);
        return $"{_quote}{unquotedIdentifier.Replace($"{_quote}", $"{_quote}{_quote}", StringComparison.Ordinal)}{_quote}";
    }

    /// <summary>
    /// Removes the quotes around a name and undoubles those in it. A name without quotes is returned unchanged, except for doubled quotes.
    /// </summary>
    /// <param name="quotedIdentifier">The name.</param>
    /// <returns>The name without quotes.</returns>
    /// <exception cref="ArgumentNullException">The name is null.</exception>
    public override string UnquoteIdentifier(string quotedIdentifier)
    {
        ArgumentNullException.ThrowIfNull(quotedIdentifier);
        var isQuoted = quotedIdentifier.Length > 1 && quotedIdentifier[0] == _quote && quotedIdentifier[^1] == _quote;
        return (isQuoted ? quotedIdentifier[1..^1] : quotedIdentifier).Replace($"{_quote}{_quote}", $"{_quote}", StringComparison.Ordinal);
    }

    /// <summary>Adds the builder's handler to the adapter's event before an update, or removes it.</summary>
    private protected abstract void Listen(TAdapter adapter, bool isOn);

    /// <inheritdoc/>
    // The base class would write server and catalog before the table's name. Statements apply to the connection's own.
    protected override DataTable GetSchemaTable(DbCommand sourceCommand)
    {
        var table = base.GetSchemaTable(sourceCommand);
        if (table is null)
            return null!;
        foreach (DataRow row in table.Rows)
            row[SchemaTableOptionalColumn.BaseServerName] = row[SchemaTableOptionalColumn.BaseCatalogName] = DBNull.Value;
        return table;
    }

    /// <inheritdoc/>
    protected override string GetParameterName(int parameterOrdinal) => string.Create(CultureInfo.InvariantCulture, $"@p{parameterOrdinal}");

    /// <inheritdoc/>
    protected override string GetParameterName(string parameterName) => "@" + parameterName;

    /// <inheritdoc/>
    protected override string GetParameterPlaceholder(int parameterOrdinal) => GetParameterName(parameterOrdinal);

    /// <inheritdoc/>
    protected override void SetRowUpdatingHandler(DbDataAdapter adapter)
    {
        if (adapter is not TAdapter own)
            throw new ArgumentException($"The adapter must be a {typeof(TAdapter).Name}, not {adapter?.GetType().FullName ?? "null"}.", nameof(adapter));
        // The base class calls this method again with the same adapter to remove the handler.
        Listen(own, isOn: adapter != base.DataAdapter);
    }
}
