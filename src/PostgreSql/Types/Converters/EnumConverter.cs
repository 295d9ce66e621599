using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Text;
using Slipstream.PostgreSql.Codecs;

namespace Slipstream.PostgreSql.Types;

/// <summary>Reads and writes an enumeration of the database as <typeparamref name="T"/>: by the names of the labels.</summary>
internal sealed class EnumConverter<
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)] T> : PgConverter<T>
    where T : struct, Enum
{
    private readonly T[] _values;
    private readonly byte[][] _labels;

    public EnumConverter(IPgNameTranslator translator)
    {
        var fields = typeof(T).GetFields(BindingFlags.Public | BindingFlags.Static);
        _values = Array.ConvertAll(fields, static field => (T)field.GetValue(null)!);
        _labels = Array.ConvertAll(fields, field => Encoding.UTF8.GetBytes(
            field.GetCustomAttribute<PgNameAttribute>()?.PgName ?? translator.TranslateMemberName(field.Name)));
        ElementShapes.RegisterValue<T>();
        ElementShapes.RegisterRange<T>();
    }

    public override T Read(ref PgValueReader reader)
    {
        var label = reader.ReadRest();
        for (var i = 0; i < _labels.Length; i++)
            if (label.SequenceEqual(_labels[i]))
                return _values[i];
        throw new InvalidCastException($"The label '{Encoding.UTF8.GetString(label)}' has no member in {typeof(T).Name}: add one, give it a PgName attribute, "
            + "or read the value as string.");
    }

    public override void Write(ref PgValueWriter writer, T value)
    {
        var index = Array.IndexOf(_values, value);
        if (index < 0)
            throw new InvalidCastException($"{value} is not a member of {typeof(T).Name}, so that it has no label in the database.");
        writer.WriteBytes(_labels[index]);
    }
}
