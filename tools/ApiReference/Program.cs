using Slipstream.ApiReference;

if (args is not [var folder])
{
    Console.Error.WriteLine("Usage: ApiReference FOLDER");
    Console.Error.WriteLine("Writes one Markdown page for each public type of the packages, an index, and types.json for the sidebar.");
    Console.Error.WriteLine("Prints how much is documented; undocumented.txt lists the rest.");
    return 2;
}

var library = Library.Load(AppContext.BaseDirectory);
if (library.Packages.Count == 0)
{
    Console.Error.WriteLine($"api: no assembly of a package is in {AppContext.BaseDirectory}. Build tools/ApiReference, which also builds them.");
    return 1;
}

var coverage = new Coverage();
Directory.CreateDirectory(folder);
foreach (var type in library.Types)
    File.WriteAllText(Path.Combine(folder, Address.PageOf(type) + ".md"), new TypePage(library, type, coverage).Write());
ApiIndex.Write(library, folder);
coverage.Print(library.Packages);
File.WriteAllLines(Path.Combine(folder, "undocumented.txt"), coverage.Missing);
return 0;
