using Microsoft.CodeAnalysis;

namespace Slipstream.ApiReference;

/// <summary>Measures how much of the public API is documented.</summary>
internal sealed class Coverage
{
    private readonly Dictionary<string, Counts> _packages = [];
    private readonly List<string> _missing = [];

    /// <summary>Gets what has no text, by its documentation id: a summary, a parameter or a type parameter.</summary>
    public IEnumerable<string> Missing => _missing.Order(StringComparer.Ordinal);

    public void Add(ISymbol symbol, Documentation documentation)
    {
        if (!_packages.TryGetValue(symbol.ContainingAssembly.Name, out var counts))
            _packages.Add(symbol.ContainingAssembly.Name, counts = new Counts());
        counts.All++;
        if (documentation.Origin == Origin.Framework)
            counts.Framework++;
        else if (documentation.Origin == Origin.Own)
            counts.Own++;
        var id = symbol.GetDocumentationCommentId();
        if (documentation.Origin == Origin.None)
            _missing.Add($"{id}: no summary");
        if (documentation.Origin != Origin.Own)
            return;
        var parameters = (symbol as IMethodSymbol)?.Parameters ?? (symbol as IPropertySymbol)?.Parameters ?? [];
        counts.Parameters += parameters.Length;
        foreach (var parameter in parameters.Where(parameter => documentation.Named("param", parameter.Name) is null))
        {
            counts.ParametersWithout++;
            _missing.Add($"{id}: parameter {parameter.Name}");
        }
    }

    public void Print(IEnumerable<IAssemblySymbol> packages)
    {
        foreach (var package in packages)
        {
            if (!_packages.TryGetValue(package.Name, out var counts))
                continue;
            Console.WriteLine(
                $"{package.Name}: {counts.All} public types and members: {counts.Own} documented, {counts.Framework} by .NET's manual, "
                + $"{counts.All - counts.Own - counts.Framework} not; "
                + $"{counts.ParametersWithout} of {counts.Parameters} parameters without a text");
        }
    }

    private sealed class Counts
    {
        public int All;
        public int Own;
        public int Framework;
        public int Parameters;
        public int ParametersWithout;
    }
}
