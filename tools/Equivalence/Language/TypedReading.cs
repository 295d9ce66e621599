using System.Collections;
using System.Data.Common;
using System.Globalization;
using System.Net;
using System.Reflection;
using System.Text.Json;
using System.Text.Json.Nodes;
using Slipstream.PostgreSql;

namespace Slipstream.Equivalence.Language;

/// <summary>
/// Reads a column of PostgreSQL as another .NET type than its usual one, with either driver: the types of the peer are found by their names.
/// </summary>
internal static class TypedReading
{
    /// <summary>Returns the other .NET types of a column of this type.</summary>
    private static Type[] TypesOf(string name) => name switch
    {
        "integer[]" or "int4[]" => [typeof(List<int>), typeof(int?[]), typeof(List<int?>), typeof(IReadOnlyList<int>), typeof(int[,]), typeof(long[])],
        "text[]" => [typeof(List<string>), typeof(IList<string>), typeof(string[,])],
        "numeric[]" => [typeof(decimal?[]), typeof(List<decimal>)],
        "interval" => [typeof(TimeSpan), typeof(PgInterval)],
        "inet" => [typeof(IPAddress), typeof(PgInet)],
        "cidr" => [typeof(PgCidr), typeof(IPNetwork)],
        "bit" or "bit varying" => [typeof(BitArray), typeof(string), typeof(bool), typeof(System.Collections.Specialized.BitVector32)],
        "json" or "jsonb" => [typeof(JsonDocument), typeof(string), typeof(byte[]), typeof(JsonNode), typeof(Note)],
        "pg_lsn" => [typeof(PgLogSequenceNumber), typeof(ulong)],
        "hstore" => [typeof(IDictionary<string, string?>), typeof(Dictionary<string, string?>)],
        "int4range" => [typeof(PgRange<int>)],
        "int4multirange" => [typeof(PgRange<int>[]), typeof(List<PgRange<int>>)],
        "date" => [typeof(DateTime), typeof(DateOnly)],
        "timestamp with time zone" => [typeof(DateTimeOffset), typeof(DateTime)],
        "numeric" => [typeof(System.Numerics.BigInteger), typeof(double), typeof(decimal)],
        "bytea" => [typeof(ReadOnlyMemory<byte>), typeof(byte[])],
        _ when name.EndsWith("mapped_mood", StringComparison.Ordinal) => [typeof(string), typeof(Mood), typeof(Mood?)],
        _ when name.EndsWith("mapped_mood[]", StringComparison.Ordinal) => [typeof(List<Mood>), typeof(Mood?[])],
        _ when name.EndsWith("mapped_addr[]", StringComparison.Ordinal) => [typeof(List<Address>)],
        _ when name.EndsWith("mapped_addr", StringComparison.Ordinal) => [typeof(Address)],
        _ when name.EndsWith("addr", StringComparison.Ordinal) => [typeof(ValueTuple<string, int?>)],
        "record" => [typeof(ValueTuple<int, string>)],
        _ => [],
    };

    /// <summary>Reads a column; the number chooses the type.</summary>
    public static async Task<object?> Read(DbDataReader reader, int column, int choice, bool isAsync)
    {
        // The peer adds the length.
        var name = reader.GetDataTypeName(column);
        if (name.IndexOf('(', StringComparison.Ordinal) is > 0 and var at)
            name = name[..at] + name[(name.IndexOf(')', StringComparison.Ordinal) + 1)..];
        if (TypesOf(name) is not { Length: > 0 } types)
            return reader.GetValue(column);
        return await Read(reader, column, types[choice % types.Length], isAsync);
    }

    /// <summary>Reads a column as a type, which is Slipstream's.</summary>
    public static async Task<object?> Read(object reader, int column, Type type, bool isAsync)
    {
        type = Of(type, reader.GetType());
        if (!isAsync)
            return Call(reader, "GetFieldValue", type, [typeof(int)], [column]);
        dynamic task = Call(reader, "GetFieldValueAsync", type, [typeof(int), typeof(CancellationToken)], [column, CancellationToken.None])!;
        return (object?)await task;
    }

    /// <summary>Calls a generic method with a type argument.</summary>
    public static object? Call(object target, string method, Type type, Type[] parameters, object?[] arguments) =>
        target.GetType().GetMethods()
            .First(candidate => candidate.Name == method && candidate.IsGenericMethodDefinition
                && candidate.GetParameters().Select(static parameter => parameter.ParameterType).SequenceEqual(parameters))
            .MakeGenericMethod(type)
            .Invoke(target, BindingFlags.DoNotWrapExceptions, null, arguments, CultureInfo.InvariantCulture);

    /// <summary>Returns the corresponding type of the driver that a class belongs to.</summary>
    public static Type Of(Type type, Type of)
    {
        if (of.Assembly == typeof(PgConnection).Assembly)
            return type;
        if (type.IsArray)
        {
            var element = Of(type.GetElementType()!, of);
            return type.GetArrayRank() is > 1 and var rank ? element.MakeArrayType(rank) : element.MakeArrayType();
        }

        var arguments = type.GetGenericArguments();
        if (arguments.Length > 0)
            type = type.GetGenericTypeDefinition();
        if (type.Assembly == typeof(PgConnection).Assembly)
            type = of.Assembly.GetType($"NpgsqlTypes.Npgsql{type.Name["Pg".Length..]}", throwOnError: true)!;
        return arguments.Length > 0 ? type.MakeGenericType([.. arguments.Select(argument => Of(argument, of))]) : type;
    }
}
