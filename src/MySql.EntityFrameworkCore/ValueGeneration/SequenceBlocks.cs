using System.Collections.Concurrent;
using System.Data.Common;
using Microsoft.EntityFrameworkCore.Metadata;
using Microsoft.EntityFrameworkCore.ValueGeneration;

namespace Slipstream.MySql.EntityFrameworkCore.ValueGeneration;

/// <summary>
/// The blocks of values that sequences gave to the program, for all its contexts: what is left of a block belongs to its database only, so that contexts of
/// many databases never share one. Contexts with other internal services, for example for another logger, share them, too.
/// </summary>
internal sealed class SequenceBlocks
{
    private readonly ConcurrentDictionary<Key, HiLoValueGeneratorState> _blocks = new();
    private int _version;

    private SequenceBlocks()
    {
    }

    /// <summary>The blocks of the program.</summary>
    public static SequenceBlocks Instance { get; } = new();

    /// <summary>Changes when blocks are dropped, so that contexts do not keep them.</summary>
    public int Version => Volatile.Read(ref _version);

    /// <summary>Returns the block of a sequence in the database of a connection. A model with another increment has blocks of that size.</summary>
    public HiLoValueGeneratorState Of(IReadOnlySequence sequence, DbConnection connection) => _blocks.GetOrAdd(
        new(ServerOf(connection), connection.Database, sequence.Schema, sequence.Name, sequence.IncrementBy),
        static key => new HiLoValueGeneratorState(key.Increment));

    /// <summary>Drops the blocks of a database that was dropped or migrated: its sequences may begin again.</summary>
    public void Forget(DbConnection connection)
    {
        var (server, database) = (ServerOf(connection), connection.Database);
        foreach (var key in _blocks.Keys)
            if (key.Server == server && key.Database == database)
                _blocks.TryRemove(key, out _);
        Interlocked.Increment(ref _version);
    }

    // The server's name alone does not tell two servers on one host from each other.
    private static string ServerOf(DbConnection connection)
    {
        var options = new MySqlConnectionStringBuilder(connection.ConnectionString);
        return $"{options.Server}:{options.Port}";
    }

    private readonly record struct Key(string Server, string Database, string? Schema, string Name, int Increment);
}
