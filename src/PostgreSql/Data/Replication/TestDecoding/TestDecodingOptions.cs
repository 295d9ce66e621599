namespace Slipstream.PostgreSql.Replication.TestDecoding;

/// <summary>The options of the plug-in test_decoding. An option that is null is not sent: the server's default applies.</summary>
public class TestDecodingOptions : IEquatable<TestDecodingOptions>
{
    /// <summary>Creates options.</summary>
    /// <param name="includeXids">Whether BEGIN and COMMIT contain the number of the transaction.</param>
    /// <param name="includeTimestamp">Whether COMMIT contains its time.</param>
    /// <param name="forceBinary">Whether the output is declared as binary.</param>
    /// <param name="skipEmptyXacts">Whether transactions without changes are left out.</param>
    /// <param name="onlyLocal">Whether changes that come from another server are left out.</param>
    /// <param name="includeRewrites">Whether rewrites of tables by DDL are included.</param>
    /// <param name="streamChanges">Whether large transactions are streamed before they end.</param>
    public TestDecodingOptions(
        bool? includeXids = null, bool? includeTimestamp = null, bool? forceBinary = null, bool? skipEmptyXacts = null, bool? onlyLocal = null,
        bool? includeRewrites = null, bool? streamChanges = null)
    {
        (IncludeXids, IncludeTimestamp, ForceBinary, SkipEmptyXacts) = (includeXids, includeTimestamp, forceBinary, skipEmptyXacts);
        (OnlyLocal, IncludeRewrites, StreamChanges) = (onlyLocal, includeRewrites, streamChanges);
    }

    /// <summary>Gets whether BEGIN and COMMIT contain the number of the transaction.</summary>
    public bool? IncludeXids { get; }

    /// <summary>Gets whether COMMIT contains its time.</summary>
    public bool? IncludeTimestamp { get; }

    /// <summary>Gets whether the output is declared as binary.</summary>
    public bool? ForceBinary { get; }

    /// <summary>Gets whether transactions without changes are left out.</summary>
    public bool? SkipEmptyXacts { get; }

    /// <summary>Gets whether changes that come from another server are left out.</summary>
    public bool? OnlyLocal { get; }

    /// <summary>Gets whether rewrites of tables by DDL are included.</summary>
    public bool? IncludeRewrites { get; }

    /// <summary>Gets whether large transactions are streamed before they end.</summary>
    public bool? StreamChanges { get; }

    /// <inheritdoc/>
    public bool Equals(TestDecodingOptions? other) => other is not null && Values() == other.Values();

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as TestDecodingOptions);

    /// <inheritdoc/>
    public override int GetHashCode() => Values().GetHashCode();

    /// <summary>Returns the options as START_REPLICATION needs them.</summary>
    internal List<KeyValuePair<string, string?>> Pairs()
    {
        var pairs = new List<KeyValuePair<string, string?>>();
        Add("include-xids", IncludeXids);
        Add("include-timestamp", IncludeTimestamp);
        Add("force-binary", ForceBinary);
        Add("skip-empty-xacts", SkipEmptyXacts);
        Add("only-local", OnlyLocal);
        Add("include-rewrites", IncludeRewrites);
        Add("stream-changes", StreamChanges);
        return pairs;

        void Add(string name, bool? value)
        {
            if (value is { } isOn)
                pairs.Add(new(name, isOn ? "on" : "off"));
        }
    }

    private (bool?, bool?, bool?, bool?, bool?, bool?, bool?) Values() =>
        (IncludeXids, IncludeTimestamp, ForceBinary, SkipEmptyXacts, OnlyLocal, IncludeRewrites, StreamChanges);
}
