namespace Slipstream.PostgreSql;

/// <summary>
/// SQLSTATE values by name, for comparison with <see cref="PgException.SqlState"/>. Source: PostgreSQL 18, appendix A "PostgreSQL Error Codes".
/// </summary>
public static class PgErrorCodes
{
    /// <summary>00000: successful_completion. Class 00, Successful Completion.</summary>
    public const string SuccessfulCompletion = "00000";

    /// <summary>01000: warning. Class 01, Warning.</summary>
    public const string Warning = "01000";
    /// <summary>01003: null_value_eliminated_in_set_function. Class 01, Warning.</summary>
    public const string NullValueEliminatedInSetFunctionWarning = "01003";
    /// <summary>01004: string_data_right_truncation. Class 01, Warning.</summary>
    public const string StringDataRightTruncationWarning = "01004";
    /// <summary>01006: privilege_not_revoked. Class 01, Warning.</summary>
    public const string PrivilegeNotRevokedWarning = "01006";
    /// <summary>01007: privilege_not_granted. Class 01, Warning.</summary>
    public const string PrivilegeNotGrantedWarning = "01007";
    /// <summary>01008: implicit_zero_bit_padding. Class 01, Warning.</summary>
    public const string ImplicitZeroBitPaddingWarning = "01008";
    /// <summary>0100C: dynamic_result_sets_returned. Class 01, Warning.</summary>
    public const string DynamicResultSetsReturnedWarning = "0100C";
    /// <summary>01P01: deprecated_feature. Class 01, Warning.</summary>
    public const string DeprecatedFeatureWarning = "01P01";

    /// <summary>02000: no_data. Class 02, No Data (this is also a warning class per the SQL standard).</summary>
    public const string NoData = "02000";
    /// <summary>02001: no_additional_dynamic_result_sets_returned. Class 02, No Data (this is also a warning class per the SQL standard).</summary>
    public const string NoAdditionalDynamicResultSetsReturned = "02001";

    /// <summary>03000: sql_statement_not_yet_complete. Class 03, SQL Statement Not Yet Complete.</summary>
    public const string SqlStatementNotYetComplete = "03000";

    /// <summary>08000: connection_exception. Class 08, Connection Exception.</summary>
    public const string ConnectionException = "08000";
    /// <summary>08001: sqlclient_unable_to_establish_sqlconnection. Class 08, Connection Exception.</summary>
    public const string SqlClientUnableToEstablishSqlConnection = "08001";
    /// <summary>08003: connection_does_not_exist. Class 08, Connection Exception.</summary>
    public const string ConnectionDoesNotExist = "08003";
    /// <summary>08004: sqlserver_rejected_establishment_of_sqlconnection. Class 08, Connection Exception.</summary>
    public const string SqlServerRejectedEstablishmentOfSqlConnection = "08004";
    /// <summary>08006: connection_failure. Class 08, Connection Exception.</summary>
    public const string ConnectionFailure = "08006";
    /// <summary>08007: transaction_resolution_unknown. Class 08, Connection Exception.</summary>
    public const string TransactionResolutionUnknown = "08007";
    /// <summary>08P01: protocol_violation. Class 08, Connection Exception.</summary>
    public const string ProtocolViolation = "08P01";

    /// <summary>09000: triggered_action_exception. Class 09, Triggered Action Exception.</summary>
    public const string TriggeredActionException = "09000";

    /// <summary>0A000: feature_not_supported. Class 0A, Feature Not Supported.</summary>
    public const string FeatureNotSupported = "0A000";

    /// <summary>0B000: invalid_transaction_initiation. Class 0B, Invalid Transaction Initiation.</summary>
    public const string InvalidTransactionInitiation = "0B000";

    /// <summary>0F000: locator_exception. Class 0F, Locator Exception.</summary>
    public const string LocatorException = "0F000";
    /// <summary>0F001: invalid_locator_specification. Class 0F, Locator Exception.</summary>
    public const string InvalidLocatorSpecification = "0F001";

    /// <summary>0L000: invalid_grantor. Class 0L, Invalid Grantor.</summary>
    public const string InvalidGrantor = "0L000";
    /// <summary>0LP01: invalid_grant_operation. Class 0L, Invalid Grantor.</summary>
    public const string InvalidGrantOperation = "0LP01";

