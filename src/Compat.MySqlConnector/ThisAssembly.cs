using Slipstream.MySql.Logging;

namespace Slipstream.MySql.Conventions;

/// <summary>The conventions of an assembly that takes the place of MySqlConnector.</summary>
internal static class ThisAssembly
{
    public static readonly DriverConventions Conventions = new("MySqlConnector")
    {
        UpdateBatchSize = 0,
        KeepsVersionPrefix = true,
        ReportsBroken = true,
        HidesSavepoints = true,
        RefusesTableDirect = true,
        RefusesOrdinalsAsArguments = true,
        FindsColumnsInAnyCase = true,
        ReadsBooleansAsBits = true,
        RefusesLargeDecimalsAsFormat = true,
        RefusesPartialDatesAsFormat = true,
        TrustsMonthsAndDays = true,
        FormatsDatesByCulture = true,
        RefusesToCompareWithNull = true,
        NamesTypesCoarsely = true,
        ReadsVectorsAsMemory = true,
        KnowsFewerParameterTypes = true,
        ParametersDifferInMoreThanCase = true,
        RefusesMissingParametersAsOutOfRange = true,
        SendsDoublesAsDigits = true,
        CopiesAsLoadData = true,
        ReadsZeroDatesByOptionOnly = true,
        KeepsParameterTypes = true,
        Misuse = static (number, message) => new MySqlException((MySqlErrorCode)number, message),
        Loggers = static () => MySqlConnectorLogManager.Loggers,
        DerivesNoPrecision = true,
        WritesMySqlConnectorsLiterals = true,
        SendsNarrowTypes = true,
        ContinuesAfterRollback = true,
        SetsLevelOfSession = true,
        PreparesAtOnce = true,
        ExecutesForSchema = true,
        IgnoresSequentialAccess = true,
        SendsInvalidDatesAsZero = true,
        DescribesColumnsCoarsely = true,
        NamesAllServers = true,
        KnowsFewerTransientErrors = true,
        ReportsLossAsEndOfStream = true,
        LoadsFilesByName = true,
        LimitsTimeouts = true,
        AcceptsForceSynchronous = true,
        WritesProtocolInPlural = true,
        ListsTypesAsMySqlConnector = true,
    };
}
