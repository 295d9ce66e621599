using System.Data.Common;
using Microsoft.Extensions.Caching.Memory;
using Slipstream.Race.Contestants;
using Slipstream.WebRace.Site;

// A contestant of ./race --web: TechEmpower's pages over one provider. Its environment has the provider's assembly (none: the floor) and the connection string.
// It prints its port, and ends with its standard input.
var assembly = Environment.GetEnvironmentVariable("SITE_ASSEMBLY");
var text = Environment.GetEnvironmentVariable("SITE_CONNECTION");
await using DbDataSource? source = assembly is null ? null : ProviderAssembly.Load(Path.GetFileName(assembly), assembly, null).Factory.CreateDataSource(text!);
Store store = source is null ? new FloorStore() : new DatabaseStore(source);
using var cache = new MemoryCache(new MemoryCacheOptions());

var builder = WebApplication.CreateSlimBuilder(args);
builder.Logging.ClearProviders();
builder.WebHost.UseUrls("http://127.0.0.1:0");
await using var site = builder.Build();
Pages.Map(site, store, cache);
site.MapGet("/usage", static () => TypedResults.Json(Usage.Now(), Json.Default.Usage));
await Pages.FillAsync(cache, store);
await site.StartAsync();
Console.WriteLine(new Uri(site.Urls.First()).Port);
await Console.In.ReadToEndAsync();
