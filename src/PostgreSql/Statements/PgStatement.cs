using Slipstream.Core.Statements;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol;
using Slipstream.PostgreSql.Types;

namespace Slipstream.PostgreSql.Statements;

/// <summary>A command's text after scanning: split into statements, with the positions of its parameters. One data source shares it.</summary>
internal sealed class PgStatement : Statement
{
    private QuerySummary? _summary;

    private PgStatement(string sql, ScannedSql scanned)
        : base(sql)
    {
        Names = scanned.Names;
        Parts = new StatementPart[scanned.Statements.Length];
        var named = SettingsChange.NamedIn(sql);
        for (var i = 0; i < Parts.Length; i++)
        {
            Parts[i] = new(scanned.Statements[i], named);
            ChangesSettings |= Parts[i].Effect != SettingsEffect.None || Parts[i].MovesPath;
        }

        IsNotPreparable = Parts.Length != 1 || !FirstWord.IsPlanned(Parts[0].Sql);
    }

    /// <summary>Gets the names of the parameters in the order of their indexes; empty if parameters are positional.</summary>
    public string[] Names { get; }

    /// <summary>Gets the statements of the text: one or more.</summary>
    public StatementPart[] Parts { get; }

    /// <summary>
    /// Gets whether one of the statements may change settings. Statements after it in the same send must then not use forms that were prepared before.
    /// </summary>
    public bool ChangesSettings { get; }

    /// <summary>
    /// Gets or sets whether a pooler was found to keep a stale prepared form of the text. PgBouncer knows prepared statements by their text, and answers the
    /// Parse of a text that it knows itself: no name of a new statement leads to a new plan. The data source no longer prepares the text.
    /// </summary>
    public bool IsKeptByPooler { get; set; }

    /// <summary>Gets a summary of the text without its literals. It is computed on first use.</summary>
    public QuerySummary Summary => _summary ??= QuerySummary.Of(Sql, SqlDialect.DoubleQuotedNames | SqlDialect.NestedComments | SqlDialect.DollarQuotes);

    public static PgStatement ScanNamed(string sql) => new(sql, SqlScanner.Scan(sql, named: true));

    public static PgStatement ScanNumbered(string sql) => new(sql, SqlScanner.Scan(sql, named: true, numbered: true));

    public static PgStatement ScanPositional(string sql) => new(sql, SqlScanner.Scan(sql, named: false));
}

/// <summary>One of the statements of a command's text.</summary>
internal sealed class StatementPart(ScannedStatement scanned, SettingsEffect named = SettingsEffect.None)
{
    // The most combinations of parameter types whose results are kept. A parameter that is sometimes NULL, without a type, has two.
    private const int MaxResults = 4;

    private KnownResult? _results;

    /// <summary>Gets the statement as it is sent to the server.</summary>
    public byte[] Sql { get; } = scanned.Sql;

    /// <summary>Gets the command's parameters that <c>$1</c>, <c>$2</c>, … refer to.</summary>
    public int[] Places { get; } = scanned.Places;

    /// <summary>Gets the possible effect on the session's settings.</summary>
    public SettingsEffect Effect { get; } = (SettingsEffect)Math.Max((byte)named, (byte)SettingsChange.Of(scanned.Sql));

    /// <summary>Gets whether the statement may return rows. INSERT, UPDATE, DELETE and MERGE do so only with RETURNING.</summary>
    public bool MayReturnRows { get; } = FirstWord.MayReturnRows(scanned.Sql);

    /// <summary>Gets whether the server waits for data of the client after the statement. Another message than data would end the session.</summary>
    public bool CopiesFromClient { get; } = FirstWord.CopiesFromClient(scanned.Sql);

    /// <summary>Gets whether the server plans the statement, which only reads or changes data.</summary>
    public bool IsPlanned { get; } = FirstWord.IsPlanned(scanned.Sql);

    /// <summary>Gets whether the statement may commit an open transaction.</summary>
    public bool MayCommit { get; } = FirstWord.MayCommit(scanned.Sql);

    /// <summary>Gets whether the statement may change search_path. Prepared statements survive this, but may then have other columns.</summary>
    public bool MovesPath { get; } = SettingsChange.MovesPath(scanned.Sql);

    /// <summary>
    /// Returns the columns that the next execution probably has: those of the last execution with the same types of parameters, of any session. The result of
    /// <c>SELECT $1</c> depends on the types. Null if there is none, or if it had no columns.
    /// </summary>
    /// <param name="parameterTypes">The <see cref="ParameterTypesHash"/> of the next execution.</param>
    public ResultMetadata? PredictResult(ulong parameterTypes) => Find(Volatile.Read(ref _results), parameterTypes);

    /// <summary>Returns the columns of which the description is compared with that of an execution; null if there are none.</summary>
    public ResultMetadata? LikelyResult(ulong parameterTypes)
    {
        var known = Volatile.Read(ref _results);
        return Find(known, parameterTypes) ?? known?.Columns;
    }

