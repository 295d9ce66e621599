using System.Text.RegularExpressions;

namespace Slipstream.Tool.Migrate;

/// <summary>A name in code that shows that a difference may matter.</summary>
/// <param name="Driver">The driver that the code must use.</param>
/// <param name="Kind">Manual if the code does not compile with Slipstream, or is refused.</param>
/// <param name="Name">The name: an identifier, <c>Type.Member</c>, <c>.Member</c>, or <c>Method()</c> for a call.</param>
/// <param name="Subject">The row of docs/migrating.md.</param>
internal sealed record Sign(Drivers Driver, FindingKind Kind, string Name, string Subject)
{
    public GuideRow Row => GuidePage.Row(Driver, Subject);

    /// <summary>Gets the name of the rule in the output.</summary>
    public string Rule => "difference:" + Name.Trim('.', '(', ')');
}

/// <summary>
/// The names that code must contain for a difference to be listed. What a difference is stands in docs/migrating.md only; a test checks that every row exists.
/// </summary>
internal static partial class Signs
{
    // driver | kind | names | first cell of the row
    private const string Table = """
        MySqlConnector | review | Prepare() PrepareAsync() | `Prepare()`
        MySqlConnector | review | IsPrepared | `IsPrepared`
        MySqlConnector | review | MySqlBulkCopy | `MySqlBulkCopy`
        MySqlConnector | review | MySqlBulkLoader | `MySqlBulkLoader` with a file
        MySqlConnector | review | CommandBehavior.SequentialAccess | `CommandBehavior.SequentialAccess`
        MySqlConnector | review | CommandBehavior.SchemaOnly | `CommandBehavior.SchemaOnly`
        MySqlConnector | review | CommandType.StoredProcedure | procedures
        MySqlConnector | review | CommandType.TableDirect | `CommandType.TableDirect`
        MySqlConnector | review | DeriveParameters() | `DeriveParameters`
        MySqlConnector | review | UpdateBatchSize | `UpdateBatchSize` of a data adapter
        MySqlConnector | review | TransactionScope | `TransactionScope` with XA: the isolation level
        MySqlConnector | review | IsolationLevel | `BeginTransaction`: the isolation level
        MySqlConnector | review | EnlistTransaction() | `EnlistTransaction` during another transaction
        MySqlConnector | review | SupportsSavepoints | `SupportsSavepoints`
        MySqlConnector | review | ConnectionState.Broken | `State` of a connection that was lost
        MySqlConnector | review | InfoMessage | `InfoMessage`
        MySqlConnector | review | CloneWith() | `CloneWith`
        MySqlConnector | review | .ServerVersion | `ServerVersion`
        MySqlConnector | review | IsTransient | transient errors
        MySqlConnector | review | GetDataTypeName() | `GetDataTypeName`
        MySqlConnector | review | GetSchemaTable() GetColumnSchema() GetColumnSchemaAsync() | column metadata
        MySqlConnector | review | GetSchema() GetSchemaAsync() | `GetSchema`
        MySqlConnector | review | GetMySqlDateTime() AllowZeroDateTime | zero dates
        MySqlConnector | review | MySqlDateTime | `MySqlDateTime`: details
        MySqlConnector | review | ProvidePasswordCallback UsePeriodicPasswordProvider() | passwords from code
        MySqlConnector | review | UpdatedRowSource | `UpdatedRowSource`
        MySqlConnector | manual | IAuthenticationPlugin2 | `Authentication.IAuthenticationPlugin2`
        MySqlConnector | manual | ConsoleLoggerProvider IMySqlConnectorLogger IMySqlConnectorLoggerProvider MySqlConnectorLogLevel | `Logging.ConsoleLoggerProvider`, `Logging.IMySqlConnectorLogger`, `Logging.IMySqlConnectorLoggerProvider`, `Logging.MySqlConnectorLogLevel`, `Logging.MySqlConnectorLogManager`, `Logging.NoOpLogger`, `Logging.NoOpLoggerProvider`
        MySqlConnector | manual | MySqlConnectorLogManager NoOpLoggerProvider NoOpLogger | `Logging.ConsoleLoggerProvider`, `Logging.IMySqlConnectorLogger`, `Logging.IMySqlConnectorLoggerProvider`, `Logging.MySqlConnectorLogLevel`, `Logging.MySqlConnectorLogManager`, `Logging.NoOpLogger`, `Logging.NoOpLoggerProvider`
        MySqlData | manual | MySqlTrace | `MySqlTrace`
        MySqlData | manual | CancelQuery() | `MySqlConnection.CancelQuery`
        MySqlData | manual | BeginExecuteNonQuery() BeginExecuteReader() EndExecuteNonQuery() EndExecuteReader() | `FillAsync`, `BeginExecuteNonQuery`, `BeginExecuteReader` and their `End`
        MySqlData | manual | FillAsync() | `FillAsync`, `BeginExecuteNonQuery`, `BeginExecuteReader` and their `End`
        MySqlData | review | MySqlErrorCode | `MySqlErrorCode`, `MySqlDbType`
        MySqlData | review | MySqlHelper | `MySqlHelper`
        MySqlData | review | MySqlGeometry | `MySqlGeometry`
        MySqlData | review | MySqlDecimal | `MySqlDecimal`, `MySqlDateTime`
        MySqlData | review | MySqlScript | `MySqlScript`
        Npgsql | manual | AddTypeInfoResolverFactory() | `NpgsqlDataSourceBuilder.AddTypeInfoResolverFactory`, `NpgsqlSlimDataSourceBuilder.AddTypeInfoResolverFactory`
        Npgsql | review | Prepare() PrepareAsync() | `Prepare()`
        Npgsql | review | NpgsqlBatch | `NpgsqlBatch`
        Npgsql | review | EnableErrorBarriers | a batch with `EnableErrorBarriers` and several refused commands
        Npgsql | review | CommandType.StoredProcedure | functions with `CommandType.StoredProcedure`
        Npgsql | review | CommandBehavior.SequentialAccess | `CommandBehavior.SequentialAccess`
        Npgsql | review | DeriveParameters() | `DeriveParameters` of a text with `$1`
        Npgsql | review | ParameterDirection.ReturnValue | parameters with the direction `ReturnValue`
        Npgsql | review | NpgsqlSlimDataSourceBuilder | `NpgsqlSlimDataSourceBuilder`
        Npgsql | review | InitializeLogging() | `NpgsqlLoggingConfiguration.InitializeLogging`
        Npgsql | review | UsePeriodicPasswordProvider() | `UsePeriodicPasswordProvider`
        Npgsql | review | ReloadTypes() | `ReloadTypes` of a data source with several hosts
        Npgsql | review | FullState ConnectionState.Broken | `FullState` of a connection that was lost
        Npgsql | review | .ServerVersion | `DataSource`, `ServerVersion` of a connection
        Npgsql | review | GetSchema() GetSchemaAsync() | `GetSchema`
        Npgsql | review | GetColumnSchema() GetColumnSchemaAsync() GetSchemaTable() | `BaseTableName`, `IsKey` and other facts about tables in `GetColumnSchema`
        Npgsql | review | NpgsqlTsQuery.Parse NpgsqlTsVector.Parse | `PgTsQuery.Parse` and `PgTsVector.Parse`
        Npgsql | review | UnknownResultTypeList | `UnknownResultTypeList` with a length other than the number of columns
        Npgsql | review | BeginBinaryExport() BeginBinaryExportAsync() | `BeginBinaryExport`: a row of more than `Max Row Bytes`
        Npgsql | review | BeginTextExport() BeginTextExportAsync() | `BeginTextExport`: bytes that are not UTF-8, as with the option `ENCODING`
        Npgsql | review | LogicalReplicationConnection PhysicalReplicationConnection | after the loop over a stream was left
        Npgsql | review | DbType.Currency | `DbType.Currency`
        """;

