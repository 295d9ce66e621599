using System.Globalization;

namespace Slipstream.PostgreSql.Replication.PgOutput;

/// <summary>The options of the plug-in pgoutput. An option that is null is not sent: the server's default applies.</summary>
public class PgOutputReplicationOptions : IEquatable<PgOutputReplicationOptions>
{
    /// <summary>Creates options for one publication.</summary>
    /// <param name="publicationName">The publication.</param>
    /// <param name="protocolVersion">The version of the protocol, from 1 to 4.</param>
    /// <param name="binary">Whether values are sent in the binary format of their types; since PostgreSQL 14.</param>
    /// <param name="streaming">Whether large transactions are streamed before they end; needs version 2.</param>
    /// <param name="messages">Whether messages of pg_logical_emit_message are sent; since PostgreSQL 14.</param>
    /// <param name="twoPhase">Whether transactions are sent when they are prepared; needs version 3.</param>
    /// <exception cref="ArgumentNullException">The publication is null.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The version is not one of <see cref="PgOutputProtocolVersion"/>.</exception>
    public PgOutputReplicationOptions(
        string publicationName, ulong protocolVersion, bool? binary = null, bool? streaming = null, bool? messages = null, bool? twoPhase = null)
        : this([publicationName], protocolVersion, binary, streaming, messages, twoPhase)
    {
    }

    /// <inheritdoc cref="PgOutputReplicationOptions(string, ulong, bool?, bool?, bool?, bool?)"/>
    /// <param name="publicationName">The publication.</param>
    /// <param name="protocolVersion">The version of the protocol.</param>
    /// <param name="binary">Whether values are sent in the binary format of their types; since PostgreSQL 14.</param>
    /// <param name="streamingMode">Whether large transactions are streamed before they end.</param>
    /// <param name="messages">Whether messages of pg_logical_emit_message are sent; since PostgreSQL 14.</param>
    /// <param name="twoPhase">Whether transactions are sent when they are prepared; needs version 3.</param>
    public PgOutputReplicationOptions(
        string publicationName, PgOutputProtocolVersion protocolVersion, bool? binary = null, PgOutputStreamingMode? streamingMode = null,
        bool? messages = null, bool? twoPhase = null)
        : this([publicationName], protocolVersion, binary, streamingMode, messages, twoPhase)
    {
    }

    /// <summary>Creates options for several publications.</summary>
    /// <param name="publicationNames">The publications.</param>
    /// <param name="protocolVersion">The version of the protocol, from 1 to 4.</param>
    /// <param name="binary">Whether values are sent in the binary format of their types; since PostgreSQL 14.</param>
    /// <param name="streaming">Whether large transactions are streamed before they end; needs version 2.</param>
    /// <param name="messages">Whether messages of pg_logical_emit_message are sent; since PostgreSQL 14.</param>
    /// <param name="twoPhase">Whether transactions are sent when they are prepared; needs version 3.</param>
    /// <exception cref="ArgumentNullException">The publications, or one of them, are null.</exception>
    /// <exception cref="ArgumentException">There is no publication.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The version is not one of <see cref="PgOutputProtocolVersion"/>.</exception>
    public PgOutputReplicationOptions(
        IEnumerable<string> publicationNames, ulong protocolVersion, bool? binary = null, bool? streaming = null, bool? messages = null, bool? twoPhase = null)
        : this(
            publicationNames, (PgOutputProtocolVersion)protocolVersion, binary,
            streaming is { } streams ? streams ? PgOutputStreamingMode.On : PgOutputStreamingMode.Off : null, messages, twoPhase)
    {
    }

