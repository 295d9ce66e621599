using System.Buffers.Binary;

namespace Slipstream.MySql.Authentication;

/// <summary>An integer modulo the order of Ed25519's base point, 2^252 + 27742317777372353535851937790883648493, in constant time.</summary>
internal readonly struct Ed25519Scalar(ulong a, ulong b, ulong c, ulong d)
{
    private const ulong Order0 = 0x5812631A5CF5D3ED, Order1 = 0x14DEF9DEA2F79CD6, Order2 = 0, Order3 = 0x1000000000000000;
    private readonly ulong _a = a, _b = b, _c = c, _d = d;

    /// <summary>Reads 32 bytes, little-endian, without reducing them.</summary>
    public static Ed25519Scalar Read(ReadOnlySpan<byte> bytes) => new(
        BinaryPrimitives.ReadUInt64LittleEndian(bytes),
        BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]),
        BinaryPrimitives.ReadUInt64LittleEndian(bytes[16..]),
        BinaryPrimitives.ReadUInt64LittleEndian(bytes[24..]));

    /// <summary>Reads 64 bytes, little-endian, modulo the order.</summary>
    public static Ed25519Scalar Reduce(ReadOnlySpan<byte> bytes)
    {
        Span<ulong> limbs = stackalloc ulong[8];
        for (var i = 0; i < 8; i++)
            limbs[i] = BinaryPrimitives.ReadUInt64LittleEndian(bytes[(i * 8)..]);
        return Reduce(limbs);
    }

    /// <summary>Returns x · y + z modulo the order.</summary>
    public static Ed25519Scalar MultiplyAdd(Ed25519Scalar x, Ed25519Scalar y, Ed25519Scalar z)
    {
        ReadOnlySpan<ulong> xs = [x._a, x._b, x._c, x._d], ys = [y._a, y._b, y._c, y._d];
        Span<ulong> sum = [z._a, z._b, z._c, z._d, 0, 0, 0, 0];
        for (var i = 0; i < 4; i++)
        {
            ulong carry = 0;
            for (var j = 0; j < 4; j++)
            {
                var high = Math.BigMul(xs[i], ys[j], out var low);
                var total = new UInt128(high, low) + sum[i + j] + carry;
                sum[i + j] = (ulong)total;
                carry = (ulong)(total >> 64);
            }

            for (var j = i + 4; j < 8; j++)
            {
                var total = (UInt128)sum[j] + carry;
                sum[j] = (ulong)total;
                carry = (ulong)(total >> 64);
            }
        }

        return Reduce(sum);
    }

    public void Write(Span<byte> target)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(target, _a);
        BinaryPrimitives.WriteUInt64LittleEndian(target[8..], _b);
        BinaryPrimitives.WriteUInt64LittleEndian(target[16..], _c);
        BinaryPrimitives.WriteUInt64LittleEndian(target[24..], _d);
    }

    // Long division, one bit per step: slow, but short, and the same 512 steps for every number.
    private static Ed25519Scalar Reduce(ReadOnlySpan<ulong> limbs)
    {
        ulong a = 0, b = 0, c = 0, d = 0;
        for (var bit = 511; bit >= 0; bit--)
        {
            d = d << 1 | c >> 63;
            c = c << 1 | b >> 63;
            b = b << 1 | a >> 63;
            a = a << 1 | (limbs[bit >> 6] >> (bit & 63) & 1);

            // The remainder is below twice the order, so one subtraction is enough. The borrow shows whether it was too much.
            var s0 = (UInt128)a - Order0;
            var s1 = (UInt128)b - Order1 - ((ulong)(s0 >> 64) & 1);
            var s2 = (UInt128)c - Order2 - ((ulong)(s1 >> 64) & 1);
            var s3 = (UInt128)d - Order3 - ((ulong)(s2 >> 64) & 1);
            var keep = 0 - ((ulong)(s3 >> 64) & 1);
            a = (a & keep) | ((ulong)s0 & ~keep);
            b = (b & keep) | ((ulong)s1 & ~keep);
            c = (c & keep) | ((ulong)s2 & ~keep);
            d = (d & keep) | ((ulong)s3 & ~keep);
        }

        return new(a, b, c, d);
    }
}