    /// <summary>0P000: invalid_role_specification. Class 0P, Invalid Role Specification.</summary>
    public const string InvalidRoleSpecification = "0P000";

    /// <summary>0Z000: diagnostics_exception. Class 0Z, Diagnostics Exception.</summary>
    public const string DiagnosticsException = "0Z000";
    /// <summary>0Z002: stacked_diagnostics_accessed_without_active_handler. Class 0Z, Diagnostics Exception.</summary>
    public const string StackedDiagnosticsAccessedWithoutActiveHandler = "0Z002";

    /// <summary>20000: case_not_found. Class 20, Case Not Found.</summary>
    public const string CaseNotFound = "20000";

    /// <summary>21000: cardinality_violation. Class 21, Cardinality Violation.</summary>
    public const string CardinalityViolation = "21000";

    /// <summary>22000: data_exception. Class 22, Data Exception.</summary>
    public const string DataException = "22000";
    /// <summary>22001: string_data_right_truncation. Class 22, Data Exception.</summary>
    public const string StringDataRightTruncation = "22001";
    /// <summary>22002: null_value_no_indicator_parameter. Class 22, Data Exception.</summary>
    public const string NullValueNoIndicatorParameter = "22002";
    /// <summary>22003: numeric_value_out_of_range. Class 22, Data Exception.</summary>
    public const string NumericValueOutOfRange = "22003";
    /// <summary>22004: null_value_not_allowed. Class 22, Data Exception.</summary>
    public const string NullValueNotAllowed = "22004";
    /// <summary>22005: error_in_assignment. Class 22, Data Exception.</summary>
    public const string ErrorInAssignment = "22005";
    /// <summary>22007: invalid_datetime_format. Class 22, Data Exception.</summary>
    public const string InvalidDatetimeFormat = "22007";
    /// <summary>22008: datetime_field_overflow. Class 22, Data Exception.</summary>
    public const string DatetimeFieldOverflow = "22008";
    /// <summary>22009: invalid_time_zone_displacement_value. Class 22, Data Exception.</summary>
    public const string InvalidTimeZoneDisplacementValue = "22009";
    /// <summary>2200B: escape_character_conflict. Class 22, Data Exception.</summary>
    public const string EscapeCharacterConflict = "2200B";
    /// <summary>2200C: invalid_use_of_escape_character. Class 22, Data Exception.</summary>
    public const string InvalidUseOfEscapeCharacter = "2200C";
    /// <summary>2200D: invalid_escape_octet. Class 22, Data Exception.</summary>
    public const string InvalidEscapeOctet = "2200D";
    /// <summary>2200F: zero_length_character_string. Class 22, Data Exception.</summary>
    public const string ZeroLengthCharacterString = "2200F";
    /// <summary>2200G: most_specific_type_mismatch. Class 22, Data Exception.</summary>
    public const string MostSpecificTypeMismatch = "2200G";
    /// <summary>2200L: not_an_xml_document. Class 22, Data Exception.</summary>
    public const string NotAnXmlDocument = "2200L";
    /// <summary>2200M: invalid_xml_document. Class 22, Data Exception.</summary>
    public const string InvalidXmlDocument = "2200M";
    /// <summary>2200N: invalid_xml_content. Class 22, Data Exception.</summary>
    public const string InvalidXmlContent = "2200N";
    /// <summary>2200S: invalid_xml_comment. Class 22, Data Exception.</summary>
    public const string InvalidXmlComment = "2200S";
    /// <summary>2200T: invalid_xml_processing_instruction. Class 22, Data Exception.</summary>
    public const string InvalidXmlProcessingInstruction = "2200T";
    /// <summary>22010: invalid_indicator_parameter_value. Class 22, Data Exception.</summary>
    public const string InvalidIndicatorParameterValue = "22010";
    /// <summary>22011: substring_error. Class 22, Data Exception.</summary>
    public const string SubstringError = "22011";
    /// <summary>22012: division_by_zero. Class 22, Data Exception.</summary>
    public const string DivisionByZero = "22012";
    /// <summary>22014: invalid_argument_for_ntile_function. Class 22, Data Exception.</summary>
    public const string InvalidArgumentForNtileFunction = "22014";
    /// <summary>22015: interval_field_overflow. Class 22, Data Exception.</summary>
    public const string IntervalFieldOverflow = "22015";
    /// <summary>22016: invalid_argument_for_nth_value_function. Class 22, Data Exception.</summary>
    public const string InvalidArgumentForNthValueFunction = "22016";
    /// <summary>22018: invalid_character_value_for_cast. Class 22, Data Exception.</summary>
    public const string InvalidCharacterValueForCast = "22018";
    /// <summary>22019: invalid_escape_character. Class 22, Data Exception.</summary>
    public const string InvalidEscapeCharacter = "22019";
    /// <summary>2201B: invalid_regular_expression. Class 22, Data Exception.</summary>
    public const string InvalidRegularExpression = "2201B";
    /// <summary>2201E: invalid_argument_for_logarithm. Class 22, Data Exception.</summary>
    public const string InvalidArgumentForLogarithm = "2201E";
    /// <summary>2201F: invalid_argument_for_power_function. Class 22, Data Exception.</summary>
    public const string InvalidArgumentForPowerFunction = "2201F";
    /// <summary>2201G: invalid_argument_for_width_bucket_function. Class 22, Data Exception.</summary>
    public const string InvalidArgumentForWidthBucketFunction = "2201G";
    /// <summary>2201W: invalid_row_count_in_limit_clause. Class 22, Data Exception.</summary>
    public const string InvalidRowCountInLimitClause = "2201W";
    /// <summary>2201X: invalid_row_count_in_result_offset_clause. Class 22, Data Exception.</summary>
    public const string InvalidRowCountInResultOffsetClause = "2201X";
    /// <summary>22021: character_not_in_repertoire. Class 22, Data Exception.</summary>
    public const string CharacterNotInRepertoire = "22021";
    /// <summary>22022: indicator_overflow. Class 22, Data Exception.</summary>
    public const string IndicatorOverflow = "22022";
    /// <summary>22023: invalid_parameter_value. Class 22, Data Exception.</summary>
    public const string InvalidParameterValue = "22023";
    /// <summary>22024: unterminated_c_string. Class 22, Data Exception.</summary>
    public const string UnterminatedCString = "22024";
    /// <summary>22025: invalid_escape_sequence. Class 22, Data Exception.</summary>
    public const string InvalidEscapeSequence = "22025";
    /// <summary>22026: string_data_length_mismatch. Class 22, Data Exception.</summary>
    public const string StringDataLengthMismatch = "22026";
    /// <summary>22027: trim_error. Class 22, Data Exception.</summary>
    public const string TrimError = "22027";
    /// <summary>2202E: array_subscript_error. Class 22, Data Exception.</summary>
    public const string ArraySubscriptError = "2202E";
    /// <summary>2202G: invalid_tablesample_repeat. Class 22, Data Exception.</summary>
    public const string InvalidTablesampleRepeat = "2202G";
    /// <summary>2202H: invalid_tablesample_argument. Class 22, Data Exception.</summary>
    public const string InvalidTablesampleArgument = "2202H";
    /// <summary>22P01: floating_point_exception. Class 22, Data Exception.</summary>
    public const string FloatingPointException = "22P01";
    /// <summary>22P02: invalid_text_representation. Class 22, Data Exception.</summary>
    public const string InvalidTextRepresentation = "22P02";
    /// <summary>22P03: invalid_binary_representation. Class 22, Data Exception.</summary>
    public const string InvalidBinaryRepresentation = "22P03";
    /// <summary>22P04: bad_copy_file_format. Class 22, Data Exception.</summary>
    public const string BadCopyFileFormat = "22P04";
    /// <summary>22P05: untranslatable_character. Class 22, Data Exception.</summary>
    public const string UntranslatableCharacter = "22P05";
    /// <summary>22P06: nonstandard_use_of_escape_character. Class 22, Data Exception.</summary>
    public const string NonstandardUseOfEscapeCharacter = "22P06";

