using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Slipstream.Core.Data;
using Slipstream.Core.Statements;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>
/// LOAD DATA: rows from a stream or a file of this machine (<see cref="Local"/>), or from a file on the server. What is not set has the server's
/// default. To insert values of an application, <see cref="MySqlBulkCopy"/> is safer and needs no LOAD DATA.
/// </summary>
/// <example>
/// <code>
/// var loader = new MySqlBulkLoader(connection) { TableName = "points", FieldTerminator = ",", SourceStream = File.OpenRead("points.csv") };
/// var rows = await loader.LoadAsync();
/// </code>
/// </example>
public sealed class MySqlBulkLoader
{
    private static readonly SearchValues<char> CharacterSetNames = SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

    private int _timeout;

    /// <summary>A loader for a connection, which is opened for the time of the load when it is closed.</summary>
    public MySqlBulkLoader(MySqlConnection? connection) => Connection = connection;

    /// <summary>Opened for the load, and closed again, when it is not open.</summary>
    public MySqlConnection? Connection { get; set; }

    /// <summary>The table, written as in SQL: quoted where its name needs quotes.</summary>
    public string? TableName { get; set; }

    /// <summary>
    /// True, the default: the rows come from this machine, which the connection string must allow: Allow Load Local Infile=true for streams, Allow Load Local
    /// Infile In Path for the files of one directory. False: <see cref="FileName"/> is a file on the server.
    /// </summary>
    public bool Local { get; set; } = true;

    /// <summary>The file; not together with <see cref="SourceStream"/>.</summary>
    public string? FileName { get; set; }

    /// <summary>The rows, from where it stands to its end; it is not disposed. Needs <see cref="Local"/>.</summary>
    public Stream? SourceStream { get; set; }

    /// <summary>Character set of the rows. Default: the database's.</summary>
    public string? CharacterSet { get; set; }

    /// <summary>
    /// Columns, or user variables for <see cref="Expressions"/>, in the order of the fields, written as in SQL. Empty: all columns of the table.
    /// </summary>
    public List<string> Columns { get; } = [];

    /// <summary>Assignments, written as in SQL: <c>name = UPPER(@name)</c>.</summary>
    public List<string> Expressions { get; } = [];

    /// <summary>
    /// What becomes of a row whose key the table has already. Default: with <see cref="Local"/> it is left out with a warning, otherwise it is an error.
    /// </summary>
    public MySqlBulkLoaderConflictOption ConflictOption { get; set; }

    /// <summary>How the load gets along with readers of the table.</summary>
    public MySqlBulkLoaderPriority Priority { get; set; }

    /// <summary>Between two fields. Default: a tab.</summary>
    public string? FieldTerminator { get; set; }

    /// <summary>Around a field. Default: nothing.</summary>
    public char FieldQuotationCharacter { get; set; }

    /// <summary>Not every field is quoted. For loading it makes no difference.</summary>
    public bool FieldQuotationOptional { get; set; }

    /// <summary>In front of a character that is meant as itself. Default: a backslash.</summary>
    public char EscapeCharacter { get; set; }

    /// <summary>At the end of a line. Default: a line feed.</summary>
    public string? LineTerminator { get; set; }

    /// <summary>What comes before it in a line is left out, with it; lines without it are left out whole.</summary>
    public string? LinePrefix { get; set; }

    /// <summary>Lines at the beginning to leave out, such as headings.</summary>
    public int NumberOfLinesToSkip { get; set; }

