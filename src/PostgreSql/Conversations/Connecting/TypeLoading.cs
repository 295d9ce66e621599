using System.Globalization;
using System.Text;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Protocol.Commands;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Conversations;

/// <summary>
/// Loads the types of the database that are not built in, in one flight: the types, the labels of the enumerations, and the fields of the composite types.
/// Source: PostgreSQL 18, 52 "System Catalogs".
/// </summary>
/// <param name="options">What is loaded.</param>
/// <param name="serverVersion">The version that the server reported.</param>
internal sealed class TypeLoading(TypeLoadingOptions options, string serverVersion)
{
    // The most rows that are read: types, labels and fields. No real database has as many.
    private const int MaxRows = 500_000;

    // The most bytes in them. A name has at most 63 bytes, unless the server was compiled with another limit.
    private const int MaxBytes = 64 << 20;

    private const int ColumnCount = 6;

    private readonly Dictionary<uint, TypeDefinition> _types = [];
    private Stage _stage;
    private int _rows;
    private long _bytes;

    private enum Part
    {
        Type = 1,
        Label = 2,
        Field = 3,
    }

    private enum Stage
    {
        Starting,
        Parsed,
        Bound,
        Complete,
        Failed,
    }

    /// <summary>Gets the types that were read; none if the server refused the query.</summary>
    public IReadOnlyCollection<TypeDefinition> Types => _stage == Stage.Failed ? [] : _types.Values;

    /// <summary>Gets whether only ReadyForQuery is missing.</summary>
    public bool HasEnded => _stage is Stage.Complete or Stage.Failed;

    /// <summary>Gets whether the query is sent as a simple one: a session of replication knows no others.</summary>
    public bool IsSimple { get; init; }

    public void Write(ByteWriter writer)
    {
        if (IsSimple)
        {
            Query.Write(writer, Encoding.UTF8.GetBytes(Sql()));
            return;
        }

        Parse.Write(writer, [], Encoding.UTF8.GetBytes(Sql()), []);                                 // C: Parse, Bind, Execute, Sync
        Bind.End(writer, Bind.Begin(writer, [], 0), Bind.Text);
        Execute.Write(writer);
        Sync.Write(writer);
    }

    /// <summary>Takes a message of the answer. Returns false if the message does not belong to it.</summary>
    /// <exception cref="ProtocolException">The message is malformed.</exception>
    public bool TryTake(BackendMessage type, ReadOnlySpan<byte> body)
    {
        switch (type)
        {
            case BackendMessage.ParseComplete when _stage == Stage.Starting && !IsSimple && body.IsEmpty:
                _stage = Stage.Parsed;
                return true;
            case BackendMessage.RowDescription when _stage == Stage.Starting && IsSimple:
                _stage = Stage.Bound;
                return true;
            case BackendMessage.BindComplete when _stage == Stage.Parsed && body.IsEmpty:
                _stage = Stage.Bound;
                return true;
            case BackendMessage.DataRow when _stage == Stage.Bound:
                TakeRow(body);
                return true;
            case BackendMessage.CommandComplete when _stage == Stage.Bound:
                _stage = Stage.Complete;
                return true;
            case BackendMessage.ErrorResponse when !HasEnded && Messages.ReadError(body) is { EndsSession: false } error && !Passes(error.SqlState):
                // Another database that speaks the protocol may lack these catalogues; its types are then read as text.
                _stage = Stage.Failed;
                return true;
            default:
                return false;
        }
    }

    // A lock, a deadlock (class 40), a lack of memory (53) or a time limit of the server (57): the next attempt may succeed. This is narrower than
    // ErrorKinds.IsTransient, because the session is alive, and wider: a statement_timeout is no reason to repeat a command, but says nothing about catalogues.
    private static bool Passes(string sqlState) => sqlState == "55P03" || sqlState is ['4', '0', ..] or ['5', '3' or '7', ..];

    private void TakeRow(ReadOnlySpan<byte> body)
    {
        if (++_rows > MaxRows || (_bytes += body.Length) > MaxBytes)
        {
            throw new ProtocolException(
                $"at most {MaxRows:N0} rows and {MaxBytes:N0} bytes that describe the types of the database (Server Compatibility Mode=NoTypeLoading does not "
                    + "load them)",
                $"row {_rows:N0}, {_bytes:N0} bytes");
        }

        var reader = new ByteReader(body);
        if (reader.Int16BigEndian() != ColumnCount)
            reader.Fail();
        var part = Number(ref reader);
        var oid = Number(ref reader);
        var kind = Text(ref reader);
        var related = Number(ref reader);
        var name = Text(ref reader);
        var schema = Text(ref reader);
        if (reader.Failed || reader.Remaining != 0 || !Add((Part)part, oid, kind, related, name, schema))
            throw Messages.Broken(BackendMessage.DataRow, body.Length);
    }

