using System.Text.RegularExpressions;
using Slipstream.Core.Errors;

namespace Slipstream.Architecture.Messages;

/// <summary>Checks that docs/errors.md explains every message that can be thrown, and no other.</summary>
public partial class EveryMessageIsExplained
{
    private const string UpdateVariable = "SLIPSTREAM_UPDATE_DOCS";

    [Fact]
    public void A_message_of_the_sources_is_in_the_catalogue()
    {
        var explained = Catalogue.Entries.SelectMany(entry => entry.Messages).Concat(Catalogue.NotMessages).Select(Thrown.KeyOf).ToHashSet();
        var missing = ThrownMessages.All
            .Where(
                message =>
                    !explained.Contains(message.Key) && !(message.Exception is null && Catalogue.NotMessages.Contains("file: " + message.Place.Split(':')[0])))
            .DistinctBy(message => message.Key)
            .Select(message => $"src/{message.Place}{(message.Exception is null ? "" : $" ({message.Exception})")}\n  - {message.Proposal}")
            .ToList();
        Assert.True(
            missing.Count == 0,
            $"""
            These messages are not explained in {Catalogue.Folder}. Put each line that begins with '- ' under the entry whose cause and advice fit it, or write an entry
            ('## title', 'id: …', 'cause: …', 'do: …'); names in braces are yours to choose. Then run this class once with {UpdateVariable}=1, which writes docs/errors.md.
            A text that no exception and no user ever sees goes to {Catalogue.Folder}/not-messages.txt.

            """ + string.Join('\n', missing));
    }

    [Fact]
    public void A_message_of_the_catalogue_is_in_the_sources()
    {
        var thrown = ThrownMessages.All.Select(message => message.Key).ToHashSet();
        var files = ThrownMessages.All.Where(message => message.Exception is null).Select(message => message.Place.Split(':')[0]).ToHashSet();
        Report.Empty(Catalogue.Entries.SelectMany(entry => entry.Messages, (entry, message) => (Place: $"{entry.File}, '{entry.Title}'", Message: message))
            .Concat(
                Catalogue.NotMessages.Where(text => !text.StartsWith("file: ", StringComparison.Ordinal))
                    .Select(text => (Place: "not-messages.txt", Message: text)))
            .Where(one => !thrown.Contains(Thrown.KeyOf(one.Message)))
            .Select(one => $"{Catalogue.Folder}/{one.Place}: nothing in src says any more: {one.Message}")
            .Concat(
                Catalogue.NotMessages.Where(text => text.StartsWith("file: ", StringComparison.Ordinal) && !files.Contains(text[6..]))
                    .Select(text => $"{Catalogue.Folder}/not-messages.txt: {text} has no texts")));
    }

    [Fact]
    public void An_entry_says_the_cause_and_what_to_do_and_a_message_has_one_entry()
    {
        Report.Empty(Catalogue.Entries.Where(entry => entry.Cause.Length < 20 || entry.Advice.Length < 10 || entry.Messages.Count == 0)
            .Select(entry => $"{Catalogue.Folder}/{entry.File}: '{entry.Title}' needs a cause, an advice and messages")
            .Concat(
                Catalogue.Entries.GroupBy(entry => entry.Title)
                    .Where(group => group.Count() > 1)
                    .Select(group => $"'{group.Key}' is the title of {group.Count()} entries"))
            .Concat(
                Catalogue.Entries.SelectMany(entry => entry.Messages)
                    .GroupBy(Thrown.KeyOf)
                    .Where(group => group.Count() > 1)
                    .Select(group => $"in {group.Count()} entries: {group.First()}")));
    }

    // Exception.HelpLink and bookmarks contain these addresses.
    [Fact]
    public void An_entry_has_an_address_that_stays()
    {
        const string list = Catalogue.Folder + "/addresses.txt";
        var ids = Catalogue.Entries.Select(entry => entry.Id).ToHashSet();
        var addresses = Catalogue.Addresses;
        Report.Empty(
        [
            .. Catalogue.Entries.Where(entry => !Address().IsMatch(entry.Id)).Select(entry =>
                $"{Catalogue.Folder}/{entry.File}: '{entry.Title}' needs a line 'id: some-words' (a-z, 0-9, hyphens): its address on the documentation site"),
            .. Catalogue.Entries.GroupBy(entry => entry.Id)
                .Where(group => group.Count() > 1)
                .Select(group => $"'{group.Key}' is the id of {group.Count()} entries"),
            .. addresses.GroupBy(address => address.Key).Where(group => group.Count() > 1).Select(group => $"{list} lists '{group.Key}' twice"),
            .. ids.Where(id => !addresses.Contains(KeyValuePair.Create(id, id))).Select(id => $"{list}: add the line '{id}'"),
            .. addresses.Where(address => !ids.Contains(address.Value)).Select(address =>
                $"{list}: no entry has the id '{address.Value}': say where '{address.Key}' leads now, as '{address.Key} -> ID'"),
        ]);
    }

    [Fact]
    public void The_page_is_what_catalogue_and_sources_say()
    {
        var path = Path.Combine(Path.GetDirectoryName(SourceFile.Root)!, "docs", "errors.md");
        var page = ErrorsPage.Write();
        if (Environment.GetEnvironmentVariable(UpdateVariable) is { Length: > 0 })
            File.WriteAllText(path, page);
        Assert.True(
            File.Exists(path) && File.ReadAllText(path) == page,
            $"docs/errors.md is not what {Catalogue.Folder} and the sources say: run this test once with {UpdateVariable}=1");
    }

