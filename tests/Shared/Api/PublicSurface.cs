using System.Reflection;
using System.Runtime.CompilerServices;

namespace Slipstream.Testing;

/// <summary>
/// What a caller can write with the public types of an assembly, in the form of the list it is compared with. Inherited members count as the type's own,
/// because calling code compiles in the same way.
/// </summary>
internal sealed class PublicSurface
{
    private const BindingFlags Everything = BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.FlattenHierarchy;

    // The namespaces that the list omits from the names of types.
    private static readonly HashSet<string> Short =
        [
            "System", "System.Collections", "System.Collections.Generic", "System.ComponentModel", "System.Data", "System.Data.Common", "System.IO",
            "System.Threading", "System.Threading.Tasks"
        ];

    private static readonly Dictionary<Type, string> Keywords = new()
    {
        [typeof(bool)] = "bool", [typeof(byte)] = "byte", [typeof(sbyte)] = "sbyte", [typeof(short)] = "short", [typeof(ushort)] = "ushort",
        [typeof(int)] = "int",
        [typeof(uint)] = "uint", [typeof(long)] = "long", [typeof(ulong)] = "ulong", [typeof(float)] = "float", [typeof(double)] = "double",
        [typeof(decimal)] = "decimal",
        [typeof(char)] = "char", [typeof(string)] = "string", [typeof(object)] = "object", [typeof(void)] = "void",
    };

    private readonly string _namespace;
    private readonly Dictionary<string, HashSet<string>> _types = [];

    public PublicSurface(Assembly assembly, string rootNamespace)
    {
        _namespace = rootNamespace;
        foreach (var type in assembly.GetExportedTypes())
        {
            var name = NameOf(type);
            _types[name] =
                [.. HeadsOf(type).Concat(type.IsEnum ? ValuesOf(type) : type.BaseType == typeof(MulticastDelegate) ? InvokeOf(type) : MembersOf(type))];
        }
    }

    /// <summary>Returns whether the line of the list, without its root namespace, is true for this assembly.</summary>
    public bool Has(string line)
    {
        var (type, said) = Split(line);
        if (!_types.TryGetValue(type, out var known))
            return false;
        return Wanted(said).All(fact => known.Contains(fact) || known.Any(own => Optional(fact, own)))
            || (Overrides(said) && Wanted(said).All(fact => known.Any(own => Nameless(own) == Nameless(fact))));
    }

    // A call compiles in the same way when a parameter has a default value here but not there.
    private static bool Optional(string fact, string own)
    {
        var (open, close) = (fact.IndexOf('('), fact.LastIndexOf(')'));
        if (open < 0 || !own.StartsWith(fact[..(open + 1)], StringComparison.Ordinal) || !own.EndsWith(fact[close..], StringComparison.Ordinal))
            return false;
        var (theirs, ours) = (fact[(open + 1)..close].Split(", "), own[(open + 1)..own.LastIndexOf(')')].Split(", "));
        return theirs.Length == ours.Length && theirs.Zip(ours).All(static pair =>
            pair.First == pair.Second || pair.Second.StartsWith(pair.First + " = ", StringComparison.Ordinal));
    }

    // Members that override ADO.NET's keep the names of its parameters.
    private static bool Overrides(string said) => said.Contains(" override", StringComparison.Ordinal);

    private static string Nameless(string fact)
    {
        var (open, close) = (fact.IndexOfAny(['(', '[']), fact.LastIndexOf(')'));
        if (open >= 0 && fact[open] == '[')
            close = fact.IndexOf(']', open);
        if (open < 0 || close < open)
            return fact;
        var parameters = fact[(open + 1)..close].Split(", ").Select(static one =>
        {
            var words = one.Split(' ');
            return words.Length > 1 ? string.Join(' ', words.Where((_, index) => index != (words[0] is "out" or "ref" ? 2 : 1))) : one;
        });
        return fact[..(open + 1)] + string.Join(", ", parameters) + fact[close..];
    }

