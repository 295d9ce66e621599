using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using Spectre.Console;

namespace Slipstream.Tool.Output;

/// <summary>
/// Where a command prints. On a terminal there are tables and colours; a redirected output has plain lines, which other programs can read. With NO_COLOR
/// (https://no-color.org) there are no colours.
/// </summary>
internal sealed class Terminal
{
    private static readonly JsonSerializerOptions Indented = new()
    {
        WriteIndented = true,
        NewLine = "\n",
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase) },
        // The document is not part of a web page, and paths and quotes should be readable.
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly IAnsiConsole? _console;

    public Terminal(TextWriter output, TextWriter error, bool isRedirected)
    {
        (_output, _error) = (output, error);
        if (isRedirected)
            return;
        var noColor = Environment.GetEnvironmentVariable("NO_COLOR") is { Length: > 0 };
        _console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Ansi = noColor ? AnsiSupport.No : AnsiSupport.Detect,
            ColorSystem = noColor ? ColorSystemSupport.NoColors : ColorSystemSupport.Detect,
            Out = new AnsiConsoleOutput(output),
        });
    }

    public Secrets Secrets { get; } = new();

    /// <summary>Gets whether output goes to a file or another program.</summary>
    public bool IsPlain => _console is null;

    public void Line(string text = "") => _output.WriteLine(Secrets.Remove(Printable(text)));

    public void Error(string text) => _error.WriteLine(Secrets.Remove(Printable(text)));

    /// <summary>Prints what the user may want to know while the command works; not into a redirected output.</summary>
    public void Progress(string text)
    {
        if (_console is not null)
            _error.WriteLine(Secrets.Remove(text));
    }

    public void Json<T>(T document)
    {
        // A mask in place of a password inside a JSON string leaves the document valid, but an escaped password would not be found: so the texts are
        // masked first.
        using var texts = JsonSerializer.SerializeToDocument(document, Indented);
        using var bytes = new MemoryStream();
        using (var writer = new Utf8JsonWriter(bytes, new JsonWriterOptions { Indented = true, NewLine = "\n", Encoder = Indented.Encoder }))
            Copy(texts.RootElement, writer);
        _output.WriteLine(Encoding.UTF8.GetString(bytes.ToArray()));
    }

    /// <summary>Prints a table. Cells may have colours: <see cref="Cell"/>.</summary>
    public void Table(string[] columns, IEnumerable<Cell[]> rows, string? title = null)
    {
        var all = rows.ToList();
        if (_console is null)
        {
            if (title is not null)
                Line(title);
            foreach (var row in all)
                Line(string.Join("  ", row.Select(static cell => cell.Text)).TrimEnd());
            return;
        }

        var table = new Table().Border(TableBorder.Rounded).Expand();
        if (title is not null)
            table.Title(Markup.Escape(Secrets.Remove(title)));
        foreach (var column in columns)
            table.AddColumn(new TableColumn(Markup.Escape(column)));
        foreach (var row in all)
            table.AddRow(row.Select(cell =>
                (Spectre.Console.Rendering.IRenderable)new Text(Secrets.Remove(Printable(cell.Text)), StyleOf(cell.Color))).ToArray());
        _console.Write(table);
    }

    private static Style StyleOf(Color? color) => color is { } one ? new Style(one) : Style.Plain;

    private void Copy(JsonElement element, Utf8JsonWriter writer)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Object:
                writer.WriteStartObject();
                foreach (var property in element.EnumerateObject())
                {
                    writer.WritePropertyName(property.Name);
                    Copy(property.Value, writer);
                }

                writer.WriteEndObject();
                break;
            case JsonValueKind.Array:
                writer.WriteStartArray();
                foreach (var item in element.EnumerateArray())
                    Copy(item, writer);
                writer.WriteEndArray();
                break;
            case JsonValueKind.String:
                writer.WriteStringValue(Secrets.Remove(element.GetString()!));
                break;
            default:
                element.WriteTo(writer);
                break;
        }
    }

    // Servers and files contribute to the texts, so a control character must not become a command of the terminal.
    private static string Printable(string text)
    {
        if (!text.Any(static letter => char.IsControl(letter) && letter != '\n'))
            return text;
        return string.Concat(text.Select(static letter => char.IsControl(letter) && letter != '\n' ? '\uFFFD' : letter));
    }
}

/// <summary>A cell of a table.</summary>
internal readonly record struct Cell(string Text, Color? Color = null)
{
    public static implicit operator Cell(string text) => new(text);
}
