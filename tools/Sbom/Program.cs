using Slipstream.Sbom;

if (args.Length != 3 || !long.TryParse(args[2], out var seconds))
{
    Console.Error.WriteLine("Usage: Slipstream.Sbom PROJECT.ASSETS.JSON FOLDER-OF-PACKAGES SECONDS-SINCE-1970");
    Console.Error.WriteLine("Writes the bill of materials (CycloneDX 1.6) of the project's package next to the package.");
    return 2;
}

try
{
    BillOfMaterials.Write(RestoredProject.Read(args[0]), args[1], DateTimeOffset.FromUnixTimeSeconds(seconds));
    return 0;
}
catch (Exception exception) when (exception is IOException or InvalidDataException or KeyNotFoundException or System.Text.Json.JsonException)
{
    Console.Error.WriteLine($"sbom: {args[0]}: {exception.Message}");
    return 1;
}
