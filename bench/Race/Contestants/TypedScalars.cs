using System.Data.Common;
using System.Reflection;
using Slipstream.Race.Scenarios;

namespace Slipstream.Race.Contestants;

/// <summary>
/// Finds <c>ValueTask&lt;T&gt; ExecuteScalarAsync&lt;T&gt;(CancellationToken)</c> and <c>T ExecuteScalar&lt;T&gt;()</c> on a provider's command, and calls them
/// through delegates on the instance, so that the measured loop contains no reflection and no state machine.
/// </summary>
internal static class TypedScalars
{
    public static ITypedScalar? For(DbProviderFactory factory)
    {
        using var command = factory.CreateCommand();
        if (command is null)
            return null;

        var type = command.GetType();
        var asynchronous = Generic(type, "ExecuteScalarAsync", [typeof(CancellationToken)], typeof(ValueTask<long>));
        if (asynchronous is null)
            return null;

        var synchronous = Generic(type, "ExecuteScalar", [], typeof(long));
        return (ITypedScalar)Activator.CreateInstance(typeof(TypedScalar<>).MakeGenericType(type), asynchronous, synchronous)!;
    }

    private static MethodInfo? Generic(Type type, string name, Type[] parameters, Type returns) => type
        .GetMethods(BindingFlags.Public | BindingFlags.Instance)
        .Where(method => method.Name == name && method.IsGenericMethodDefinition && method.GetGenericArguments().Length == 1)
        .Where(method => method.GetParameters().Select(parameter => parameter.ParameterType).SequenceEqual(parameters))
        .Select(method => method.MakeGenericMethod(typeof(long)))
        .FirstOrDefault(method => method.ReturnType == returns);

    private sealed class TypedScalar<TCommand>(MethodInfo asynchronous, MethodInfo? synchronous) : ITypedScalar
        where TCommand : DbCommand
    {
        private readonly Func<TCommand, CancellationToken, ValueTask<long>> _async =
            asynchronous.CreateDelegate<Func<TCommand, CancellationToken, ValueTask<long>>>();
        private readonly Func<TCommand, long>? _sync = synchronous?.CreateDelegate<Func<TCommand, long>>();

        public long Execute(DbCommand command) => _sync is null ? Convert.ToInt64(command.ExecuteScalar()) : _sync((TCommand)command);

        public ValueTask<long> ExecuteAsync(DbCommand command) => _async((TCommand)command, CancellationToken.None);
    }
}