    /// <inheritdoc cref="PgOutputReplicationOptions(IEnumerable{string}, ulong, bool?, bool?, bool?, bool?)"/>
    /// <param name="publicationNames">The publications.</param>
    /// <param name="protocolVersion">The version of the protocol.</param>
    /// <param name="binary">Whether values are sent in the binary format of their types; since PostgreSQL 14.</param>
    /// <param name="streamingMode">Whether large transactions are streamed before they end.</param>
    /// <param name="messages">Whether messages of pg_logical_emit_message are sent; since PostgreSQL 14.</param>
    /// <param name="twoPhase">Whether transactions are sent when they are prepared; needs version 3.</param>
    public PgOutputReplicationOptions(
        IEnumerable<string> publicationNames, PgOutputProtocolVersion protocolVersion, bool? binary = null, PgOutputStreamingMode? streamingMode = null,
        bool? messages = null, bool? twoPhase = null)
    {
        ArgumentNullException.ThrowIfNull(publicationNames);
        PublicationNames = [.. publicationNames];
        if (PublicationNames.Count == 0)
            throw new ArgumentException("There is no publication to stream: name at least one.", nameof(publicationNames));
        foreach (var name in PublicationNames)
            ArgumentException.ThrowIfNullOrEmpty(name, nameof(publicationNames));
        if (protocolVersion is < PgOutputProtocolVersion.V1 or > PgOutputProtocolVersion.V4)
            throw new ArgumentOutOfRangeException(
                nameof(protocolVersion), protocolVersion, "The driver supports the versions 1 to 4 of the protocol of pgoutput.");
        (ProtocolVersion, Binary, StreamingMode, Messages, TwoPhase) = (protocolVersion, binary, streamingMode, messages, twoPhase);
    }

    /// <summary>Gets the version of the protocol.</summary>
    public PgOutputProtocolVersion ProtocolVersion { get; }

    /// <summary>Gets the publications whose changes are sent.</summary>
    public List<string> PublicationNames { get; }

    /// <summary>Gets whether values are sent in the binary format of their types.</summary>
    public bool? Binary { get; }

    /// <summary>Gets whether large transactions are streamed before they end.</summary>
    public PgOutputStreamingMode? StreamingMode { get; }

    /// <summary>Gets whether messages of pg_logical_emit_message are sent.</summary>
    public bool? Messages { get; }

    /// <summary>Gets whether transactions are sent when they are prepared for a two-phase commit.</summary>
    public bool? TwoPhase { get; }

    /// <summary>Gets whether rollbacks of streamed transactions have the fields of the parallel mode.</summary>
    internal bool SendsParallelAborts => StreamingMode == PgOutputStreamingMode.Parallel && ProtocolVersion >= PgOutputProtocolVersion.V4;

    /// <inheritdoc/>
    public bool Equals(PgOutputReplicationOptions? other) =>
        other is not null && Values() == other.Values() && PublicationNames.SequenceEqual(other.PublicationNames);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as PgOutputReplicationOptions);

    /// <inheritdoc/>
    public override int GetHashCode()
    {
        var hash = default(HashCode);
        hash.Add(Values());
        foreach (var name in PublicationNames)
            hash.Add(name);
        return hash.ToHashCode();
    }

    /// <summary>Returns the options as START_REPLICATION needs them.</summary>
    internal List<KeyValuePair<string, string?>> Pairs()
    {
        var pairs = new List<KeyValuePair<string, string?>>
        {
            new("proto_version", ((ulong)ProtocolVersion).ToString(CultureInfo.InvariantCulture)),
            new("publication_names", string.Join(',', PublicationNames.Select(ReplicationNames.Quoted))),
        };
        Add("binary", OnOff(Binary));
        Add("streaming", StreamingMode == PgOutputStreamingMode.Parallel ? "parallel" : OnOff(StreamingMode is { } mode ? mode != 0 : null));
        Add("messages", OnOff(Messages));
        Add("two_phase", OnOff(TwoPhase));
        return pairs;

        void Add(string name, string? value)
        {
            if (value is not null)
                pairs.Add(new(name, value));
        }
    }

    private static string? OnOff(bool? value) => value switch { null => null, true => "on", _ => "off" };

    private (PgOutputProtocolVersion, bool?, PgOutputStreamingMode?, bool?, bool?) Values() => (ProtocolVersion, Binary, StreamingMode, Messages, TwoPhase);
}
