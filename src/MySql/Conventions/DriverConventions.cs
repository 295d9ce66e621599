using Microsoft.Extensions.Logging;

namespace Slipstream.MySql.Conventions;

/// <summary>
/// What this driver does otherwise than MySqlConnector by choice, and cannot do when it takes MySqlConnector's place (the package
/// Slipstream.Compat.MySqlConnector): there, MySqlConnector's values, types, rows and exception types win. Rules of SECURITY.md are the same in both.
/// docs/migrating.md has the differences as a table.
/// </summary>
/// <param name="TelemetryName">The name of the activity source, the meter and the log categories.</param>
internal sealed record DriverConventions(string TelemetryName)
{
    /// <summary>Gets whether the version of a MariaDB server keeps the prefix 5.5.5-, which the server sends for old replicas.</summary>
    public bool KeepsVersionPrefix { get; init; }

    /// <summary>Gets whether the state of a connection whose session was lost is Broken.</summary>
    public bool ReportsBroken { get; init; }

    /// <summary>Gets whether transactions say that they have no savepoints, though they have.</summary>
    public bool HidesSavepoints { get; init; }

    /// <summary>Gets the default of a data adapter's UpdateBatchSize; 0: all rows in one batch.</summary>
    public int UpdateBatchSize { get; init; } = 1;

    /// <summary>Gets whether CommandType.TableDirect is refused.</summary>
    public bool RefusesTableDirect { get; init; }

    /// <summary>Gets whether an ordinal without a column is an ArgumentOutOfRangeException.</summary>
    public bool RefusesOrdinalsAsArguments { get; init; }

    /// <summary>Gets whether a column is found by name without preferring the exact spelling.</summary>
    public bool FindsColumnsInAnyCase { get; init; }

    /// <summary>Gets whether the getters of integers return 0 or 1 for TINYINT(1), whatever number it holds.</summary>
    public bool ReadsBooleansAsBits { get; init; }

    /// <summary>Gets whether a DECIMAL that a Decimal cannot hold is a FormatException, also for a Double.</summary>
    public bool RefusesLargeDecimalsAsFormat { get; init; }

    /// <summary>Gets whether a date whose month or day is zero is a FormatException, unless all of it is zero.</summary>
    public bool RefusesPartialDatesAsFormat { get; init; }

    /// <summary>Gets whether MySqlDateTime.IsValidDateTime looks only for zeros, so that 30 February is valid.</summary>
    public bool TrustsMonthsAndDays { get; init; }

    /// <summary>Gets whether MySqlDateTime.ToString uses the culture's format.</summary>
    public bool FormatsDatesByCulture { get; init; }

    /// <summary>Gets whether MySqlDateTime.CompareTo refuses null.</summary>
    public bool RefusesToCompareWithNull { get; init; }

    /// <summary>Gets whether the names of types do not distinguish the sizes of BLOB and TEXT, nor BINARY from BLOB.</summary>
    public bool NamesTypesCoarsely { get; init; }

    /// <summary>Gets whether GetValue of a VECTOR is a ReadOnlyMemory of Single.</summary>
    public bool ReadsVectorsAsMemory { get; init; }

    /// <summary>Gets whether the type of a parameter is VarChar for values that MySqlConnector does not know. They are sent as what they are.</summary>
    public bool KnowsFewerParameterTypes { get; init; }

    /// <summary>Gets whether the names of two parameters must differ in more than case.</summary>
    public bool ParametersDifferInMoreThanCase { get; init; }

    /// <summary>Gets whether a parameter that the collection does not contain is an ArgumentOutOfRangeException.</summary>
    public bool RefusesMissingParametersAsOutOfRange { get; init; }

    /// <summary>Gets whether a double without an exponent is sent in SQL text as its digits, which the server reads as a DECIMAL.</summary>
    public bool SendsDoublesAsDigits { get; init; }

    /// <summary>
    /// Gets whether a bulk copy does what LOAD DATA LOCAL does, if that is allowed: it stores values that do not fit as the server changes them, and keeps the
    /// other rows if one is refused.
    /// </summary>
    public bool CopiesAsLoadData { get; init; }

