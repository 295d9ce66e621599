using System.Buffers.Binary;

namespace Slipstream.MySql.Authentication;

/// <summary>
/// An integer modulo 2^255 − 19 in five limbs of 51 bits. No branch and no index depends on a value, so the time of an operation reveals nothing about it.
/// Limbs stay below 2^54 between operations: five products of two limbs, each times 19, have a sum of at most 128 bits.
/// </summary>
internal readonly struct Ed25519Field(ulong a, ulong b, ulong c, ulong d, ulong e)
{
    private const ulong Mask = (1UL << 51) - 1;
    private readonly ulong _a = a, _b = b, _c = c, _d = d, _e = e;

    public static Ed25519Field Zero => default;

    public static Ed25519Field One => new(1, 0, 0, 0, 0);

    public static Ed25519Field operator +(Ed25519Field x, Ed25519Field y) => Carry(x._a + y._a, x._b + y._b, x._c + y._c, x._d + y._d, x._e + y._e);

    // Adds four times the modulus, so that no limb becomes negative.
    public static Ed25519Field operator -(Ed25519Field x, Ed25519Field y) => Carry(
        x._a + 0x1FFFFFFFFFFFB4 - y._a,
        x._b + 0x1FFFFFFFFFFFFC - y._b,
        x._c + 0x1FFFFFFFFFFFFC - y._c,
        x._d + 0x1FFFFFFFFFFFFC - y._d,
        x._e + 0x1FFFFFFFFFFFFC - y._e);

    public static Ed25519Field operator *(Ed25519Field x, Ed25519Field y)
    {
        // 2^255 equals 19: what exceeds the fifth limb is added at the bottom, times 19.
        ulong b19 = y._b * 19, c19 = y._c * 19, d19 = y._d * 19, e19 = y._e * 19;
        var r0 = Product(x._a, y._a) + Product(x._b, e19) + Product(x._c, d19) + Product(x._d, c19) + Product(x._e, b19);
        var r1 = Product(x._a, y._b) + Product(x._b, y._a) + Product(x._c, e19) + Product(x._d, d19) + Product(x._e, c19);
        var r2 = Product(x._a, y._c) + Product(x._b, y._b) + Product(x._c, y._a) + Product(x._d, e19) + Product(x._e, d19);
        var r3 = Product(x._a, y._d) + Product(x._b, y._c) + Product(x._c, y._b) + Product(x._d, y._a) + Product(x._e, e19);
        var r4 = Product(x._a, y._e) + Product(x._b, y._d) + Product(x._c, y._c) + Product(x._d, y._b) + Product(x._e, y._a);
        r1 += (ulong)(r0 >> 51);
        r2 += (ulong)(r1 >> 51);
        r3 += (ulong)(r2 >> 51);
        r4 += (ulong)(r3 >> 51);
        return Carry(((ulong)r0 & Mask) + (ulong)(r4 >> 51) * 19, (ulong)r1 & Mask, (ulong)r2 & Mask, (ulong)r3 & Mask, (ulong)r4 & Mask);
    }

    /// <summary>Returns the inverse: the power 2^255 − 21.</summary>
    public Ed25519Field Invert()
    {
        // The exponent's bits, most significant first: 250 ones, then 01011.
        var result = One;
        for (var bit = 254; bit >= 0; bit--)
        {
            result *= result;
            if (bit is not (2 or 4))
                result *= this;
        }

        return result;
    }

    /// <summary>Returns <paramref name="ifZero"/> if <paramref name="bit"/> is 0 and <paramref name="ifOne"/> if it is 1, in constant time.</summary>
    public static Ed25519Field Select(ulong bit, Ed25519Field ifZero, Ed25519Field ifOne)
    {
        var mask = 0 - bit;
        return new(
            ifZero._a ^ (mask & (ifZero._a ^ ifOne._a)),
            ifZero._b ^ (mask & (ifZero._b ^ ifOne._b)),
            ifZero._c ^ (mask & (ifZero._c ^ ifOne._c)),
            ifZero._d ^ (mask & (ifZero._d ^ ifOne._d)),
            ifZero._e ^ (mask & (ifZero._e ^ ifOne._e)));
    }

    /// <summary>Writes the number, reduced below the modulus, as 32 bytes, little-endian.</summary>
    public void Write(Span<byte> target)
    {
        var x = Carry(_a, _b, _c, _d, _e);
        x = Carry(x._a, x._b, x._c, x._d, x._e);

        // 1 if the number is not below the modulus: adding 19 then carries out of the top.
        var quotient = (x._a + 19) >> 51;
        quotient = (x._b + quotient) >> 51;
        quotient = (x._c + quotient) >> 51;
        quotient = (x._d + quotient) >> 51;
        quotient = (x._e + quotient) >> 51;

        var a = x._a + 19 * quotient;
        var b = x._b + (a >> 51);
        var c = x._c + (b >> 51);
        var d = x._d + (c >> 51);
        var e = x._e + (d >> 51);
        a &= Mask;
        b &= Mask;
        c &= Mask;
        d &= Mask;
        e &= Mask;
        BinaryPrimitives.WriteUInt64LittleEndian(target, a | b << 51);
        BinaryPrimitives.WriteUInt64LittleEndian(target[8..], b >> 13 | c << 38);
        BinaryPrimitives.WriteUInt64LittleEndian(target[16..], c >> 26 | d << 25);
        BinaryPrimitives.WriteUInt64LittleEndian(target[24..], d >> 39 | e << 12);
    }

    private static Ed25519Field Carry(ulong a, ulong b, ulong c, ulong d, ulong e) => new(
        (a & Mask) + (e >> 51) * 19,
        (b & Mask) + (a >> 51),
        (c & Mask) + (b >> 51),
        (d & Mask) + (c >> 51),
        (e & Mask) + (d >> 51));

    private static UInt128 Product(ulong x, ulong y)
    {
        var high = Math.BigMul(x, y, out var low);
        return new UInt128(high, low);
    }
}