    private bool Add(Part part, uint oid, string kind, uint related, string name, string schema)
    {
        switch (part)
        {
            // The second character is the delimiter of an array.
            case Part.Type when kind is [_] or ['a', <= '\x7F']:
                _types[oid] = new(oid, schema, name, (TypeCategory)char.ToLowerInvariant(kind[0]), related)
                {
                    IsNotNull = char.IsAsciiLetterUpper(kind[0]),
                    Delimiter = kind.Length > 1 ? (byte)kind[1] : TypeDefinition.UsualDelimiter,
                };
                return true;
            case Part.Label:
                if (_types.TryGetValue(oid, out var labelled))
                    labelled.Labels.Add(name);
                return true;
            case Part.Field:
                if (_types.TryGetValue(oid, out var composite))
                    composite.Fields.Add((name, related));
                return true;
            default:
                return false;
        }
    }

    private static uint Number(ref ByteReader reader)
    {
        var digits = reader.Bytes(reader.Int32BigEndian());
        if (uint.TryParse(digits, NumberStyles.None, CultureInfo.InvariantCulture, out var number))
            return number;
        reader.Fail();
        return 0;
    }

    private static string Text(ref ByteReader reader) => reader.Text(reader.Int32BigEndian());

    // Tables are composite types, too, but few programs read whole rows as a value. The kind of a domain that is NOT NULL is an upper-case letter.
    private string Sql()
    {
        var hasMultiranges = !int.TryParse(serverVersion.AsSpan(0, Math.Max(serverVersion.AsSpan().IndexOfAnyExceptInRange('0', '9'), 0)), out var major)
            || major >= 14;
        var schemas = options.Schemas.Count == 0 ? "" : $" AND n.nspname IN ({string.Join(", ", options.Schemas.Select(Literal))})";
        const string first = "16384";
        // Subqueries instead of outer joins: the server plans the statement in less than half of the time.
        return "SELECT part, oid, kind, related, name, space FROM (SELECT 1 AS part, t.oid AS oid, CASE WHEN e.oid IS NOT NULL THEN 'a' || e.typdelim::text "
            + "WHEN t.typnotnull THEN upper(t.typtype::text) ELSE t.typtype::text END AS kind, COALESCE(e.oid, CASE t.typtype WHEN 'd' THEN t.typbasetype "
            + "WHEN 'r' THEN (SELECT r.rngsubtype FROM pg_catalog.pg_range r WHERE r.rngtypid = t.oid) "
            + (hasMultiranges ? "WHEN 'm' THEN (SELECT r.rngtypid FROM pg_catalog.pg_range r WHERE r.rngmultitypid = t.oid) " : "")
            + "END, 0) AS related, t.typname::text AS name, n.nspname::text AS space, 0::float8 AS place FROM pg_catalog.pg_type t "
            + "JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND e.typarray = t.oid "
            + $"WHERE t.oid >= {first} AND t.typtype <> 'p'{schemas}"
            + (options.LoadsTables
                ? ""
                : " AND COALESCE((SELECT c.relkind FROM pg_catalog.pg_class c WHERE c.oid = COALESCE(e.typrelid, t.typrelid)), 'c') = 'c'")
            + $" UNION ALL SELECT 2, enumtypid, '', 0, enumlabel::text, '', enumsortorder FROM pg_catalog.pg_enum WHERE enumtypid >= {first} "
            + "UNION ALL SELECT 3, c.reltype, '', a.atttypid, a.attname::text, '', a.attnum FROM pg_catalog.pg_class c "
            + "JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid "
            + $"WHERE c.reltype >= {first} AND a.attnum > 0 AND NOT a.attisdropped{(options.LoadsTables ? "" : " AND c.relkind = 'c'")}) AS found "
            + "ORDER BY part, oid, place";
    }

    private static string Literal(string text) =>
        (text.Contains('\\') ? "E'" : "'") + text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("'", "''", StringComparison.Ordinal) + "'";
}