    /// <summary>23000: integrity_constraint_violation. Class 23, Integrity Constraint Violation.</summary>
    public const string IntegrityConstraintViolation = "23000";
    /// <summary>23001: restrict_violation. Class 23, Integrity Constraint Violation.</summary>
    public const string RestrictViolation = "23001";
    /// <summary>23502: not_null_violation. Class 23, Integrity Constraint Violation.</summary>
    public const string NotNullViolation = "23502";
    /// <summary>23503: foreign_key_violation. Class 23, Integrity Constraint Violation.</summary>
    public const string ForeignKeyViolation = "23503";
    /// <summary>23505: unique_violation. Class 23, Integrity Constraint Violation.</summary>
    public const string UniqueViolation = "23505";
    /// <summary>23514: check_violation. Class 23, Integrity Constraint Violation.</summary>
    public const string CheckViolation = "23514";
    /// <summary>23P01: exclusion_violation. Class 23, Integrity Constraint Violation.</summary>
    public const string ExclusionViolation = "23P01";

    /// <summary>24000: invalid_cursor_state. Class 24, Invalid Cursor State.</summary>
    public const string InvalidCursorState = "24000";

    /// <summary>25000: invalid_transaction_state. Class 25, Invalid Transaction State.</summary>
    public const string InvalidTransactionState = "25000";
    /// <summary>25001: active_sql_transaction. Class 25, Invalid Transaction State.</summary>
    public const string ActiveSqlTransaction = "25001";
    /// <summary>25002: branch_transaction_already_active. Class 25, Invalid Transaction State.</summary>
    public const string BranchTransactionAlreadyActive = "25002";
    /// <summary>25003: inappropriate_access_mode_for_branch_transaction. Class 25, Invalid Transaction State.</summary>
    public const string InappropriateAccessModeForBranchTransaction = "25003";
    /// <summary>25004: inappropriate_isolation_level_for_branch_transaction. Class 25, Invalid Transaction State.</summary>
    public const string InappropriateIsolationLevelForBranchTransaction = "25004";
    /// <summary>25005: no_active_sql_transaction_for_branch_transaction. Class 25, Invalid Transaction State.</summary>
    public const string NoActiveSqlTransactionForBranchTransaction = "25005";
    /// <summary>25006: read_only_sql_transaction. Class 25, Invalid Transaction State.</summary>
    public const string ReadOnlySqlTransaction = "25006";
    /// <summary>25007: schema_and_data_statement_mixing_not_supported. Class 25, Invalid Transaction State.</summary>
    public const string SchemaAndDataStatementMixingNotSupported = "25007";
    /// <summary>25008: held_cursor_requires_same_isolation_level. Class 25, Invalid Transaction State.</summary>
    public const string HeldCursorRequiresSameIsolationLevel = "25008";
    /// <summary>25P01: no_active_sql_transaction. Class 25, Invalid Transaction State.</summary>
    public const string NoActiveSqlTransaction = "25P01";
    /// <summary>25P02: in_failed_sql_transaction. Class 25, Invalid Transaction State.</summary>
    public const string InFailedSqlTransaction = "25P02";

