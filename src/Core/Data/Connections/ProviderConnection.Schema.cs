using System.Data;

namespace Slipstream.Core.Data;

// The contents of the server's catalogue, as tables.
public abstract partial class ProviderConnection
{
    /// <summary>The collections of the connected server; those of the provider's first kind of server while the connection is closed.</summary>
    private protected abstract SchemaCatalog SchemaCatalog { get; }

    /// <summary>Returns the list of schema collections: their names, the number of their restrictions, and the number of parts of their identifiers.</summary>
    /// <returns>The collection MetaDataCollections.</returns>
    public override DataTable GetSchema() => GetSchema(SchemaCatalog.Default, null!);

    /// <inheritdoc cref="GetSchema(string, string[])"/>
    /// <param name="collectionName">The name of a collection that <see cref="GetSchema()"/> lists. Case is ignored.</param>
    public override DataTable GetSchema(string collectionName) => GetSchema(collectionName, null!);

    /// <summary>
    /// Returns a schema collection. Collections that need no query (MetaDataCollections, Restrictions, DataTypes, ReservedWords) need no open connection.
    /// </summary>
    /// <param name="collectionName">The name of a collection that <see cref="GetSchema()"/> lists. Case is ignored.</param>
    /// <param name="restrictionValues">
    /// Values that the rows must have, in the order of the collection Restrictions. The server compares them, as parameters. Null and empty values restrict
    /// nothing.
    /// </param>
    /// <returns>The collection as a table.</returns>
    /// <exception cref="ArgumentException">The collection does not exist, or has fewer restrictions.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open, or a data reader is open on it.</exception>
    /// <exception cref="System.Data.Common.DbException">The server refused the query; for instance, because the user may not read the tables of the
    /// collection.</exception>
    public override DataTable GetSchema(string collectionName, string?[] restrictionValues)
    {
        var question = Question(collectionName, restrictionValues);
        using var command = question.Ask(this);
        if (command is null)
            return question.Answer();
        using var reader = command.ExecuteReader();
        while (reader.Read())
            question.Add(reader);
        return question.Answer();
    }

    /// <inheritdoc cref="GetSchema()"/>
    /// <param name="cancellationToken">Cancels the query.</param>
    public override Task<DataTable> GetSchemaAsync(CancellationToken cancellationToken = default) =>
        GetSchemaAsync(SchemaCatalog.Default, null!, cancellationToken);

    /// <inheritdoc cref="GetSchema(string, string[])"/>
    /// <param name="collectionName">The name of a collection that <see cref="GetSchema()"/> lists. Case is ignored.</param>
    /// <param name="cancellationToken">Cancels the query.</param>
    public override Task<DataTable> GetSchemaAsync(string collectionName, CancellationToken cancellationToken = default) =>
        GetSchemaAsync(collectionName, null!, cancellationToken);

    /// <inheritdoc cref="GetSchema(string, string[])"/>
    /// <param name="collectionName">The name of a collection that <see cref="GetSchema()"/> lists. Case is ignored.</param>
    /// <param name="restrictionValues">Values that the rows must have, in the order of the collection Restrictions. Null and empty values restrict
    /// nothing.</param>
    /// <param name="cancellationToken">Cancels the query.</param>
    public override async Task<DataTable> GetSchemaAsync(string collectionName, string?[] restrictionValues, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var question = Question(collectionName, restrictionValues);
        var command = question.Ask(this);
        if (command is null)
            return question.Answer();
        await using (command.ConfigureAwait(false))
        {
            var reader = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                    question.Add(reader);
            }
        }

        return question.Answer();
    }

    private SchemaQuestion Question(string collectionName, string?[]? restrictions)
    {
        ArgumentNullException.ThrowIfNull(collectionName);
        return new(SchemaCatalog.Find(collectionName), restrictions);
    }
}