    /// <summary>Seconds for the whole load; 0, the default, is no limit.</summary>
    public int Timeout
    {
        get => _timeout;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _timeout = value;
        }
    }

    /// <summary>Loads the rows.</summary>
    /// <returns>How many rows the table got; a replaced row counts twice.</returns>
    /// <exception cref="InvalidOperationException">No connection, no table, or not exactly one of <see cref="FileName"/> and
    /// <see cref="SourceStream"/>.</exception>
    /// <exception cref="NotSupportedException">The connection string does not allow rows of this machine, or not this file.</exception>
    /// <exception cref="MySqlException">The server refused; or the stream failed: then nothing is inserted, and the connection is closed.</exception>
    public int Load()
    {
        var connection = Checked();
        var opens = connection.State == System.Data.ConnectionState.Closed;
        if (opens)
            connection.Open();
        try
        {
            using var file = OpenFile(connection, FileOptions.SequentialScan);
            var exchange = CreateExchange(connection, file ?? SourceStream);
            try
            {
                connection.RunOwn(exchange, Timeout);
            }
            catch (LoadDataExchange.SourceFailedException failed)
            {
                throw Failed(failed);
            }

            return (int)exchange.RowsInserted;
        }
        finally
        {
            if (opens)
                connection.Close();
        }
    }

    /// <inheritdoc cref="Load"/>
    public Task<int> LoadAsync() => LoadAsync(default);

    /// <inheritdoc cref="Load"/>
    public async Task<int> LoadAsync(CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        var connection = Checked();
        var opens = connection.State == System.Data.ConnectionState.Closed;
        if (opens)
            await connection.OpenAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            using var file = OpenFile(connection, FileOptions.SequentialScan | FileOptions.Asynchronous);
            var exchange = CreateExchange(connection, file ?? SourceStream);
            try
            {
                await connection.RunOwnAsync(exchange, Timeout, cancellationToken).ConfigureAwait(false);
            }
            catch (LoadDataExchange.SourceFailedException failed)
            {
                throw Failed(failed);
            }

            return (int)exchange.RowsInserted;
        }
        finally
        {
            if (opens)
                await connection.CloseAsync().ConfigureAwait(false);
        }
    }

    private MySqlConnection Checked()
    {
        if (Connection is not { } connection)
            throw new InvalidOperationException("The loader has no connection: set its Connection property.");
        if (string.IsNullOrWhiteSpace(TableName))
            throw new InvalidOperationException("The loader has no table: set TableName.");
        if (string.IsNullOrWhiteSpace(FileName) == SourceStream is null)
            throw new InvalidOperationException("The loader takes either a file or a stream: set FileName or SourceStream, not both.");
        if (!Local && SourceStream is not null)
            throw new InvalidOperationException("A stream is read on this machine: set Local to true.");
        if (CharacterSet is { Length: > 0 } && CharacterSet.AsSpan().ContainsAnyExcept(CharacterSetNames))
            throw new InvalidOperationException($"'{CharacterSet}' is not the name of a character set: use letters, digits and underscores.");
        if (!Local)
            return connection;
        var settings = connection.MySqlSource.Settings;
        if (SourceStream is not null && !settings.AllowLoadLocalInfile)
            throw new NotSupportedException("The connection string does not allow rows of this machine: set AllowLoadLocalInfile=true (and local_infile=ON on the server).");
        if (SourceStream is null && settings.AllowLoadLocalInfileInPath.Length == 0)
            throw new NotSupportedException(
                "The connection string does not allow files of this machine: set AllowLoadLocalInfileInPath to the directory that holds them, or open the file yourself and set SourceStream (with AllowLoadLocalInfile=true).");
        return connection;
    }

    private FileStream? OpenFile(MySqlConnection connection, FileOptions options) =>
        Local && SourceStream is null ? LocalFile.Open(FileName!, connection.MySqlSource.Settings.AllowLoadLocalInfileInPath, options) : null;

    private LoadDataExchange CreateExchange(MySqlConnection connection, Stream? stream)
    {
        var session = connection.MySqlSession;
        if (Local && (session.State.Capabilities & Protocol.Connect.Capabilities.LocalFiles) == 0)
            throw new NotSupportedException("The server accepts no rows from clients: set local_infile=ON there, or use MySqlBulkCopy.");
        // A name that nobody else can know: the server may only ask for exactly this.
        var name = Local ? ":slipstream:" + RandomNumberGenerator.GetHexString(32, lowercase: true) : null;
        var sql = MySqlCommand.Readable(Sql(name, session.State.Quoting), session);
        return new LoadDataExchange(session.Context, Encoding.UTF8.GetBytes(sql), name, stream is null ? null : new StreamPieces(stream));
    }

    private static MySqlException Failed(LoadDataExchange.SourceFailedException failed) =>
        new(MySqlErrorCode.None, "The rows could not be read to their end: nothing was inserted, and the connection is closed. " + failed.InnerException!.Message, failed.InnerException);

    private string Sql(string? name, QuotingRules quoting)
    {
        // What is more than a name would be executed.
        Names.CheckedQualified(TableName ?? "", MySqlCommand.NameQuotes, "table's name", nameof(TableName));
        foreach (var column in Columns)
            if (!VariableName.Is(column))
                Names.CheckedQualified(column, MySqlCommand.NameQuotes, "column's name", nameof(Columns));
        var sql = new StringBuilder("LOAD DATA ");
        sql.Append(Priority switch { MySqlBulkLoaderPriority.Low => "LOW_PRIORITY ", MySqlBulkLoaderPriority.Concurrent => "CONCURRENT ", _ => "" });
        if (Local)
            sql.Append("LOCAL ");
        sql.Append("INFILE '").Append(name ?? Escaped(FileName!, quoting)).Append("' ");
        sql.Append(ConflictOption switch
        {
            MySqlBulkLoaderConflictOption.None => "",
            MySqlBulkLoaderConflictOption.Replace => "REPLACE ",
            MySqlBulkLoaderConflictOption.Ignore => "IGNORE ",
            _ => throw new NotSupportedException("LOAD DATA cannot update rows that exist: use MySqlBulkCopy."),
        });
        sql.Append("INTO TABLE ").Append(TableName);
        if (CharacterSet is { Length: > 0 } characterSet)
            sql.Append(" CHARACTER SET ").Append(characterSet);
        Append(sql, " FIELDS", [(" TERMINATED BY ", FieldTerminator), (FieldQuotationOptional ? " OPTIONALLY ENCLOSED BY " : " ENCLOSED BY ", Text(FieldQuotationCharacter)), (" ESCAPED BY ", Text(EscapeCharacter))]);
        Append(sql, " LINES", [(" STARTING BY ", LinePrefix), (" TERMINATED BY ", LineTerminator)]);
        if (NumberOfLinesToSkip > 0)
            sql.Append(CultureInfo.InvariantCulture, $" IGNORE {NumberOfLinesToSkip} LINES");
        if (Columns.Count > 0)
            sql.Append(" (").AppendJoin(", ", Columns).Append(')');
        if (Expressions.Count > 0)
            sql.Append(" SET ").AppendJoin(", ", Expressions);
        return sql.ToString();
    }

    // In hexadecimal nothing needs a quote, whatever quotes mean to the server.
    private static void Append(StringBuilder sql, string clause, ReadOnlySpan<(string Words, string? Value)> parts)
    {
        var isFirst = true;
        foreach (var (words, value) in parts)
        {
            if (value is null or "")
                continue;
            sql.Append(isFirst ? clause : "").Append(words).Append("0x").Append(Convert.ToHexString(Encoding.UTF8.GetBytes(value)));
            isFirst = false;
        }
    }

    private static string? Text(char character) => character == '\0' ? null : character.ToString();

    private static string Escaped(string name, QuotingRules quoting)
    {
        var doubled = name.Replace("'", "''", StringComparison.Ordinal);
        return (quoting & QuotingRules.NoBackslashEscapes) != 0 ? doubled : doubled.Replace("\\", "\\\\", StringComparison.Ordinal);
    }
}

/// <summary>How LOAD DATA gets along with readers of the table.</summary>
public enum MySqlBulkLoaderPriority
{
    /// <summary>As the server does it.</summary>
    None = 0,

    /// <summary>It waits until nobody reads the table (storage engines with table locks).</summary>
    Low = 1,

    /// <summary>Others may read meanwhile (MyISAM).</summary>
    Concurrent = 2,
}
