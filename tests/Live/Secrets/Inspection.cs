using System.Collections;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

namespace Slipstream.Live.Secrets;

/// <summary>What an object of the drivers, and all that it references, shows when it is printed or viewed in a debugger.</summary>
internal static partial class Inspection
{
    private const BindingFlags Everything = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.DeclaredOnly;

    /// <summary>Returns the texts of the object and of every object of the drivers that its fields reach, including private ones.</summary>
    public static IReadOnlyList<(Type Type, string Text)> TextsOf(object root)
    {
        var texts = new List<(Type, string)>();
        var seen = new HashSet<object>(ReferenceEqualityComparer.Instance);
        var queue = new Queue<object>([root]);
        while (queue.TryDequeue(out var current))
        {
            if (!seen.Add(current))
                continue;
            var type = current.GetType();
            if (IsOurs(type))
                texts.AddRange(Shown(current, type).Select(text => (type, text)));
            if (current is string || type.IsPrimitive || type.IsEnum || current is Delegate or MemberInfo or Assembly)
                continue;
            if (current is IEnumerable items && !IsOurs(type))
            {
                if (type.IsArray && type.GetElementType() is { IsPrimitive: true })
                    continue;
                foreach (var item in type.IsArray || current is ICollection ? ItemsOf(items) : [])
                    if (item is not null)
                        queue.Enqueue(item);
                continue;
            }

            for (var level = type; level is not null && level != typeof(object); level = level.BaseType)
            {
                if (!IsOurs(level) && !IsOurs(type))
                    break;
                foreach (var field in level.GetFields(Everything))
                    if (!field.FieldType.IsPointer && !field.FieldType.IsByRefLike && field.GetValue(current) is { } value)
                        queue.Enqueue(value);
            }
        }

        return texts;
    }

    // The objects are in use: a thread may change a list while it is read.
    private static object?[] ItemsOf(IEnumerable items)
    {
        for (var attempt = 0; ; attempt++)
        {
            try
            {
                return [.. items.Cast<object?>()];
            }
            catch (InvalidOperationException) when (attempt < 100)
            {
                Thread.Sleep(1);
            }
        }
    }

    /// <summary>Returns the texts of ToString, the debugger's display and its proxy.</summary>
    public static IEnumerable<string> Shown(object instance, Type type)
    {
        // ADO.NET requires it to return the whole string: it is the application's own text.
        if (instance is not System.Data.Common.DbConnectionStringBuilder)
            yield return instance.ToString() ?? "";
        if (type.GetCustomAttribute<DebuggerDisplayAttribute>(inherit: true) is { Value: { } display })
            yield return Hole().Replace(display, match => Evaluate(instance, match.Groups[1].Value));
        if (type.GetCustomAttribute<DebuggerTypeProxyAttribute>(inherit: true) is { } proxy
            && proxy.ProxyTypeName.Contains("Slipstream", StringComparison.Ordinal))
        {
            var shown = Activator.CreateInstance(Type.GetType(proxy.ProxyTypeName, throwOnError: true)!, instance)!;
            foreach (var property in shown.GetType().GetProperties())
                yield return $"{property.GetValue(shown)}";
        }
    }

    /// <summary>Returns records whose ToString the compiler wrote, with a member whose name marks it as secret.</summary>
    public static IEnumerable<string> TalkativeRecords(Assembly assembly) =>
        from type in assembly.GetTypes()
        let print = type.GetMethod("PrintMembers", Everything)
        where print is not null && print.GetCustomAttribute<CompilerGeneratedAttribute>() is not null
              && type.GetMethod(nameof(ToString), Everything, Type.EmptyTypes)?.GetCustomAttribute<CompilerGeneratedAttribute>() is not null
        from property in type.GetProperties(BindingFlags.Public | BindingFlags.Instance)
        where property.PropertyType == typeof(string) && SecretName().IsMatch(property.Name)
        select $"{type}.{property.Name}";

    private static bool IsOurs(Type type) => type.Assembly.GetName().Name is "Slipstream.Core" or "Slipstream.MySql" or "Slipstream.PostgreSql";

    private static string Evaluate(object instance, string expression)
    {
        var name = expression.Split(',')[0].Trim();
        for (var level = instance.GetType(); level is not null; level = level.BaseType)
        {
            if (name.EndsWith("()", StringComparison.Ordinal) && level.GetMethod(name[..^2], Everything, Type.EmptyTypes) is { } method)
                return $"{method.Invoke(instance, null)}";
            if (level.GetProperty(name, Everything) is { } property)
                return $"{property.GetValue(instance)}";
            if (level.GetField(name, Everything) is { } field)
                return $"{field.GetValue(instance)}";
        }

        throw new InvalidOperationException(
            $"The debugger's display of {instance.GetType()} asks for {expression}, which is neither a property nor a method without arguments.");
    }

    [GeneratedRegex(@"\{([^}]*)\}")]
    private static partial Regex Hole();

    [GeneratedRegex("Password|Secret|Token|ConnectionString|PrivateKey", RegexOptions.IgnoreCase)]
    private static partial Regex SecretName();
}
