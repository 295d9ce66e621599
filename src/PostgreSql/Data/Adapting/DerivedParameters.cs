using System.Data;
using System.Runtime.InteropServices;
using System.Text;
using Slipstream.Core.Errors;
using Slipstream.Core.Statements;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql;

/// <summary>The parameters of a command as the server declares or infers them. Source: PostgreSQL 18, 52.39 "pg_proc".</summary>
internal static class DerivedParameters
{
    // A row for each parameter. Columns of RETURNS TABLE and of a composite result are output parameters. The name follows the rules of the server's parser,
    // such as search_path: regproc, unlike to_regproc, throws if there is no such function or if there are several.
    private const string Declared = """
        SELECT a.name, a.mode, a.type, pg_catalog.format_type(a.type, NULL)
        FROM pg_catalog.pg_proc p
        CROSS JOIN LATERAL (
            SELECT p.proargnames[n::int] AS name, coalesce(p.proargmodes[n::int]::text, 'i') AS mode, t AS type, n AS place
            FROM pg_catalog.unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) WITH ORDINALITY AS u(t, n)
            UNION ALL
            SELECT NULL, 'o', att.atttypid, 100000 + att.attnum
            FROM pg_catalog.pg_type r JOIN pg_catalog.pg_attribute att ON att.attrelid = r.typrelid AND att.attnum > 0 AND NOT att.attisdropped
            WHERE r.oid = p.prorettype AND r.typtype = 'c' AND p.proallargtypes IS NULL) a
        WHERE p.oid = $1::pg_catalog.regproc
        ORDER BY a.place
        """;

    private const string Inferred = """
        SELECT t::oid, pg_catalog.format_type(t::oid, NULL)
        FROM pg_catalog.pg_prepared_statements, pg_catalog.unnest(parameter_types) WITH ORDINALITY AS u(t, n)
        WHERE name = $1 ORDER BY n
        """;

    /// <summary>Replaces the parameters of a command.</summary>
    public static void Fill(PgCommand command)
    {
        ArgumentNullException.ThrowIfNull(command);
        if (string.IsNullOrWhiteSpace(command.CommandText))
            throw new ArgumentException("The command has no text: set its CommandText property to an SQL text or to the name of a procedure.", nameof(command));
        if (command.Connection is not { State: ConnectionState.Open } connection)
            throw new ArgumentException("The command needs an open connection, because the parameters are read from the server.", nameof(command));
        var parameters = command.CommandType switch
        {
            CommandType.StoredProcedure => OfProcedure(command, connection),
            CommandType.Text => OfText(command, connection),
            _ => throw new ArgumentException($"The command's CommandType must be Text or StoredProcedure, not {command.CommandType}.", nameof(command)),
        };
        command.Parameters.Clear();
        foreach (var parameter in parameters)
            command.Parameters.Add(parameter);
    }

    private static List<PgParameter> OfProcedure(PgCommand command, PgConnection connection)
    {
        using var question = new PgCommand(Declared, connection, command.Transaction)
        {
            CommandTimeout = command.CommandTimeout,
            Parameters = { new PgParameter("", PgDbType.Unknown) { Value = command.CommandText } },
        };
        var parameters = new List<PgParameter>();
        using var reader = question.ExecuteReader();
        while (reader.Read())
        {
            // An argument without a name has the empty one if others have names.
            var name = reader.IsDBNull(0) ? $"parameter{parameters.Count + 1}" : reader.GetString(0);
            parameters.Add(Create(name, (reader.Types.Describe(reader.GetFieldValue<uint>(2)), reader.GetString(3)), reader.GetString(1) switch
            {
                "o" or "t" => ParameterDirection.Output,
                "b" => ParameterDirection.InputOutput,
                _ => ParameterDirection.Input,
            }));
        }

        return parameters;
    }

    // The protocol describes the parameters only to the client that parses the statement. pg_prepared_statements shows the same to SQL.
    private static List<PgParameter> OfText(PgCommand command, PgConnection connection)
    {
        var source = connection.PgSource;
        var statement = source.StatementFor(command.CommandText, ParameterNaming.None);
        var isNamed = !Array.Exists(statement.Parts, static part => part.Places.Length > 0);
        if (isNamed)
            statement = source.StatementFor(command.CommandText, ParameterNaming.Names);
        var types = new List<(PostgresType? Type, string Name)>();
        foreach (var part in statement.Parts)
        {
            if (part.Places.Length == 0)
                continue;
            var inferred = Infer(part, command, connection);
            for (var i = 0; i < part.Places.Length; i++)
            {
                while (types.Count <= part.Places[i])
                    types.Add((null, ""));
                ref var type = ref CollectionsMarshal.AsSpan(types)[part.Places[i]];
                if (type.Type is not null && type.Type.OID != inferred[i].Type!.OID)
                {
                    var name = isNamed ? statement.Names[part.Places[i]] : $"${part.Places[i] + 1}";
                    throw new PgException($"The parameter '{name}' is of type {ServerText.OneLine(type.Name)} in one statement and of type "
                        + $"{ServerText.OneLine(inferred[i].Name)} in another: use two parameters, or cast them to the same type.");
                }

                type = inferred[i];
            }
        }

        var parameters = new List<PgParameter>();
        for (var i = 0; i < types.Count; i++)
            parameters.Add(Create(isNamed ? statement.Names[i] : "", types[i], ParameterDirection.Input));
        return parameters;
    }

    private static (PostgresType? Type, string Name)[] Infer(StatementPart part, PgCommand command, PgConnection connection)
    {
        var name = "slipstream_derive_" + Guid.NewGuid().ToString("N");
        Execute($"PREPARE {name} AS {Encoding.UTF8.GetString(part.Sql)}");
        try
        {
            using var question = new PgCommand(Inferred, connection, command.Transaction)
            {
                Parameters = { new PgParameter("", name) },
            };
            var types = new List<(PostgresType? Type, string Name)>();
            using var reader = question.ExecuteReader();
            while (reader.Read())
                types.Add((reader.Types.Describe(reader.GetFieldValue<uint>(0)), reader.GetString(1)));
            return [.. types];
        }
        finally
        {
            Execute($"DEALLOCATE {name}");
        }

        void Execute(string sql)
        {
            using var statement = new PgCommand(sql, connection, command.Transaction) { CommandTimeout = command.CommandTimeout };
            statement.ExecuteNonQuery();
        }
    }

    private static PgParameter Create(string name, (PostgresType? Type, string Name) type, ParameterDirection direction)
    {
        var parameter = new PgParameter(name, PgDbType.Unknown) { Direction = direction };
        if (type.Type is { } known)
            parameter.SetDerived(known, type.Name);
        return parameter;
    }
}
