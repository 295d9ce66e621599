using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json.Serialization;
using System.Text.Unicode;
using Microsoft.Extensions.Caching.Memory;

namespace Slipstream.WebRace.Site;

/// <summary>TechEmpower's pages over a store.</summary>
internal static class Pages
{
    private const string Head = "<!DOCTYPE html><html><head><title>Fortunes</title></head><body><table><tr><th>id</th><th>message</th></tr>";
    private const string Foot = "</table></body></html>";
    private static readonly HtmlEncoder Encoder = HtmlEncoder.Create(UnicodeRanges.All);

    public static void Map(WebApplication site, Store store, IMemoryCache cache)
    {
        site.MapGet("/db", async () => TypedResults.Json(await store.OneAsync(), Json.Default.World));
        site.MapGet("/queries", async () => TypedResults.Json(await store.SeveralAsync(), Json.Default.WorldArray));
        site.MapGet("/updates", async () => TypedResults.Json(await store.UpdateAsync(), Json.Default.WorldArray));
        site.MapGet("/cached", () => TypedResults.Json(Cached(cache), Json.Default.WorldArray));
        site.MapGet("/fortunes", async () => TypedResults.Content(Render(await store.FortunesAsync()), "text/html; charset=utf-8"));
    }

    /// <summary>Fills the cache, which the page <c>/cached</c> reads.</summary>
    public static async Task FillAsync(IMemoryCache cache, Store store)
    {
        foreach (var row in await store.AllAsync())
            cache.Set(row.Id, row);
    }

    private static World[] Cached(IMemoryCache cache)
    {
        var rows = new World[Store.Several];
        for (var at = 0; at < rows.Length; at++)
            rows[at] = cache.Get<World>(Store.RandomId());
        return rows;
    }

    private static string Render(List<Fortune> fortunes)
    {
        fortunes.Add(new(0, "Additional fortune added at request time."));
        fortunes.Sort(static (one, other) => string.CompareOrdinal(one.Message, other.Message));
        var html = new StringBuilder(Head, 4096);
        foreach (var fortune in fortunes)
            html.Append(CultureInfo.InvariantCulture, $"<tr><td>{fortune.Id}</td><td>").Append(Encoder.Encode(fortune.Message)).Append("</td></tr>");
        return html.Append(Foot).ToString();
    }
}

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(World))]
[JsonSerializable(typeof(World[]))]
[JsonSerializable(typeof(Usage))]
internal sealed partial class Json : JsonSerializerContext;
