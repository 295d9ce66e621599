using Slipstream.Tool.Commands;

namespace Slipstream.Tool.Tests;

/// <summary>Runs the tool in this process, as with a redirected output.</summary>
internal static class Run
{
    public static Task<(int Code, string Output, string Error)> AsyncWith(string input, params string[] arguments) => RunAsync(input, arguments);

    public static Task<(int Code, string Output, string Error)> ToolAsync(params string[] arguments) => RunAsync("", arguments);

    private static async Task<(int Code, string Output, string Error)> RunAsync(string input, string[] arguments)
    {
        await using var output = new StringWriter();
        await using var error = new StringWriter();
        using var reader = new StringReader(input);
        var code = await ToolProgram.RunAsync(arguments, output, error, reader, isRedirected: true);
        return (code, output.ToString().ReplaceLineEndings("\n"), error.ToString().ReplaceLineEndings("\n"));
    }
}