    public static IReadOnlyList<Sign> All { get; } =
    [
        .. from line in Table.Split('\n')
           let cells = Bar().Split(line)
           from name in cells[2].Split(' ')
           select new Sign(
               Enum.Parse<Drivers>(cells[0]), cells[1] == "manual" ? FindingKind.Manual : FindingKind.Review, name, cells[3]),
    ];

    /// <summary>Returns the signs of a name in code of these drivers.</summary>
    /// <param name="drivers">The drivers that the file uses.</param>
    /// <param name="name">The identifier.</param>
    /// <param name="owner">The identifier before it, as in <c>owner.name</c>; null if there is none.</param>
    /// <param name="isMember">Whether it follows a dot.</param>
    /// <param name="isCall">Whether it is called.</param>
    public static IEnumerable<Sign> Of(Drivers drivers, string name, string? owner, bool isMember, bool isCall)
    {
        foreach (var sign in Candidates(name))
        {
            // What MySqlConnector's chapter says applies to code of Connector/NET, too. Code that has moved can no longer contain names that do not exist.
            var applies = sign.Driver switch
            {
                Drivers.MySqlConnector => Drivers.MySqlConnector | Drivers.MySqlData | Moved(sign, Drivers.SlipstreamMySql),
                Drivers.MySqlData => Drivers.MySqlData | Moved(sign, Drivers.SlipstreamMySql),
                var one => one | Moved(sign, Drivers.SlipstreamPostgreSql),
            };
            if ((drivers & applies) == 0)
                continue;
            var isFound = sign.Name == name || (isMember && sign.Name == "." + name) || (isCall && sign.Name == name + "()")
                || (owner is not null && sign.Name == $"{owner}.{name}");
            if (isFound)
                yield return sign;
        }
    }

    private static Drivers Moved(Sign sign, Drivers driver) => sign.Kind == FindingKind.Manual ? driver : Drivers.None;

    private static readonly ILookup<string, Sign> ByName =
        All.ToLookup(static sign => sign.Name[(sign.Name.IndexOf('.', StringComparison.Ordinal) + 1)..].TrimEnd('(', ')'));

    private static IEnumerable<Sign> Candidates(string name) => ByName[name];

    [GeneratedRegex(@" \| ")]
    private static partial Regex Bar();
}
