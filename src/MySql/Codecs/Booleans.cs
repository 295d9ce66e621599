using Slipstream.Core.Bytes;
using Slipstream.MySql.Conventions;

namespace Slipstream.MySql.Codecs;

/// <summary>
/// <see cref="bool"/> ↔ TINYINT(1). <see cref="Integers"/> reads it: 0 is false, everything else is true. It is written as 1 or 0, which all integer, bit and
/// string columns accept. The literal TRUE would not work for a string column: it is 1 as well.
/// </summary>
internal static class Booleans
{
    /// <summary>The two values, boxed once.</summary>
    public static readonly object True = true, False = false;

    public static void WriteText(ByteWriter writer, bool value)
    {
        if (ThisAssembly.Conventions.WritesMySqlConnectorsLiterals)
            writer.Bytes(value ? "true"u8 : "false"u8);
        else
            writer.Byte(value ? (byte)'1' : (byte)'0');
    }

    public static void WriteBinary(ByteWriter writer, bool value) => writer.Byte(value ? (byte)1 : (byte)0);
}