    [Fact]
    public void The_table_of_help_links_is_what_the_catalogue_says()
    {
        var table = HelpTopics.Write();
        if (Environment.GetEnvironmentVariable(UpdateVariable) is { Length: > 0 })
            File.WriteAllText(HelpTopics.Path, table);
        Assert.True(
            File.Exists(HelpTopics.Path) && File.ReadAllText(HelpTopics.Path) == table,
            $"{HelpTopics.Path} is not what {Catalogue.Folder} says: run this test once with {UpdateVariable}=1");
    }

    [Fact]
    public void Each_message_leads_to_its_own_page()
    {
        Assert.Matches("^https://[^/]+/(.+/)?errors/$", ErrorPages.Index);
        Report.Empty(HelpTopics.Forms
            .Select(static one => (one.Id, one.Form, Message: one.Form.Replace("{}", "5 s", StringComparison.Ordinal)))
            .Select(static one => (one.Id, one.Form, Link: ErrorPages.LinkOf(new InvalidOperationException(one.Message))))
            .Where(static one => one.Link != $"{ErrorPages.Index}{one.Id}/")
            .Select(static one => $"'{one.Form}' leads to {one.Link}, not to {one.Id}"));
    }

    [Fact]
    public void A_link_has_nothing_of_a_message()
    {
        Assert.Equal(ErrorPages.Index, ErrorPages.LinkOf(new InvalidOperationException("a password: hunter2")));
        var refused = new IOException("Nothing is listening at hunter2:1: the server is not running there, or the port is wrong.");
        Assert.Equal(ErrorPages.Index + "connection-refused/", ErrorPages.LinkOf(new IOException("hunter2", refused)));
        Assert.Equal(ErrorPages.Index + "mysql/#1062", ExceptionFacts.MySql(new ServerError(1062, "23000", "Duplicate entry 'hunter2'")).HelpLink);
        Assert.Equal(ErrorPages.Index + "mysql/", ExceptionFacts.MySql(new ServerError(31999, "HY000", "hunter2")).HelpLink);
        Assert.Equal(ErrorPages.Index + "postgresql/#23505", ExceptionFacts.Pg(new ServerError(0, "23505", "hunter2")).HelpLink);
        Assert.Equal(ErrorPages.Index + "postgresql/#08", ExceptionFacts.Pg(new ServerError(0, "08999", "hunter2")).HelpLink);
        Assert.Equal(ErrorPages.Index + "postgresql/", ExceptionFacts.Pg(new ServerError(0, "hunter2", "hunter2")).HelpLink);
    }

    // Tests the check: each of these is a way to throw a message, which the check must find.
    [Theory]
    [InlineData("throw new InvalidOperationException(\"Something is wrong here.\");", "Something is wrong here.")]
    [InlineData(
        "throw new WireException(WireFailure.Lost, $\"{peer} is {(far ? \"gone {0}\" : \"there\")}: bad.\") { RetrySafety = RetrySafety.NotSent };",
        "{} is {}: bad.")]
    [InlineData("throw new ArgumentException(\"First half, \" + \"second half.\", nameof(x));", "First half, second half.")]
    [InlineData("throw new InvalidOperationException(isOpen ? \"It is open now.\" : other);", "It is open now.")]
    [InlineData("throw new NotSupportedException(\"\"\"A raw \"text\" in quotes.\"\"\");", "A raw \"text\" in quotes.")]
    [InlineData("throw new FormatException(@\"A path C:\\temp \"\"x\"\" is bad.\");", "A path C:\\temp \"x\" is bad.")]
    [InlineData("static IOException Lost(int n) => new($\"lost {n}\");", "lost {}")]
    [InlineData("const string Text = \"handed on before it is thrown\"; throw Failed(Text);", "handed on before it is thrown")]
    [InlineData("Fail($\"Row {n}: {why}\"); // \"a comment's text is none\"", "Row {}: {}")]
    [InlineData("throw new ProtocolException(\"a row\", $\"{n} bytes\");", "The server violated the protocol: expected a row, but received {} bytes. The "
        + "connection is closed.")]
    [InlineData("throw new ProtocolException(what, more ? \"one\" : $\"{n} of them\");", "The server violated the protocol: expected {}, but received {} of "
        + "them. The connection is closed.")]
    [InlineData("throw new IOException($\"a {x switch { 1 => \"} {\", _ => $\"{y}\" }} b\");", "a {} b")]
    [InlineData("throw new ArgumentNullException(nameof(value));", "(.NET: ArgumentNullException)")]
    public void A_way_to_throw_is_seen(string source, string key) => Assert.Contains(key, ThrownMessages.Of("File.cs", source).Select(message => message.Key));

    [Theory]
    [InlineData("[Obsolete(\"The runtime does not serialize exceptions this way.\")] void M();")]
    [InlineData("var sql = \"SELECT a FROM b WHERE c\"; var c = '\"'; // throw new Exception(\"a b c d\")")]
    [InlineData("Send(\"bytes are no text for people\"u8);")]
    public void What_is_no_message_is_not_taken_for_one(string source) => Assert.Empty(ThrownMessages.Of("File.cs", source));

    [GeneratedRegex("^[a-z][a-z0-9]*(-[a-z0-9]+)*$")]
    private static partial Regex Address();
}
