using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Globalization;
using System.Text;
using Slipstream.Equivalence.Language;

namespace Slipstream.Equivalence.Generating;

/// <summary>COPY in all of its forms, and notifications.</summary>
internal sealed partial class PgGenerator
{
    private void Copy()
    {
        var form = (CopyForm)Random.Next(6);
        switch (form)
        {
            case CopyForm.BinaryImport: ImportValues(); break;
            case CopyForm.TextImport: ImportText(); break;
            case CopyForm.RawImport: ImportBytes(); break;
            default: Export(form); break;
        }

        // The connection is used on.
        if (Chance(50))
            Command("query", Text.Of("SELECT count(*), max(a) FROM kc WHERE a >= @p0", Arg.Int(0)));
    }

    // Endings that both drivers have, and those in which they differ (docs/migrating.md).
    private string Ending(string[] both, string[] ours) => 
        Chance(55) || (Ground.ForPeers && both.Length == 0) ? "complete" : OneOf(Ground.ForPeers ? both : [.. both, .. ours]);

    private void ImportValues()
    {
        var rows = ImmutableArray.CreateBuilder<ImmutableArray<Arg>>();
        for (var count = Random.Next(7); count > 0; count--)
            rows.Add(
                [
                    Chance(4) ? Arg.Int(1) : Chance(3) && !Ground.ForPeers ? Arg.Str("not a number") : Arg.Int(10 + Random.Next(200)),
                    Chance(15) ? Arg.Null : Chance(4) ? Arg.Str(new string('z', 70_000)) : Value(ArgKind.String),
                    Chance(20) ? Arg.Null : Arg.OfPostgreSql(OneOf(0, 1, 2, 3, 4, 5)),
                    Chance(20) ? Arg.Null : Value(ArgKind.DateTimeUtc),
                    Chance(20) ? Arg.Null : Arg.OfPostgreSql(MappedMood),
                    Chance(20) ? Arg.Null : Value(ArgKind.Decimal),
                ]);
        var sql = Chance(95) || Ground.ForPeers
            ? "COPY kc (a, b, c, d, m, n) FROM STDIN (FORMAT binary)"
            : OneOf("COPY missing FROM STDIN (FORMAT binary)", "COPY kc FROM STDIN", "COPY kc TO STDOUT (FORMAT binary)", "SELECT 1");
        Add(new CopyStep(Me.Number, CopyForm.BinaryImport, sql, Ending(["left", "breaks"], ["busy", "short row", "closed"])) { Rows = rows.ToImmutable() });
    }

    private static readonly int MappedMood = PgValues.All.IndexOf(PgValues.All.First(static value => value.SqlType == "mapped_mood"));