    /// <summary>Returns the corresponding members of this assembly, for the message of a failed comparison.</summary>
    public string Nearest(string line)
    {
        var (type, said) = Split(line);
        if (!_types.TryGetValue(type, out var known))
            return "no such type";
        var name = said.Split('(', ' ', '[')[0];
        return string.Join("; ", known.Where(own => own.Split('(', ' ', '[')[0] == name).DefaultIfEmpty("no such member"));
    }

    /// <summary>Splits a line into its type and the fact about it.</summary>
    public static (string Type, string Said) Split(string line)
    {
        // "Type  kind …" has two spaces; members follow a dot, after which there is none before '(', '[' or ' '.
        var kind = line.IndexOf("  ", StringComparison.Ordinal);
        if (kind >= 0)
            return (line[..kind], line[(kind + 2)..]);
        var end = line.IndexOfAny(['(', '[', ' ']);
        var dot = line.LastIndexOf('.', end);
        return (line[..dot], line[(dot + 1)..]);
    }

    /// <summary>Returns the single facts that a line contains.</summary>
    private static IEnumerable<string> Wanted(string said)
    {
        // "… override sealed [Obsolete]"
        foreach (var word in (string[])[" [Obsolete]", " sealed", " virtual", " abstract", " override", " new"])
            said = said.EndsWith(word, StringComparison.Ordinal) ? said[..^word.Length] : said;
        said = said.Replace("params ", "", StringComparison.Ordinal);
        var braces = said.IndexOf(" {", StringComparison.Ordinal);
        if (braces >= 0)
        {
            var end = said.IndexOf('}');
            foreach (var accessor in said[(braces + 2)..end].Split(' ', StringSplitOptions.RemoveEmptyEntries))
                yield return said[..braces] + " { " + accessor + " }" + said[(end + 1)..];
            yield break;
        }

        var colon = said.IndexOf(" : ", StringComparison.Ordinal);
        if (colon > 0 && said[..colon].Split(' ')[^1] is "class" or "struct" or "interface" or "enum" && !said.Contains('('))
        {
            yield return said[..colon];
            foreach (var above in said[(colon + 3)..].Split(", "))
                yield return ": " + above;
            yield break;
        }

        yield return said;
    }

    private IEnumerable<string> HeadsOf(Type type)
    {
        var kind =
            type.IsInterface
                ? "interface"
                : type.IsEnum
                ? "enum"
                : type.IsValueType
                ? "struct"
                : type.BaseType == typeof(MulticastDelegate)
                ? "delegate"
                : "class";
        // To a caller, a class that has only static members and no constructor is as a static one.
        if (type.IsAbstract && type.IsSealed)
            foreach (var name in (string[])["static class", "class"])
                yield return name;
        else if (kind == "class" && type.IsSealed)
            yield return "sealed class";
        else if (kind == "class" && !type.IsAbstract)
            yield return "sealed class";
        if (!type.IsAbstract || !type.IsSealed)
            yield return kind;
        // A class without a constructor that callers can use, neither directly nor as a base class, is to them as an abstract one.
        if (kind == "class" && !type.GetConstructors(BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance).Any(
            static one => one.IsPublic || one.IsFamily || one.IsFamilyOrAssembly))
            yield return "abstract class";
        if (type.IsEnum)
            yield return ": " + Name(Enum.GetUnderlyingType(type));
        for (var above = type.BaseType; above is not null; above = above.BaseType)
            yield return ": " + Name(above);
        foreach (var above in type.GetInterfaces())
            yield return ": " + Name(above);
    }

    private static IEnumerable<string> ValuesOf(Type type) =>
        Enum.GetNames(type).Select(name => $"{name} = {Convert.ToInt64(Enum.Parse(type, name), null)}");

    private IEnumerable<string> InvokeOf(Type type)
    {
        yield return Signature(type.GetMethod("Invoke")!, "Invoke", null);
    }

