using System.Reflection;
using System.Reflection.Emit;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace Slipstream.Architecture.Arrows;

/// <summary>Reads the instructions of a method body and collects the operands that are types or members.</summary>
internal static class Instructions
{
    // The first byte of a two-byte instruction.
    private const byte Prefix = 0xfe;

    private static readonly Dictionary<short, OperandType> Operands = typeof(OpCodes)
        .GetFields(BindingFlags.Public | BindingFlags.Static)
        .Select(static field => (OpCode)field.GetValue(null)!)
        .ToDictionary(static code => code.Value, static code => code.OperandType);

    /// <summary>Reads one instruction.</summary>
    public static EntityHandle? ReadOperand(ref BlobReader code)
    {
        short value = code.ReadByte();
        if (value == Prefix)
            value = unchecked((short)(Prefix << 8 | code.ReadByte()));
        var operand = Operands[value];
        switch (operand)
        {
            case OperandType.InlineField or OperandType.InlineMethod or OperandType.InlineSig or OperandType.InlineTok or OperandType.InlineType:
                return MetadataTokens.EntityHandle(code.ReadInt32());
            case OperandType.InlineSwitch:
                var targets = code.ReadInt32();
                code.Offset += 4 * targets;
                return null;
            default:
                code.Offset += SizeOf(operand);
                return null;
        }
    }

    private static int SizeOf(OperandType operand) => operand switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        _ => 4,
    };
}