    private void ImportText()
    {
        var isCsv = Chance(40);
        var lines = new List<string>();
        for (var count = Random.Next(6); count > 0; count--)
        {
            var key = (Chance(5) ? 1 : 10 + Random.Next(200)).ToString(CultureInfo.InvariantCulture);
            lines.Add(
                Chance(4)
                    ? OneOf("x", "5", "7\t8\t9\t10\t11")
                    : isCsv
                    ? $"{key},{OneOf("plain", "\"quoted, \"\"text\"\"\"", "", "日本", new string('y', 300))}"
                    : $"{key}\t{OneOf("plain", "tab\\tin", "\\N", "back\\\\slash", "日本", Chance(5) ? new string('z', 70_000) : "z")}");
        }

        Add(new CopyStep(Me.Number, CopyForm.TextImport, isCsv ? "COPY kc (a, b) FROM STDIN (FORMAT csv)" : "COPY kc (a, b) FROM STDIN",
            Ending([], ["cancelled", "busy", "closed"])) { Words = [.. lines] });
    }

    private void ImportBytes()
    {
        var bytes = new List<byte>([.. "PGCOPY\n\u00FF\r\n\0"u8]);
        // The signature has one byte of 0xFF, which is not UTF-8.
        bytes.RemoveAt(7);
        bytes[7] = 0xFF;
        Number(0, 4);
        Number(0, 4);
        for (var count = Random.Next(5); count > 0; count--)
        {
            Number(2, 2);
            Number(4, 4);
            Number(Chance(5) ? 1 : 10 + Random.Next(200), 4);
            var text = Encoding.UTF8.GetBytes(OneOf("raw", "", "日本"));
            Number(text.Length, 4);
            bytes.AddRange(text);
        }

        if (!Chance(8))
            Number(-1, 2);
        Add(new CopyStep(Me.Number, CopyForm.RawImport, "COPY kc (a, b) FROM STDIN (FORMAT binary)", Ending([], ["cancelled", "busy", "closed"]))
        {
            Bytes = Convert.ToHexString([.. bytes]),
        });

        void Number(int value, int length)
        {
            Span<byte> number = stackalloc byte[4];
            BinaryPrimitives.WriteInt32BigEndian(number, value);
            bytes.AddRange(number[^length..]);
        }
    }

    private void Export(CopyForm form)
    {
        var (columns, words) = OneOf(
            // Both drivers read a DateTime as timestamp unless the type is named.
            ("kc (a, b, c, m, n)", "int,text,skip,mood,decimal"), ("kc (a, b)", "int,text"), ("kc (a, c)", "int?,skip"),
            ("(SELECT g, g::text, ARRAY[g], int4range(g, g + 5) FROM generate_series(1, 3) g)", "int,text,ints,range"),
            ("(SELECT g, repeat('x', 500) FROM generate_series(1, 400) g)", "int,text"), ("(SELECT 1 WHERE false)", "int"),
            ("(SELECT ARRAY[1, 2], 'ok'::mapped_mood)", "list,mood"));
        if (!Ground.ForPeers && Chance(10))
            (columns, words) = OneOf(
                ("kc (a, b)", "long,text"), ("kc (b, a)", "int,int"), ("missing", "int"), ("(SELECT 1/(3 - g) FROM generate_series(1, 5) g)", "int"));
        var format = form == CopyForm.TextExport ? OneOf("", " (FORMAT csv)") : " (FORMAT binary)";
        var ending = Ground.ForPeers ? "complete" : Ending(["complete"], ["busy", "closed", "cancelled"]);
        Add(new CopyStep(Me.Number, form, $"COPY {columns} TO STDOUT{format}", ending)
        {
            Words = [.. words.Split(',')],
            Most = Chance(70) ? -1 : Random.Next(3),
        });
    }

    private void Listen()
    {
        Change("listen", OneOf(
            "LISTEN ch1", "LISTEN ch1", "LISTEN ch2", "LISTEN ch1; LISTEN ch2; NOTIFY ch1, 'two'", "UNLISTEN ch1", "UNLISTEN *", "NOTIFY ch1, 'x'",
            "SELECT pg_notify('ch1', 'y')", "NOTIFY ch2"));
        if (Chance(40))
            Notify();
        if (Chance(60))
            Collect();
    }

    private void Notify() =>
        NotifyFromOutside(string.Create(CultureInfo.InvariantCulture, $"NOTIFY {OneOf("ch1", "ch1", "ch2")}, 'outside {Random.Next(99)}'"));

    private void Collect()
    {
        // The peer's first wait of a lease fails.
        if (Ground.ForPeers)
        {
            Add(new NotificationsStep(Me.Number, Hearing.Collect, 0));
            return;
        }

        // While a transaction is open, nothing would arrive.
        var how = Me.IsHolding || Me.HasTransaction || Chance(70) ? Hearing.Collect : Chance(50) ? Hearing.WaitForOne : Hearing.WaitCancelled;
        Add(new NotificationsStep(Me.Number, how, OneOf(0, 0, 1, 3)));
    }

    // An idle session may still listen.
    protected override void AfterClose()
    {
        if (HasMade("listen") && Chance(30))
            Notify();
    }
}
