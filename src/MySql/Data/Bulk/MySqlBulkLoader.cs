using System.Buffers;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using Slipstream.Core.Data;
using Slipstream.Core.Statements;
using Slipstream.MySql.Conventions;
using Slipstream.MySql.Conversations;
using Slipstream.MySql.Options;
using Slipstream.MySql.Sessions;
using Slipstream.MySql.Statements;

namespace Slipstream.MySql;

/// <summary>
/// Executes LOAD DATA with rows from a stream or a local file (<see cref="Local"/>), or from a file on the server. Properties that are not set have the
/// server's defaults. To insert an application's own values, use <see cref="MySqlBulkCopy"/>: it is safer and does not need LOAD DATA.
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

    /// <summary>Creates a loader for a connection.</summary>
    /// <param name="connection">The connection. If it is closed, the loader opens it for the load and closes it again.</param>
    public MySqlBulkLoader(MySqlConnection? connection) => Connection = connection;

    /// <summary>Gets or sets the connection. If it is closed, the loader opens it for the load and closes it again.</summary>
    public MySqlConnection? Connection { get; set; }

    /// <summary>Gets or sets the table's name as written in SQL: in quotes if it needs quotes.</summary>
    public string? TableName { get; set; }

    /// <summary>
    /// Gets or sets whether the rows come from this machine. Default: true. The connection string must allow it: Allow Load Local Infile=true for streams,
    /// Allow Load Local Infile In Path for the files of one directory. If false, <see cref="FileName"/> is a file on the server.
    /// </summary>
    public bool Local { get; set; } = true;

    /// <summary>Gets or sets the file's path. Set either this property or <see cref="SourceStream"/>.</summary>
    public string? FileName { get; set; }

    /// <summary>
    /// Gets or sets the stream of rows, read from its current position to its end. The loader does not dispose it. Requires <see cref="Local"/>.
    /// </summary>
    public Stream? SourceStream { get; set; }

    /// <summary>Gets or sets the character set of the rows. Default: null, the database's character set.</summary>
    public string? CharacterSet { get; set; }

    /// <summary>
    /// Gets the columns, or user variables for <see cref="Expressions"/>, in the order of the fields, as written in SQL. Default: empty, all columns of the
    /// table.
    /// </summary>
    public List<string> Columns { get; } = [];

    /// <summary>Gets the assignments, as written in SQL: <c>name = UPPER(@name)</c>. Default: empty.</summary>
    public List<string> Expressions { get; } = [];

    /// <summary>
    /// Gets or sets what happens to a row whose key already exists in the table. Default: <see cref="MySqlBulkLoaderConflictOption.None"/>. With
    /// <see cref="Local"/>, the server then skips the row with a warning; otherwise the row is an error.
    /// </summary>
    public MySqlBulkLoaderConflictOption ConflictOption { get; set; }

    /// <summary>Gets or sets how the load competes with readers of the table. Default: <see cref="MySqlBulkLoaderPriority.None"/>.</summary>
    public MySqlBulkLoaderPriority Priority { get; set; }

    /// <summary>Gets or sets the text between two fields. Default: null, a tab.</summary>
    public string? FieldTerminator { get; set; }

    /// <summary>Gets or sets the character that encloses a field. Default: '\0', none.</summary>
    public char FieldQuotationCharacter { get; set; }

    /// <summary>Gets or sets whether some fields are not quoted. Default: false. The setting makes no difference for loading.</summary>
    public bool FieldQuotationOptional { get; set; }

    /// <summary>Gets or sets the character that escapes the next one. Default: '\0', a backslash.</summary>
    public char EscapeCharacter { get; set; }

    /// <summary>Gets or sets the text at the end of a line. Default: null, a line feed.</summary>
    public string? LineTerminator { get; set; }

    /// <summary>
    /// Gets or sets the text that precedes the fields of a line. Default: null. The server skips the prefix and everything before it, and lines without the
    /// prefix.
    /// </summary>
    public string? LinePrefix { get; set; }

    /// <summary>Gets or sets the number of lines to skip at the beginning, such as headings. Default: 0.</summary>
    public int NumberOfLinesToSkip { get; set; }

    /// <summary>Gets or sets the time limit for the whole load, in seconds. Default: 0, no limit.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is negative.</exception>
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
    /// <returns>The number of rows that the server reports; a replaced row counts twice.</returns>
    /// <exception cref="InvalidOperationException">The connection or the table is missing, <see cref="CharacterSet"/> is not a name, or not exactly one of
    /// <see cref="FileName"/> and <see cref="SourceStream"/> is set.</exception>
    /// <exception cref="ArgumentException"><see cref="TableName"/> or one of <see cref="Columns"/> is not a name.</exception>
    /// <exception cref="NotSupportedException">The connection string does not allow local rows or this file, the server does not accept rows from clients, or
    /// <see cref="ConflictOption"/> is <see cref="MySqlBulkLoaderConflictOption.Update"/>.</exception>
    /// <exception cref="MySqlException">The server refused the load, or the stream failed. If the stream failed, nothing is inserted and the connection is
    /// closed.</exception>
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
    /// <param name="cancellationToken">Cancels the load.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
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

    private static Exception Misuse(string message) => ThisAssembly.Conventions.Misuse?.Invoke(0, message) ?? new InvalidOperationException(message);

    private MySqlConnection Checked()
    {
        if (Connection is not { } connection)
            throw new InvalidOperationException("The loader has no connection: set its Connection property.");
        if (string.IsNullOrWhiteSpace(TableName))
            throw new InvalidOperationException("The loader has no table: set its TableName property.");
        if (string.IsNullOrWhiteSpace(FileName) == SourceStream is null)
            throw Misuse("The loader takes either a file or a stream: set FileName or SourceStream, not both.");
        if (!Local && SourceStream is not null)
            throw Misuse("A stream is always read on this machine: set Local to true.");
        if (CharacterSet is { Length: > 0 } && CharacterSet.AsSpan().ContainsAnyExcept(CharacterSetNames))
            throw new InvalidOperationException($"'{CharacterSet}' is not the name of a character set: use letters, digits and underscores.");
        if (!Local)
            return connection;
        var settings = connection.MySqlSource.Settings;
        if (SourceStream is not null && !settings.AllowLoadLocalInfile)
            throw new NotSupportedException("The connection string does not allow rows of this machine: set Allow Load Local Infile=true (and "
                + "local_infile=ON on the server).");
        if (SourceStream is null && settings.AllowLoadLocalInfileInPath.Length == 0 && !MayName(settings))
            throw new NotSupportedException(
                "The connection string does not allow files of this machine: set Allow Load Local Infile In Path to their directory, or open the file in the "
                + "application and set SourceStream (with Allow Load Local Infile=true).");
        return connection;
    }

    private FileStream? OpenFile(MySqlConnection connection, FileOptions options) =>
        !Local || SourceStream is not null ? null
        : MayName(connection.MySqlSource.Settings) ? LocalFile.Open(FileName!, options)
        : LocalFile.Open(FileName!, connection.MySqlSource.Settings.AllowLoadLocalInfileInPath, options);

    // The application names the file. The server is told a random name instead, and can ask for no other.
    private static bool MayName(MySqlSettings settings) =>
        ThisAssembly.Conventions.LoadsFilesByName && settings is { AllowLoadLocalInfile: true, AllowLoadLocalInfileInPath.Length: 0 };

    private LoadDataExchange CreateExchange(MySqlConnection connection, Stream? stream)
    {
        var session = connection.MySqlSession;
        if (Local && (session.State.Capabilities & Protocol.Connect.Capabilities.LocalFiles) == 0)
            throw new NotSupportedException("The server does not accept rows from clients: set local_infile=ON on the server, or use MySqlBulkCopy.");
        // A name that no server can guess: the server may request this name only.
        var name = Local ? ":slipstream:" + RandomNumberGenerator.GetHexString(32, lowercase: true) : null;
        var sql = MySqlCommand.Readable(Sql(name, session.State.Quoting), session);
        return new LoadDataExchange(session.Context, Encoding.UTF8.GetBytes(sql), name, stream is null ? null : new StreamPieces(stream));
    }

    private static MySqlException Failed(LoadDataExchange.SourceFailedException failed) =>
        new(MySqlErrorCode.None, "The source of the rows failed before its end: no row was inserted, and the connection is closed. "
            + failed.InnerException!.Message, failed.InnerException);

    private string Sql(string? name, QuotingRules quoting)
    {
        // The server would execute anything beyond a name.
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
            _ => throw new NotSupportedException("LOAD DATA cannot update existing rows: use MySqlBulkCopy."),
        });
        sql.Append("INTO TABLE ").Append(TableName);
        if (CharacterSet is { Length: > 0 } characterSet)
            sql.Append(" CHARACTER SET ").Append(characterSet);
        Append(
            sql, " FIELDS",
            [
                (" TERMINATED BY ", FieldTerminator), (FieldQuotationOptional ? " OPTIONALLY ENCLOSED BY " : " ENCLOSED BY ", Text(FieldQuotationCharacter)),
                (" ESCAPED BY ", Text(EscapeCharacter))
            ]);
        Append(sql, " LINES", [(" STARTING BY ", LinePrefix), (" TERMINATED BY ", LineTerminator)]);
        if (NumberOfLinesToSkip > 0)
            sql.Append(CultureInfo.InvariantCulture, $" IGNORE {NumberOfLinesToSkip} LINES");
        if (Columns.Count > 0)
            sql.Append(" (").AppendJoin(", ", Columns).Append(')');
        if (Expressions.Count > 0)
            sql.Append(" SET ").AppendJoin(", ", Expressions);
        return sql.ToString();
    }

    // Hexadecimal literals need no quotes, so the server's quoting rules do not matter.
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

/// <summary>How LOAD DATA competes with readers of the table.</summary>
public enum MySqlBulkLoaderPriority
{
    /// <summary>The server's default.</summary>
    None = 0,

    /// <summary>The load waits until no client reads the table (storage engines with table locks).</summary>
    Low = 1,

    /// <summary>Other clients may read the table during the load (MyISAM).</summary>
    Concurrent = 2,
}