    /// <summary>Keeps the columns of an execution; null if there are none.</summary>
    public void LearnResult(ResultMetadata? columns, ulong parameterTypes)
    {
        // Read once, and as volatile: another session may forget the results at any moment. Of two plain reads, optimised code took the first one for the test
        // of null, and the second one for the rest.
        var known = Volatile.Read(ref _results);
        if (ReferenceEquals(Find(known, parameterTypes), columns))
            return;
        var others = Without(known, parameterTypes, MaxResults - 1);
        Volatile.Write(ref _results, columns is null ? others : new(columns, parameterTypes, others));
    }

    private static ResultMetadata? Find(KnownResult? known, ulong parameterTypes)
    {
        for (; known is not null; known = known.Older)
            if (known.ParameterTypes == parameterTypes)
                return known.Columns;
        return null;
    }

    private static KnownResult? Without(KnownResult? results, ulong parameterTypes, int max) =>
        results is null || max == 0 ? null
        : results.ParameterTypes == parameterTypes ? Without(results.Older, parameterTypes, max)
        : results with { Older = Without(results.Older, parameterTypes, max - 1) };

    // Immutable, because several sessions read and replace the results at the same time.
    private sealed record KnownResult(ResultMetadata Columns, ulong ParameterTypes, KnownResult? Older);
}

/// <summary>One statement that a session has prepared or is about to prepare.</summary>
internal sealed class PreparedPart(byte[] name, uint[] parameterTypes)
{
    /// <summary>Gets the server's name for the statement, which is unique in the session.</summary>
    public byte[] Name { get; } = name;

    public uint[] ParameterTypes { get; } = parameterTypes;

    /// <summary>Gets the <see cref="ParameterTypesHash"/> of the types.</summary>
    public ulong TypesHash { get; } = ParameterTypesHash.Of(parameterTypes);

    /// <summary>Gets whether the server inferred the type of a parameter when it parsed the statement. It might now infer another type.</summary>
    public bool HasInferredTypes { get; } = parameterTypes.Contains(TypeOid.Unspecified);

    /// <summary>
    /// Gets or sets the transaction in which the statement was last bound. Until it ends, other sessions cannot make the statement stale, because its relations
    /// are locked.
    /// </summary>
    public int LockedIn { get; set; }

    /// <summary>Gets or sets the exchange for which the statement was last written.</summary>
    public int WrittenIn { get; set; }

    /// <summary>Gets or sets whether the server has confirmed that the statement exists.</summary>
    public bool IsParsed { get; set; }

    /// <summary>Gets or sets whether its Parse has been written and not yet answered.</summary>
    public bool IsBeingParsed { get; set; }

    /// <summary>Gets whether the columns are known, so that no further Describe is necessary.</summary>
    public bool IsDescribed { get; private set; }

    /// <summary>Gets the columns in the formats to request; null if there are none.</summary>
    public ResultMetadata? Result { get; private set; }

    public void Describe(ResultMetadata? described)
    {
        IsDescribed = true;
        Result = described?.Best;
    }

    /// <summary>Records that the server has closed the statement. If the Parse that follows succeeds, its columns are requested again.</summary>
    public void Close()
    {
        IsParsed = IsDescribed = false;
        Result = null;
    }
}

/// <summary>A command that a session has prepared: its statements in order.</summary>
/// <param name="parts">The statements.</param>
/// <param name="path">The number of the session's search_path at the time of preparation.</param>
internal sealed class PreparedStatement(PreparedPart[] parts, int path)
{
    public PreparedPart[] Parts { get; } = parts;

    /// <summary>Gets the number of the session's search_path under which the command was prepared.</summary>
    public int Path { get; } = path;

    private int _requestedIn = -1;

    /// <summary>
    /// Gets or sets whether a caller requested this statement, or the one it replaces, with <c>Prepare()</c>. Otherwise it was prepared automatically.
    /// </summary>
    public bool IsAsked { get; set; }

    /// <summary>Returns true if a caller requested the statement in this lease. An older one may be stale without a mistake of the caller.</summary>
    public bool WasRequestedIn(int lease) => _requestedIn == lease;

    /// <summary>Records that a caller requests the statement.</summary>
    /// <returns>True if the same lease had requested it before.</returns>
    public bool Request(int lease)
    {
        var isKnown = _requestedIn == lease;
        IsAsked = true;
        _requestedIn = lease;
        return isKnown;
    }

    /// <summary>Gets whether one of its Parses has been written and not yet answered.</summary>
    public bool IsBeingParsed
    {
        get
        {
            foreach (var part in Parts)
                if (part.IsBeingParsed)
                    return true;
            return false;
        }
    }

    /// <summary>Gets or sets the same text with other parameter types, which is a separate statement on the server.</summary>
    public PreparedStatement? Other { get; set; }

    /// <summary>Returns true if a caller requested the variant that contains this part.</summary>
    public bool IsRequested(PreparedPart part)
    {
        for (var each = this; each is not null; each = each.Other)
            if (Array.IndexOf(each.Parts, part) >= 0)
                return each.IsAsked;
        return false;
    }
}