    /// <summary>26000: invalid_sql_statement_name. Class 26, Invalid SQL Statement Name.</summary>
    public const string InvalidSqlStatementName = "26000";

    /// <summary>27000: triggered_data_change_violation. Class 27, Triggered Data Change Violation.</summary>
    public const string TriggeredDataChangeViolation = "27000";

    /// <summary>28000: invalid_authorization_specification. Class 28, Invalid Authorization Specification.</summary>
    public const string InvalidAuthorizationSpecification = "28000";
    /// <summary>28P01: invalid_password. Class 28, Invalid Authorization Specification.</summary>
    public const string InvalidPassword = "28P01";

    /// <summary>2B000: dependent_privilege_descriptors_still_exist. Class 2B, Dependent Privilege Descriptors Still Exist.</summary>
    public const string DependentPrivilegeDescriptorsStillExist = "2B000";
    /// <summary>2BP01: dependent_objects_still_exist. Class 2B, Dependent Privilege Descriptors Still Exist.</summary>
    public const string DependentObjectsStillExist = "2BP01";

    /// <summary>2D000: invalid_transaction_termination. Class 2D, Invalid Transaction Termination.</summary>
    public const string InvalidTransactionTermination = "2D000";

    /// <summary>2F000: sql_routine_exception. Class 2F, SQL Routine Exception.</summary>
    public const string SqlRoutineException = "2F000";
    /// <summary>2F002: modifying_sql_data_not_permitted. Class 2F, SQL Routine Exception.</summary>
    public const string ModifyingSqlDataNotPermittedSqlRoutineException = "2F002";
    /// <summary>2F003: prohibited_sql_statement_attempted. Class 2F, SQL Routine Exception.</summary>
    public const string ProhibitedSqlStatementAttemptedSqlRoutineException = "2F003";
    /// <summary>2F004: reading_sql_data_not_permitted. Class 2F, SQL Routine Exception.</summary>
    public const string ReadingSqlDataNotPermittedSqlRoutineException = "2F004";
    /// <summary>2F005: function_executed_no_return_statement. Class 2F, SQL Routine Exception.</summary>
    public const string FunctionExecutedNoReturnStatementSqlRoutineException = "2F005";

