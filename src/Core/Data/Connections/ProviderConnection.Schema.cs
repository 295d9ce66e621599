using System.Data;

namespace Slipstream.Core.Data;

// What the server's catalogue holds, as tables.
public abstract partial class ProviderConnection
{
    /// <summary>The collections of the server that the connection is open to; those of the provider's first kind of server when it is closed.</summary>
    private protected abstract SchemaCatalog SchemaCatalog { get; }

    /// <summary>The collections that there are: their names, how many restrictions each takes, and of how many parts its names are.</summary>
    public override DataTable GetSchema() => GetSchema(SchemaCatalog.Default, null!);

    /// <inheritdoc cref="GetSchema(string, string[])"/>
    public override DataTable GetSchema(string collectionName) => GetSchema(collectionName, null!);

    /// <summary>
    /// One collection. Those that the server is not asked for (MetaDataCollections, Restrictions, DataTypes, ReservedWords) need no open connection.
    /// </summary>
    /// <param name="collectionName">One of those that <see cref="GetSchema()"/> lists, without regard to case.</param>
    /// <param name="restrictionValues">
    /// What its rows must have, in the order that the collection Restrictions says: compared by the server as parameters; null and empty ones restrict nothing.
    /// </param>
    /// <exception cref="ArgumentException">There is no such collection, or it takes fewer restrictions.</exception>
    /// <exception cref="InvalidOperationException">The connection is not open, or a reader is.</exception>
    /// <exception cref="System.Data.Common.DbException">The server refused: this user may not see the tables that the collection is made of,
    /// for instance.</exception>
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
    public override Task<DataTable> GetSchemaAsync(CancellationToken cancellationToken = default) => GetSchemaAsync(SchemaCatalog.Default, null!, cancellationToken);

    /// <inheritdoc cref="GetSchema(string, string[])"/>
    public override Task<DataTable> GetSchemaAsync(string collectionName, CancellationToken cancellationToken = default) =>
        GetSchemaAsync(collectionName, null!, cancellationToken);

    /// <inheritdoc cref="GetSchema(string, string[])"/>
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
