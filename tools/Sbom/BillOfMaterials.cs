using System.Security.Cryptography;
using System.Text.Json.Nodes;

namespace Slipstream.Sbom;

/// <summary>
/// Writes a bill of materials in CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/): the package, its dependencies, and their relations. It does not contain
/// the time or place of the build, so that the same commit gives the same bytes.
/// </summary>
internal static class BillOfMaterials
{
    private static readonly System.Text.Json.JsonSerializerOptions Indented = new() { WriteIndented = true, NewLine = "\n" };

    public static void Write(RestoredProject project, string folder, DateTimeOffset committed)
    {
        var package = Path.Combine(folder, $"{project.Name}.{project.Version}.nupkg");
        if (!File.Exists(package))
            throw new InvalidDataException($"the package {package} does not exist: run dotnet pack");
        var sha512 = Convert.ToHexStringLower(SHA512.HashData(File.ReadAllBytes(package)));
        var versions =
            project.Components.ToDictionary(static component => component.Name, static component => component.Version, StringComparer.OrdinalIgnoreCase);
        var bill = new JsonObject
        {
            ["$schema"] = "http://cyclonedx.org/schema/bom-1.6.schema.json",
            ["bomFormat"] = "CycloneDX",
            ["specVersion"] = "1.6",
            ["serialNumber"] = $"urn:uuid:{IdOf(sha512)}",
            ["version"] = 1,
            ["metadata"] = new JsonObject
            {
                ["timestamp"] = committed.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ssZ", null),
                ["component"] = ComponentOf(project.Name, project.Version, sha512, "MIT"),
            },
            ["components"] = new JsonArray([.. project.Components.Select(static component => (JsonNode)ComponentOf(
                component.Name,
                component.Version,
                component.Sha512 is null ? null : Convert.ToHexStringLower(Convert.FromBase64String(component.Sha512)),
                component.License))]),
            ["dependencies"] = new JsonArray([
                DependencyOf(project.Name, project.Version, project.Uses),
                .. project.Components.Select(component => (JsonNode)DependencyOf(component.Name, component.Version, component.Uses)),
            ]),
        };
        File.WriteAllText(Path.ChangeExtension(package, ".cdx.json"), bill.ToJsonString(Indented) + "\n");

        JsonObject DependencyOf(string name, string version, IReadOnlyList<string> uses) => new()
        {
            ["ref"] = UrlOf(name, version),
            // A package whose assets are part of the framework is removed by the restore: other packages name it, but it is not listed.
            ["dependsOn"] = new JsonArray([.. uses.Where(versions.ContainsKey).Select(used => (JsonNode)UrlOf(used, versions[used]))]),
        };
    }

    private static JsonObject ComponentOf(string name, string version, string? sha512, string? license)
    {
        var component = new JsonObject
        {
            ["type"] = "library",
            ["bom-ref"] = UrlOf(name, version),
            ["name"] = name,
            ["version"] = version,
            ["purl"] = UrlOf(name, version)
        };
        if (sha512 is not null)
            component["hashes"] = new JsonArray(new JsonObject { ["alg"] = "SHA-512", ["content"] = sha512 });
        if (license is not null)
            component["licenses"] = new JsonArray(new JsonObject { ["expression"] = license });
        return component;
    }

    private static string UrlOf(string name, string version) => $"pkg:nuget/{name}@{version}";

    /// <summary>Returns a UUID (RFC 9562, version 8) made of the package's hash.</summary>
    private static Guid IdOf(string sha512)
    {
        var bytes = Convert.FromHexString(sha512.AsSpan(0, 32));
        bytes[6] = (byte)((bytes[6] & 0x0F) | 0x80);
        bytes[8] = (byte)((bytes[8] & 0x3F) | 0x80);
        return new Guid(bytes, bigEndian: true);
    }
}
