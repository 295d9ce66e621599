namespace Slipstream.Migrated;

/// <summary>What the cases need of a driver besides their own subject.</summary>
public static class Driver
{
    /// <summary>Closes the sessions that a case has left behind in pools.</summary>
    public static void ClearPools() => PgConnection.ClearAllPools();

    internal static PgConnection Open(this Trial t, string options = "")
    {
        var connection = new PgConnection($"{t.ConnectionString};{options}");
        connection.Open();
        return connection;
    }

    internal static int Do(this PgConnection connection, string sql, params (string Name, object? Value)[] parameters)
    {
        using var command = connection.Command(sql, parameters);
        return command.ExecuteNonQuery();
    }

    internal static object? Scalar(this PgConnection connection, string sql, params (string Name, object? Value)[] parameters)
    {
        using var command = connection.Command(sql, parameters);
        return command.ExecuteScalar();
    }

    internal static string All(this PgConnection connection, string sql, params (string Name, object? Value)[] parameters)
    {
        using var command = connection.Command(sql, parameters);
        using var reader = command.ExecuteReader();
        return Trial.Rows(reader);
    }

    internal static PgCommand Command(this PgConnection connection, string sql, params (string Name, object? Value)[] parameters)
    {
        var command = new PgCommand(sql, connection);
        foreach (var (name, value) in parameters)
            command.Parameters.AddWithValue(name, value ?? DBNull.Value);
        return command;
    }
}
