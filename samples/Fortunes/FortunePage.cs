using System.Buffers;
using System.Buffers.Text;
using System.IO.Pipelines;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Unicode;

namespace Slipstream.Samples.Fortunes;

/// <summary>Writes the page directly to the response's pipe.</summary>
internal static class FortunePage
{
    // Only HTML's special characters are escaped: the page is UTF-8.
    private static readonly HtmlEncoder Encoder = HtmlEncoder.Create(UnicodeRanges.All);

    public static void Write(PipeWriter page, List<Fortune> fortunes)
    {
        page.Write("<!DOCTYPE html><html><head><title>Fortunes</title></head><body><table><tr><th>id</th><th>message</th></tr>"u8);
        foreach (var fortune in fortunes)
        {
            page.Write("<tr><td>"u8);
            Utf8Formatter.TryFormat(fortune.Id, page.GetSpan(11), out var digits);
            page.Advance(digits);
            page.Write("</td><td>"u8);
            Encoding.UTF8.GetBytes(Encoder.Encode(fortune.Message), page);
            page.Write("</td></tr>"u8);
        }

        page.Write("</table></body></html>"u8);
    }
}