    /// <summary>34000: invalid_cursor_name. Class 34, Invalid Cursor Name.</summary>
    public const string InvalidCursorName = "34000";

    /// <summary>38000: external_routine_exception. Class 38, External Routine Exception.</summary>
    public const string ExternalRoutineException = "38000";
    /// <summary>38001: containing_sql_not_permitted. Class 38, External Routine Exception.</summary>
    public const string ContainingSqlNotPermittedExternalRoutineException = "38001";
    /// <summary>38002: modifying_sql_data_not_permitted. Class 38, External Routine Exception.</summary>
    public const string ModifyingSqlDataNotPermittedExternalRoutineException = "38002";
    /// <summary>38003: prohibited_sql_statement_attempted. Class 38, External Routine Exception.</summary>
    public const string ProhibitedSqlStatementAttemptedExternalRoutineException = "38003";
    /// <summary>38004: reading_sql_data_not_permitted. Class 38, External Routine Exception.</summary>
    public const string ReadingSqlDataNotPermittedExternalRoutineException = "38004";

    /// <summary>39000: external_routine_invocation_exception. Class 39, External Routine Invocation Exception.</summary>
    public const string ExternalRoutineInvocationException = "39000";
    /// <summary>39001: invalid_sqlstate_returned. Class 39, External Routine Invocation Exception.</summary>
    public const string InvalidSqlstateReturnedExternalRoutineInvocationException = "39001";
    /// <summary>39004: null_value_not_allowed. Class 39, External Routine Invocation Exception.</summary>
    public const string NullValueNotAllowedExternalRoutineInvocationException = "39004";
    /// <summary>39P01: trigger_protocol_violated. Class 39, External Routine Invocation Exception.</summary>
    public const string TriggerProtocolViolatedExternalRoutineInvocationException = "39P01";
    /// <summary>39P02: srf_protocol_violated. Class 39, External Routine Invocation Exception.</summary>
    public const string SrfProtocolViolatedExternalRoutineInvocationException = "39P02";
    /// <summary>39P03: event_trigger_protocol_violated. Class 39, External Routine Invocation Exception.</summary>
    public const string EventTriggerProtocolViolatedExternalRoutineInvocationException = "39P03";

    /// <summary>3B000: savepoint_exception. Class 3B, Savepoint Exception.</summary>
    public const string SavepointException = "3B000";
    /// <summary>3B001: invalid_savepoint_specification. Class 3B, Savepoint Exception.</summary>
    public const string InvalidSavepointSpecification = "3B001";

    /// <summary>3D000: invalid_catalog_name. Class 3D, Invalid Catalog Name.</summary>
    public const string InvalidCatalogName = "3D000";

    /// <summary>3F000: invalid_schema_name. Class 3F, Invalid Schema Name.</summary>
    public const string InvalidSchemaName = "3F000";

