using Slipstream.Core.Statements;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol;

namespace Slipstream.PostgreSql.Statements;

/// <summary>A command's text as the data source knows it: cut into statements, its parameters found.</summary>
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

    /// <summary>The named parameters in the order of their places; empty when they are positional.</summary>
    public string[] Names { get; }

    /// <summary>One or more.</summary>
    public StatementPart[] Parts { get; }

    /// <summary>Whether one of its statements may change settings: then what stands behind it in one send is not what was prepared before.</summary>
    public bool ChangesSettings { get; }

    /// <summary>What the text does, without its literals. Found out when first asked for.</summary>
    public QuerySummary Summary => _summary ??= QuerySummary.Of(Sql, SqlDialect.DoubleQuotedNames | SqlDialect.NestedComments | SqlDialect.DollarQuotes);

    public static PgStatement ScanNamed(string sql) => new(sql, SqlScanner.Scan(sql, named: true));

    public static PgStatement ScanNumbered(string sql) => new(sql, SqlScanner.Scan(sql, named: true, numbered: true));

    public static PgStatement ScanPositional(string sql) => new(sql, SqlScanner.Scan(sql, named: false));
}

/// <summary>One of the statements of a command's text.</summary>
internal sealed class StatementPart(ScannedStatement scanned, SettingsEffect named = SettingsEffect.None)
{
    /// <summary>As the server gets it.</summary>
    public byte[] Sql { get; } = scanned.Sql;

    /// <summary>Which of the command's parameters <c>$1</c>, <c>$2</c>, … are.</summary>
    public int[] Places { get; } = scanned.Places;

    /// <summary>What it may do to the session's settings.</summary>
    public SettingsEffect Effect { get; } = (SettingsEffect)Math.Max((byte)named, (byte)SettingsChange.Of(scanned.Sql));

    /// <summary>Whether it may return rows. (INSERT, UPDATE, DELETE and MERGE do with RETURNING only.)</summary>
    public bool MayReturnRows { get; } = FirstWord.MayReturnRows(scanned.Sql);

    /// <summary>Whether it may change search_path: what is prepared stays so, and may have other columns then.</summary>
    public bool MovesPath { get; } = SettingsChange.MovesPath(scanned.Sql);

    /// <summary>
    /// The columns of the last result, whoever got it: a guess for the next execution, and what its description is compared with. Null when there was no result
    /// yet, or one without columns.
    /// </summary>
    public ResultMetadata? LastResult { get; set; }
}

/// <summary>One statement as one session has prepared it, or is about to.</summary>
internal sealed class PreparedPart(byte[] name, uint[] parameterTypes)
{
    /// <summary>The server's name for it; unique in the session.</summary>
    public byte[] Name { get; } = name;

    public uint[] ParameterTypes { get; } = parameterTypes;

    /// <summary>The server has found a parameter's type itself, when it parsed the statement; now it might find another.</summary>
    public bool HasInferredTypes { get; } = parameterTypes.Contains(TypeOid.Unspecified);

    /// <summary>The transaction in which it was bound last. Until that ends it cannot go stale by what others do: its relations are locked.</summary>
    public int LockedIn { get; set; }

    /// <summary>The exchange that it was written for last.</summary>
    public int WrittenIn { get; set; }

    /// <summary>The server has confirmed that it exists.</summary>
    public bool IsParsed { get; set; }

    /// <summary>Its Parse has been written and not been answered yet.</summary>
    public bool IsBeingParsed { get; set; }

    /// <summary>The columns are known, so that nobody needs to ask again.</summary>
    public bool IsDescribed { get; private set; }

    /// <summary>The columns in the formats to ask for; null when there are none.</summary>
    public ResultMetadata? Result { get; private set; }

    public void Describe(ResultMetadata? described)
    {
        IsDescribed = true;
        Result = described?.Best;
    }

    /// <summary>The server has closed it. Its columns are asked for anew, whenever the Parse succeeds that was to follow at once.</summary>
    public void Close()
    {
        IsParsed = IsDescribed = false;
        Result = null;
    }
}

/// <summary>A command as one session has prepared it: its statements in order.</summary>
/// <param name="parts">Its statements.</param>
/// <param name="path">The number of the session's search_path by then.</param>
internal sealed class PreparedStatement(PreparedPart[] parts, int path)
{
    public PreparedPart[] Parts { get; } = parts;

    /// <summary>Under which search_path of the session it was prepared.</summary>
    public int Path { get; } = path;

    private int _askedIn = -1;

    /// <summary>A caller has asked for it, or for what it replaces, by <c>Prepare()</c>; otherwise it prepared itself.</summary>
    public bool IsAsked { get; set; }

    /// <summary>Whether a caller has asked for it in this lease. What is older may be stale without any fault of the caller's.</summary>
    public bool IsAskedIn(int lease) => _askedIn == lease;

    /// <summary>A caller asks for it.</summary>
    /// <returns>Whether this lease had asked before.</returns>
    public bool Ask(int lease)
    {
        var isKnown = _askedIn == lease;
        IsAsked = true;
        _askedIn = lease;
        return isKnown;
    }

    /// <summary>One of its Parses has been written and not been answered yet.</summary>
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

    /// <summary>The same text with other types of parameters: a statement of its own on the server.</summary>
    public PreparedStatement? Other { get; set; }

    /// <summary>Whether a caller has asked for the one of its types that has this part.</summary>
    public bool IsAskedFor(PreparedPart part)
    {
        for (var each = this; each is not null; each = each.Other)
            if (Array.IndexOf(each.Parts, part) >= 0)
                return each.IsAsked;
        return false;
    }
}
