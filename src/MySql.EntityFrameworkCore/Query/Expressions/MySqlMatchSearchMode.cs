namespace Microsoft.EntityFrameworkCore;

/// <summary>How <c>EF.Functions.Match</c> reads the text that it looks for.</summary>
public enum MySqlMatchSearchMode
{
    /// <summary>As words of a natural language: each word that is found adds to the relevance.</summary>
    NaturalLanguage = 0,

    /// <summary>As <see cref="NaturalLanguage"/>, and then once more with the words of the best rows.</summary>
    NaturalLanguageWithQueryExpansion = 1,

    /// <summary>With operators: <c>+word</c> is required, <c>-word</c> is excluded, <c>word*</c> is the start of a word.</summary>
    Boolean = 2,
}