    /// <summary>40000: transaction_rollback. Class 40, Transaction Rollback.</summary>
    public const string TransactionRollback = "40000";
    /// <summary>40001: serialization_failure. Class 40, Transaction Rollback.</summary>
    public const string SerializationFailure = "40001";
    /// <summary>40002: transaction_integrity_constraint_violation. Class 40, Transaction Rollback.</summary>
    public const string TransactionIntegrityConstraintViolation = "40002";
    /// <summary>40003: statement_completion_unknown. Class 40, Transaction Rollback.</summary>
    public const string StatementCompletionUnknown = "40003";
    /// <summary>40P01: deadlock_detected. Class 40, Transaction Rollback.</summary>
    public const string DeadlockDetected = "40P01";

    /// <summary>42000: syntax_error_or_access_rule_violation. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string SyntaxErrorOrAccessRuleViolation = "42000";
    /// <summary>42501: insufficient_privilege. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string InsufficientPrivilege = "42501";
    /// <summary>42601: syntax_error. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string SyntaxError = "42601";
    /// <summary>42602: invalid_name. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string InvalidName = "42602";
    /// <summary>42611: invalid_column_definition. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string InvalidColumnDefinition = "42611";
    /// <summary>42622: name_too_long. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string NameTooLong = "42622";
    /// <summary>42701: duplicate_column. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string DuplicateColumn = "42701";
    /// <summary>42702: ambiguous_column. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string AmbiguousColumn = "42702";
    /// <summary>42703: undefined_column. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string UndefinedColumn = "42703";
    /// <summary>42704: undefined_object. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string UndefinedObject = "42704";
    /// <summary>42710: duplicate_object. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string DuplicateObject = "42710";
    /// <summary>42712: duplicate_alias. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string DuplicateAlias = "42712";
    /// <summary>42723: duplicate_function. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string DuplicateFunction = "42723";
    /// <summary>42725: ambiguous_function. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string AmbiguousFunction = "42725";
    /// <summary>42803: grouping_error. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string GroupingError = "42803";
    /// <summary>42804: datatype_mismatch. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string DatatypeMismatch = "42804";
    /// <summary>42809: wrong_object_type. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string WrongObjectType = "42809";
    /// <summary>42830: invalid_foreign_key. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string InvalidForeignKey = "42830";
    /// <summary>42846: cannot_coerce. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string CannotCoerce = "42846";
    /// <summary>42883: undefined_function. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string UndefinedFunction = "42883";
    /// <summary>42939: reserved_name. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string ReservedName = "42939";
    /// <summary>42P01: undefined_table. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string UndefinedTable = "42P01";
    /// <summary>42P02: undefined_parameter. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string UndefinedParameter = "42P02";
    /// <summary>42P03: duplicate_cursor. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string DuplicateCursor = "42P03";
    /// <summary>42P04: duplicate_database. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string DuplicateDatabase = "42P04";
    /// <summary>42P05: duplicate_prepared_statement. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string DuplicatePreparedStatement = "42P05";
    /// <summary>42P06: duplicate_schema. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string DuplicateSchema = "42P06";
    /// <summary>42P07: duplicate_table. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string DuplicateTable = "42P07";
    /// <summary>42P08: ambiguous_parameter. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string AmbiguousParameter = "42P08";
    /// <summary>42P09: ambiguous_alias. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string AmbiguousAlias = "42P09";
    /// <summary>42P10: invalid_column_reference. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string InvalidColumnReference = "42P10";
    /// <summary>42P11: invalid_cursor_definition. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string InvalidCursorDefinition = "42P11";
    /// <summary>42P12: invalid_database_definition. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string InvalidDatabaseDefinition = "42P12";
    /// <summary>42P13: invalid_function_definition. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string InvalidFunctionDefinition = "42P13";
    /// <summary>42P14: invalid_prepared_statement_definition. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string InvalidPreparedStatementDefinition = "42P14";
    /// <summary>42P15: invalid_schema_definition. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string InvalidSchemaDefinition = "42P15";
    /// <summary>42P16: invalid_table_definition. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string InvalidTableDefinition = "42P16";
    /// <summary>42P17: invalid_object_definition. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string InvalidObjectDefinition = "42P17";
    /// <summary>42P18: indeterminate_datatype. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string IndeterminateDatatype = "42P18";
    /// <summary>42P19: invalid_recursion. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string InvalidRecursion = "42P19";
    /// <summary>42P20: windowing_error. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string WindowingError = "42P20";
    /// <summary>42P21: collation_mismatch. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string CollationMismatch = "42P21";
    /// <summary>42P22: indeterminate_collation. Class 42, Syntax Error or Access Rule Violation.</summary>
    public const string IndeterminateCollation = "42P22";

