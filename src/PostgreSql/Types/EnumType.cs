using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Slipstream.Core.Bytes;
using Slipstream.PostgreSql.Codecs;
using Slipstream.PostgreSql.Protocol;

namespace Slipstream.PostgreSql.Types;

/// <summary>
/// An enumeration of the database: its labels, as text. A .NET enumeration without a mapping is read and sent by the names of its members, in snake case or as
/// they are, or by their <see cref="PgNameAttribute"/>.
/// </summary>
internal sealed class EnumType(PostgresType postgres) : DataType(postgres)
{
    public override ColumnKind Kind => ColumnKind.Text;

    public override bool IsBetterBinary => Kind.IsBetterBinary();

    public override bool IsTextual => true;

    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.PublicProperties)]
    protected override Type OwnClrType => typeof(string);

    protected override object ReadOwn(ReadOnlySpan<byte> value, bool isBinary) => Texts.Read(value);

    protected override bool TryReadOwn<T>(ReadOnlySpan<byte> value, bool isBinary, [MaybeNullWhen(false)] out T result)
    {
        if (Scalars.TryRead(Kind, value, isBinary, out result))
            return true;
        if (TryReadOwnAs(Nullable.GetUnderlyingType(typeof(T)) ?? typeof(T), value, isBinary) is not T member)
            return false;
        result = member;
        return true;
    }

    protected override object? TryReadOwnAs(Type type, ReadOnlySpan<byte> value, bool isBinary)
    {
        if (!type.IsEnum)
            return null;
        var label = Texts.Read(value);
        foreach (var member in MembersOf(type))
            if (IsNamed(member, label))
                return member.GetValue(null);
        throw new InvalidCastException($"The label '{label}' of {Name} has no member in {type.Name}: add one, give it a PgName attribute, or read the value as "
            + "string.");
    }

    protected override void WriteOwn(ByteWriter writer, object value) =>
        Values.Write(writer, value is Enum member ? LabelOf(member) : value, TypeOid.Text, size: 0);

    private string LabelOf(Enum member)
    {
        var type = member.GetType();
        if (Array.Find(MembersOf(type), one => member.Equals(one.GetValue(null))) is { } found && Postgres is PostgresEnumType { Labels: var labels })
            for (var i = 0; i < labels.Count; i++)
                if (IsNamed(found, labels[i]))
                    return labels[i];
        throw new InvalidCastException($"{member} of {type.Name} is not a label of {Name}: give the member a PgName attribute, or map the enumeration with the "
            + "data source's builder.");
    }

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "The members of an enumeration are kept with it.")]
    private static FieldInfo[] MembersOf(Type type) => type.GetFields(BindingFlags.Public | BindingFlags.Static);

    private static bool IsNamed(FieldInfo member, string label) => member.GetCustomAttribute<PgNameAttribute>()?.PgName is { } pgName
        ? pgName == label
        : label == member.Name || label == PgSnakeCaseNameTranslator.ConvertToSnakeCase(member.Name);
}
