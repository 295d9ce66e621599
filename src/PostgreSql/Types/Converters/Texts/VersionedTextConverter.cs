namespace Slipstream.PostgreSql.Types;

/// <summary>
/// Converts ltree, lquery, ltxtquery and jsonpath to and from text. In binary, a version byte comes before the text. Source: contrib/ltree/ltree_io.c,
/// ltree_send; src/backend/utils/adt/jsonpath.c, jsonpath_send.
/// </summary>
internal sealed class VersionedTextConverter : PgConverter<string>
{
    private const byte Version = 1;

    public override string Read(ref PgValueReader reader)
    {
        if (reader.IsBinary && reader.ReadByte() != Version)
            reader.Fail();
        return reader.ReadText();
    }

    public override void Write(ref PgValueWriter writer, string value)
    {
        writer.WriteByte(Version);
        writer.WriteText(value);
    }
}
