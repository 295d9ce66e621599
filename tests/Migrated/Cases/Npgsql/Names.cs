// Replaces the prefix "Npgsql" of types by "Pg": these are the types that the cases use.
global using PgBatch = Npgsql.NpgsqlBatch;
global using PgBatchCommand = Npgsql.NpgsqlBatchCommand;
global using PgCommand = Npgsql.NpgsqlCommand;
global using PgCommandBuilder = Npgsql.NpgsqlCommandBuilder;
global using PgConnection = Npgsql.NpgsqlConnection;
global using PgConnectionStringBuilder = Npgsql.NpgsqlConnectionStringBuilder;
global using PgDataAdapter = Npgsql.NpgsqlDataAdapter;
global using PgDataSource = Npgsql.NpgsqlDataSource;
global using PgDbType = NpgsqlTypes.NpgsqlDbType;
global using PgException = Npgsql.PostgresException;
global using PgFactory = Npgsql.NpgsqlFactory;
global using PgParameter = Npgsql.NpgsqlParameter;