    /// <summary>44000: with_check_option_violation. Class 44, WITH CHECK OPTION Violation.</summary>
    public const string WithCheckOptionViolation = "44000";

    /// <summary>53000: insufficient_resources. Class 53, Insufficient Resources.</summary>
    public const string InsufficientResources = "53000";
    /// <summary>53100: disk_full. Class 53, Insufficient Resources.</summary>
    public const string DiskFull = "53100";
    /// <summary>53200: out_of_memory. Class 53, Insufficient Resources.</summary>
    public const string OutOfMemory = "53200";
    /// <summary>53300: too_many_connections. Class 53, Insufficient Resources.</summary>
    public const string TooManyConnections = "53300";
    /// <summary>53400: configuration_limit_exceeded. Class 53, Insufficient Resources.</summary>
    public const string ConfigurationLimitExceeded = "53400";

    /// <summary>54000: program_limit_exceeded. Class 54, Program Limit Exceeded.</summary>
    public const string ProgramLimitExceeded = "54000";
    /// <summary>54001: statement_too_complex. Class 54, Program Limit Exceeded.</summary>
    public const string StatementTooComplex = "54001";
    /// <summary>54011: too_many_columns. Class 54, Program Limit Exceeded.</summary>
    public const string TooManyColumns = "54011";
    /// <summary>54023: too_many_arguments. Class 54, Program Limit Exceeded.</summary>
    public const string TooManyArguments = "54023";

    /// <summary>55000: object_not_in_prerequisite_state. Class 55, Object Not In Prerequisite State.</summary>
    public const string ObjectNotInPrerequisiteState = "55000";
    /// <summary>55006: object_in_use. Class 55, Object Not In Prerequisite State.</summary>
    public const string ObjectInUse = "55006";
    /// <summary>55P02: cant_change_runtime_param. Class 55, Object Not In Prerequisite State.</summary>
    public const string CantChangeRuntimeParam = "55P02";
    /// <summary>55P03: lock_not_available. Class 55, Object Not In Prerequisite State.</summary>
    public const string LockNotAvailable = "55P03";

    /// <summary>57000: operator_intervention. Class 57, Operator Intervention.</summary>
    public const string OperatorIntervention = "57000";
    /// <summary>57014: query_canceled. Class 57, Operator Intervention.</summary>
    public const string QueryCanceled = "57014";
    /// <summary>57P01: admin_shutdown. Class 57, Operator Intervention.</summary>
    public const string AdminShutdown = "57P01";
    /// <summary>57P02: crash_shutdown. Class 57, Operator Intervention.</summary>
    public const string CrashShutdown = "57P02";
    /// <summary>57P03: cannot_connect_now. Class 57, Operator Intervention.</summary>
    public const string CannotConnectNow = "57P03";
    /// <summary>57P04: database_dropped. Class 57, Operator Intervention.</summary>
    public const string DatabaseDropped = "57P04";
    /// <summary>57P05: idle_session_timeout. Class 57, Operator Intervention.</summary>
    public const string IdleSessionTimeout = "57P05";

    /// <summary>58000: system_error. Class 58, System Error (errors external to PostgreSQL itself).</summary>
    public const string SystemError = "58000";
    /// <summary>58030: io_error. Class 58, System Error (errors external to PostgreSQL itself).</summary>
    public const string IoError = "58030";
    /// <summary>58P01: undefined_file. Class 58, System Error (errors external to PostgreSQL itself).</summary>
    public const string UndefinedFile = "58P01";
    /// <summary>58P02: duplicate_file. Class 58, System Error (errors external to PostgreSQL itself).</summary>
    public const string DuplicateFile = "58P02";

    /// <summary>72000: snapshot_too_old. Class 72, Snapshot Failure.</summary>
    public const string SnapshotFailure = "72000";

    /// <summary>F0000: config_file_error. Class F0, Configuration File Error.</summary>
    public const string ConfigFileError = "F0000";
    /// <summary>F0001: lock_file_exists. Class F0, Configuration File Error.</summary>
    public const string LockFileExists = "F0001";

