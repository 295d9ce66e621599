using Slipstream.MySql.Authentication;

namespace Slipstream.MySql.Tests.Authentication;

public class Ed25519Tests
{
    // RFC 8032 §7.1, tests 1, 2, 3 and SHA(abc).
    [Theory]
    [InlineData(
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b")]
    [InlineData(
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")]
    [InlineData(
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a")]
    [InlineData(
        "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
        "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        "dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e0303dca179c138ac17ad9bef1177331a704")]
    public void Signs_as_rfc_8032_says(string seed, string key, string message, string signature)
    {
        Assert.Equal(key, Convert.ToHexStringLower(Ed25519.PublicKey(Convert.FromHexString(seed))));
        Assert.Equal(signature, Convert.ToHexStringLower(Ed25519.Sign(Convert.FromHexString(message), Convert.FromHexString(seed))));
    }

    // Computed with an independent implementation on Python's integers.
    [Theory]
    [InlineData(
        "secret",
        "648814444520E4F56043A2EC9215E63BE7992D2D270BC6DEE873E36164786096",
        "546C3E9311D19EE389D1AE5D945821BFE459423910136F16B3BD2AE89FD7D63B449E689F4BE812891A85B8F999076446D92ADB83D0707215AAA60B5A23220907")]
    [InlineData(
        "",
        "E0B1FE74117E1B95B608A4F221DF314774B20EA66842350D515371C7C6966C6E",
        "1E7E2C09C0C0E5F755A202872D95C85C4B14D23A888E9C40A0E9323E1ED28DD4AEE4A8197C2D2CA26942BF6496D61C60C63661959AB57706EB0BFDA05749AD0F")]
    public void A_password_of_any_length_is_the_seed(string password, string key, string signature)
    {
        byte[] nonce = [.. Enumerable.Range(0, 32).Select(i => (byte)i)];
        var seed = System.Text.Encoding.UTF8.GetBytes(password);
        Assert.Equal(key, Convert.ToHexString(Ed25519.PublicKey(seed)));
        Assert.Equal(signature, Convert.ToHexString(Ed25519.Respond(nonce, seed)));
    }
}