    /// <summary>Gets whether GetMySqlDateTime reads only what a DateTime can hold, unless Allow Zero DateTime is set.</summary>
    public bool ReadsZeroDatesByOptionOnly { get; init; }

    /// <summary>Gets whether the type of a parameter follows its values when they are set, not when they become null or the type is reset.</summary>
    public bool KeepsParameterTypes { get; init; }

    /// <summary>
    /// Gets what creates the exception for a misuse that MySqlConnector reports as its own, by error number and message; null: InvalidOperationException or
    /// ArgumentException.
    /// </summary>
    public Func<int, string, Exception>? Misuse { get; init; }

    /// <summary>Gets what returns the loggers of data sources without an ILoggerFactory; null: they have no log.</summary>
    public Func<ILoggerFactory?>? Loggers { get; init; }

    /// <summary>Gets whether derived parameters have no precision and scale.</summary>
    public bool DerivesNoPrecision { get; init; }

    /// <summary>
    /// Gets whether SQL text has MySqlConnector's literals: <c>true</c> and <c>false</c>, dates and times with six digits of fraction, a DateOnly with a time,
    /// numbers without a space before their sign.
    /// </summary>
    public bool WritesMySqlConnectorsLiterals { get; init; }

    /// <summary>
    /// Gets whether a command that was prepared with Prepare sends Byte, UInt16, UInt32 and Single in their own types of the protocol.
    /// </summary>
    public bool SendsNarrowTypes { get; init; }

    /// <summary>Gets whether a transaction whose work the server has rolled back, after a deadlock for instance, continues with the next command.</summary>
    public bool ContinuesAfterRollback { get; init; }

    /// <summary>Gets whether BeginTransaction sets the isolation level of the session, not only of the transaction.</summary>
    public bool SetsLevelOfSession { get; init; }

    /// <summary>Gets whether Prepare sends PREPARE and waits for the answer.</summary>
    public bool PreparesAtOnce { get; init; }

    /// <summary>Gets whether SchemaOnly describes only queries without executing them. Other statements are executed.</summary>
    public bool ExecutesForSchema { get; init; }

    /// <summary>Gets whether CommandBehavior.SequentialAccess is ignored: values of any size can be read in any order.</summary>
    public bool IgnoresSequentialAccess { get; init; }

    /// <summary>
    /// Gets whether a MySqlDateTime that is not a date is sent as 0000-00-00, and one with a day that its month does not have is refused.
    /// </summary>
    public bool SendsInvalidDatesAsZero { get; init; }

    /// <summary>
    /// Gets whether the metadata of columns is less fine: expressions are not read-only, names that do not exist are empty, all sizes of TEXT and of BLOB have
    /// one type, and every column has a precision and a scale.
    /// </summary>
    public bool DescribesColumnsCoarsely { get; init; }

    /// <summary>Gets whether the DataSource of a connection is all of Server, not its first host.</summary>
    public bool NamesAllServers { get; init; }

    /// <summary>Gets whether only the errors 1040, 1042, 1205, 1213 and 1614 are transient.</summary>
    public bool KnowsFewerTransientErrors { get; init; }

    /// <summary>Gets whether a lost connection is an EndOfStreamException inside the exception.</summary>
    public bool ReportsLossAsEndOfStream { get; init; }

    /// <summary>
    /// Gets whether Allow Load Local Infile=true also allows a bulk loader the file that the application names. The server cannot choose it: it asks for the
    /// rows by a random name.
    /// </summary>
    public bool LoadsFilesByName { get; init; }

    /// <summary>Gets whether command time-outs beyond 2,147,483 seconds become that.</summary>
    public bool LimitsTimeouts { get; init; }

    /// <summary>Gets whether options that have no effect here are accepted with any value.</summary>
    public bool AcceptsForceSynchronous { get; init; }

    /// <summary>Gets whether the builder writes Connection Protocol in MySqlConnector's words.</summary>
    public bool WritesProtocolInPlural { get; init; }

    /// <summary>Gets whether the collection DataTypes has MySqlConnector's rows.</summary>
    public bool ListsTypesAsMySqlConnector { get; init; }
}