    /// <summary>HV000: fdw_error. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwError = "HV000";
    /// <summary>HV001: fdw_out_of_memory. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwOutOfMemory = "HV001";
    /// <summary>HV002: fdw_dynamic_parameter_value_needed. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwDynamicParameterValueNeeded = "HV002";
    /// <summary>HV004: fdw_invalid_data_type. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwInvalidDataType = "HV004";
    /// <summary>HV005: fdw_column_name_not_found. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwColumnNameNotFound = "HV005";
    /// <summary>HV006: fdw_invalid_data_type_descriptors. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwInvalidDataTypeDescriptors = "HV006";
    /// <summary>HV007: fdw_invalid_column_name. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwInvalidColumnName = "HV007";
    /// <summary>HV008: fdw_invalid_column_number. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwInvalidColumnNumber = "HV008";
    /// <summary>HV009: fdw_invalid_use_of_null_pointer. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwInvalidUseOfNullPointer = "HV009";
    /// <summary>HV00A: fdw_invalid_string_format. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwInvalidStringFormat = "HV00A";
    /// <summary>HV00B: fdw_invalid_handle. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwInvalidHandle = "HV00B";
    /// <summary>HV00C: fdw_invalid_option_index. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwInvalidOptionIndex = "HV00C";
    /// <summary>HV00D: fdw_invalid_option_name. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwInvalidOptionName = "HV00D";
    /// <summary>HV00J: fdw_option_name_not_found. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwOptionNameNotFound = "HV00J";
    /// <summary>HV00K: fdw_reply_handle. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwReplyHandle = "HV00K";
    /// <summary>HV00L: fdw_unable_to_create_execution. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwUnableToCreateExecution = "HV00L";
    /// <summary>HV00M: fdw_unable_to_create_reply. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwUnableToCreateReply = "HV00M";
    /// <summary>HV00N: fdw_unable_to_establish_connection. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwUnableToEstablishConnection = "HV00N";
    /// <summary>HV00P: fdw_no_schemas. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwNoSchemas = "HV00P";
    /// <summary>HV00Q: fdw_schema_not_found. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwSchemaNotFound = "HV00Q";
    /// <summary>HV00R: fdw_table_not_found. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwTableNotFound = "HV00R";
    /// <summary>HV010: fdw_function_sequence_error. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwFunctionSequenceError = "HV010";
    /// <summary>HV014: fdw_too_many_handles. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwTooManyHandles = "HV014";
    /// <summary>HV021: fdw_inconsistent_descriptor_information. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwInconsistentDescriptorInformation = "HV021";
    /// <summary>HV024: fdw_invalid_attribute_value. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwInvalidAttributeValue = "HV024";
    /// <summary>HV090: fdw_invalid_string_length_or_buffer_length. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwInvalidStringLengthOrBufferLength = "HV090";
    /// <summary>HV091: fdw_invalid_descriptor_field_identifier. Class HV, Foreign Data Wrapper Error (SQL/MED).</summary>
    public const string FdwInvalidDescriptorFieldIdentifier = "HV091";

    /// <summary>P0000: plpgsql_error. Class P0, PL/pgSQL Error.</summary>
    public const string PlpgsqlError = "P0000";
    /// <summary>P0001: raise_exception. Class P0, PL/pgSQL Error.</summary>
    public const string RaiseException = "P0001";
    /// <summary>P0002: no_data_found. Class P0, PL/pgSQL Error.</summary>
    public const string NoDataFound = "P0002";
    /// <summary>P0003: too_many_rows. Class P0, PL/pgSQL Error.</summary>
    public const string TooManyRows = "P0003";
    /// <summary>P0004: assert_failure. Class P0, PL/pgSQL Error.</summary>
    public const string AssertFailure = "P0004";

    /// <summary>XX000: internal_error. Class XX, Internal Error.</summary>
    public const string InternalError = "XX000";
    /// <summary>XX001: data_corrupted. Class XX, Internal Error.</summary>
    public const string DataCorrupted = "XX001";
    /// <summary>XX002: index_corrupted. Class XX, Internal Error.</summary>
    public const string IndexCorrupted = "XX002";
}
