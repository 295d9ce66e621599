using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Slipstream.Core.Bytes;
using Slipstream.Core.Errors;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>Reads and writes a composite type as <typeparamref name="T"/>: its fields by the names of properties and fields.</summary>
internal sealed class CompositeConverter<
    [DynamicallyAccessedMembers(
        DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties | DynamicallyAccessedMemberTypes.PublicConstructors)] T>
    : PgConverter<T>
    where T : notnull
{
    private readonly CompositeType _type;
    private readonly Member[] _members;
    private readonly ConstructorInfo? _constructor;

    // For each of the constructor's parameters, the index of the field.
    private readonly int[] _arguments;

    private CompositeConverter(CompositeType type, Member[] members, ConstructorInfo? constructor, int[] arguments) =>
        (_type, _members, _constructor, _arguments) = (type, members, constructor, arguments);

    private readonly record struct Member(Type Type, PropertyInfo? Property, FieldInfo? Field, bool IsArgument)
    {
        public object? Get(object target, string field) =>
            Property is null ? Field!.GetValue(target)
            : Property.CanRead ? Property.GetValue(target)
            : throw new InvalidOperationException($"The field '{field}' cannot be sent, because {typeof(T).Name}.{Property.Name} has no getter: add one.");

        public void Set(object target, object? value, string field)
        {
            if (Property is null)
                Field!.SetValue(target, value);
            else if (Property.CanWrite)
                Property.SetValue(target, value);
            else
                throw new InvalidOperationException($"The field '{field}' cannot be read, because {typeof(T).Name}.{Property.Name} has no setter, and the "
                    + "constructor does not take it: add either.");
        }
    }

    /// <summary>Creates the converter for the fields that the type has.</summary>
    /// <exception cref="InvalidOperationException">A field has no property, or the .NET type cannot be constructed.</exception>
    public static CompositeConverter<T> Create(CompositeType type, IPgNameTranslator translator)
    {
        var (constructor, arguments) = FindConstructor(type, translator);
        if (constructor is null && !typeof(T).IsValueType)
            throw new InvalidOperationException($"{typeof(T).Name} cannot be mapped to {type.Name}: it has neither a public constructor without parameters nor "
                + "one whose parameters are fields of the type.");
        var members = new Member[type.Count];
        for (var i = 0; i < members.Length; i++)
            members[i] = FindMember(type.NameOf(i), translator, Array.IndexOf(arguments, i) >= 0)
                ?? throw new InvalidOperationException(
                    $"{typeof(T).Name} cannot be mapped to {type.Name}: the field '{ServerText.OneLine(type.NameOf(i))}' has no public property "
                    + "or field of that name. Add one, or give it a PgName attribute.");
        return new(type, members, constructor, arguments);
    }

    public override T Read(ref PgValueReader reader)
    {
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
            reader.Fail();
        var isBinary = reader.IsBinary;
        var fields = _type.FieldsOf(reader.ReadRest(), isBinary);
        var values = new object?[_members.Length];
        for (var i = 0; i < values.Length; i++)
            values[i] = ReadField(i, ref fields);
        fields.End();
        var arguments = _arguments.Length == 0 ? null : Array.ConvertAll(_arguments, index => values[index]);
        var target = _constructor?.Invoke(arguments) ?? default(T)!;
        for (var i = 0; i < values.Length; i++)
            if (!_members[i].IsArgument)
                _members[i].Set(target, values[i], _type.NameOf(i));
        return (T)target;
    }

    public override void Write(ref PgValueWriter writer, T value) =>
        throw new UnreachableException("The type of the database reads and writes the value.");

    internal override void WriteTo(DataType type, ByteWriter writer, T value)
    {
        var start = _type.Begin(writer);
        for (var i = 0; i < _members.Length; i++)
            _type.WriteField(writer, i, _members[i].Get(value, _type.NameOf(i)));
        NestedValue.End(writer, start);
    }

    private object? ReadField(int index, ref CompositeFields fields)
    {
        var target = _members[index].Type;
        var underlying = Nullable.GetUnderlyingType(target) ?? target;
        if (!fields.TryTake(out var field))
            return target.IsValueType && underlying == target
                ? throw new InvalidCastException($"The field '{ServerText.OneLine(_type.NameOf(index))}' is NULL, which the member of type {target.Name} in "
                    + $"{typeof(T).Name} cannot hold: use a nullable type.")
                : null;
        if (_type.Types[index].TryReadAs(underlying, field, fields.IsBinary) is { } read)
            return read;
        var value = _type.Types[index].Read(field, fields.IsBinary);
        return underlying.IsInstanceOfType(value)
            ? value
            : throw new InvalidCastException(
                $"The field '{ServerText.OneLine(_type.NameOf(index))}' of type {_type.Types[index].Name} cannot be read as {underlying.Name}.");
    }

    private static (ConstructorInfo? Constructor, int[] Arguments) FindConstructor(CompositeType type, IPgNameTranslator translator)
    {
        (ConstructorInfo? Constructor, int[] Arguments) best = (null, []);
        foreach (var constructor in typeof(T).GetConstructors())
        {
            var parameters = constructor.GetParameters();
            var arguments = Array.ConvertAll(parameters, parameter => IndexOf(type, NameOf(parameter, translator)));
            if (Array.IndexOf(arguments, -1) < 0 && AreDistinct(arguments) && (best.Constructor is null || arguments.Length > best.Arguments.Length))
                best = (constructor, arguments);
        }

        return best;
    }

    // Two parameters for one field would leave another field out.
    private static bool AreDistinct(int[] arguments)
    {
        for (var i = 1; i < arguments.Length; i++)
            if (Array.IndexOf(arguments, arguments[i], 0, i) >= 0)
                return false;
        return true;
    }

    // The parameter of a record has the name of its property.
    private static string NameOf(ParameterInfo parameter, IPgNameTranslator translator) =>
        parameter.GetCustomAttribute<PgNameAttribute>()?.PgName
        ?? Array.Find(
                typeof(T).GetProperties(BindingFlags.Public | BindingFlags.Instance),
                property => property.Name.Equals(parameter.Name, StringComparison.OrdinalIgnoreCase))?.GetCustomAttribute<PgNameAttribute>()?.PgName
        ?? translator.TranslateMemberName(parameter.Name ?? "");

    private static int IndexOf(CompositeType type, string name)
    {
        for (var i = 0; i < type.Count; i++)
            if (type.NameOf(i) == name)
                return i;
        return -1;
    }

    private static Member? FindMember(string name, IPgNameTranslator translator, bool isArgument)
    {
        foreach (var property in typeof(T).GetProperties(BindingFlags.Public | BindingFlags.Instance))
            if ((property.GetCustomAttribute<PgNameAttribute>()?.PgName ?? translator.TranslateMemberName(property.Name)) == name)
                return new(property.PropertyType, property, null, isArgument);

        foreach (var field in typeof(T).GetFields(BindingFlags.Public | BindingFlags.Instance))
            if ((field.GetCustomAttribute<PgNameAttribute>()?.PgName ?? translator.TranslateMemberName(field.Name)) == name)
                return new(field.FieldType, null, field, isArgument);
        return null;
    }
}