    private IEnumerable<string> MembersOf(Type type)
    {
        foreach (var constructor in type.GetConstructors())
            yield return $"ctor({Parameters(constructor)})";
        foreach (var constant in type.GetFields(Everything).Where(static field => field.IsLiteral))
            yield return FormattableString.Invariant($"{constant.Name} : const {Name(constant.FieldType)} = {constant.GetRawConstantValue()}");
        foreach (var field in type.GetFields(Everything))
            yield return $"{field.Name} : {(field.IsStatic ? "static " : "")}{(field.IsInitOnly ? "readonly " : "")}{Name(field.FieldType)}";
        foreach (var occasion in type.GetEvents(Everything))
            yield return $"{occasion.Name} : event {Name(occasion.EventHandlerType!)}";
        foreach (var property in type.GetProperties(Everything))
        {
            var indices = property.GetIndexParameters();
            var name = indices.Length > 0 ? $"Item[{string.Join(", ", indices.Select(Parameter))}]" : property.Name;
            foreach (var (accessor, word) in ((MethodInfo?, string)[])[(property.GetMethod, "get"), (property.SetMethod, "set")])
                if (accessor is { IsPublic: true })
                    yield return $"{name} : {Name(property.PropertyType)} {{ {word} }}{(accessor.IsStatic ? " static" : "")}";
        }

        foreach (var method in type.GetMethods(Everything).Where(
            static method => !method.IsSpecialName || method.Name.StartsWith("op_", StringComparison.Ordinal)))
            yield return Signature(method, method.Name, method.IsStatic ? " static" : null);
    }

    private string Signature(MethodInfo method, string name, string? tail)
    {
        var generics = method.IsGenericMethodDefinition ? $"<{string.Join(',', method.GetGenericArguments().Select(static argument => argument.Name))}>" : "";
        return $"{name}{generics}({Parameters(method)}) : {Name(method.ReturnType)}{tail}";
    }

    private string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(Parameter));

    private string Parameter(ParameterInfo parameter)
    {
        var type = parameter.ParameterType;
        var passing = parameter.IsOut ? "out " : type.IsByRef ? "ref " : "";
        var value = !parameter.HasDefaultValue ? "" : parameter.RawDefaultValue is { } raw ? $" = {raw}" : " = default";
        return $"{passing}{Name(type.IsByRef ? type.GetElementType()! : type)} {parameter.Name}{value}";
    }

    private string NameOf(Type type)
    {
        var name = type.FullName!.StartsWith(_namespace + ".", StringComparison.Ordinal) ? type.FullName[(_namespace.Length + 1)..] : type.FullName;
        if (!type.IsGenericTypeDefinition)
            return name;
        // The parameters of the outer type are those of a nested one, too.
        var bare = string.Join('.', name.Split('+').Select(static part => part.Split('`')[0]));
        return $"{bare}<{string.Join(',', type.GetGenericArguments().Select(static argument => argument.Name))}>";
    }

    private string Name(Type type)
    {
        if (Keywords.TryGetValue(type, out var keyword))
            return keyword;
        if (type.IsArray)
            return Name(type.GetElementType()!) + "[]";
        if (type.IsGenericParameter)
            return type.Name;
        if (Nullable.GetUnderlyingType(type) is { } value)
            return Name(value) + "?";
        if (type.IsGenericType)
        {
            var name = type.GetGenericTypeDefinition().FullName!;
            name = name[..name.IndexOf('`')];
            if (name.StartsWith(_namespace + ".", StringComparison.Ordinal))
                name = name[(_namespace.Length + 1)..];
            return $"{Shorten(type.Namespace, name)}<{string.Join(',', type.GetGenericArguments().Select(Name))}>";
        }

        return type.Namespace?.StartsWith(_namespace, StringComparison.Ordinal) == true ? NameOf(type) : Shorten(type.Namespace, type.FullName!);
    }

    private static string Shorten(string? within, string name) =>
        within is not null && Short.Contains(within) && name.StartsWith(within + ".", StringComparison.Ordinal) ? name[(within.Length + 1)..] : name;
}
