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
}
