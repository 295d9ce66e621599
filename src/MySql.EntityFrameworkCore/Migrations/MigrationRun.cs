using System.Security.Cryptography;
using System.Text;
using Microsoft.EntityFrameworkCore.Migrations;

namespace Slipstream.MySql.EntityFrameworkCore.Migrations;

/// <summary>The commands of a migration, which continue where the last attempt ended.</summary>
internal sealed class MigrationRun
{
    private const int LongestQuote = 100;

    private readonly string _id;
    private readonly string[] _texts;
    private readonly string[] _hashes;

    // Of each command, a hash of the hashes of those before it.
    private readonly string[] _hashesBefore;
    private MigrationPoint? _last;
    private bool _isLoaded;

    private MigrationRun(MigrationProgress progress, string id, IReadOnlyList<MigrationCommand> commands)
    {
        Progress = progress;
        _id = id;
        _texts = [.. commands.Select(static command => command.CommandText)];
        _hashes = Array.ConvertAll(_texts, Hash);
        _hashesBefore = new string[_texts.Length];
        var before = "";
        for (var command = 0; command < _texts.Length; command++)
        {
            _hashesBefore[command] = Hash(before);
            before = _hashesBefore[command] + _hashes[command];
        }
    }

    public MigrationProgress Progress { get; }

    /// <summary>Returns commands that record their progress. The last command enters the migration in the history, or removes it from there.</summary>
    public static IReadOnlyList<MigrationCommand> Record(MigrationProgress progress, string id, IReadOnlyList<MigrationCommand> commands)
    {
        var run = new MigrationRun(progress, id, commands);
        return [.. commands.Select((command, index) => new RecordedMigrationCommand(command, run, index))];
    }

    public void Load()
    {
        if (!_isLoaded)
            Continue(Progress.Load(_id));
    }

    public async Task LoadAsync(CancellationToken cancellationToken)
    {
        if (!_isLoaded)
            Continue(await Progress.LoadAsync(_id, cancellationToken).ConfigureAwait(false));
    }

    public bool IsDone(int command) => _last is not null && (command < _last.Command || (command == _last.Command && _last.State == MigrationPoint.Done));

    public bool IsLast(int command) => command == _texts.Length - 1;

    public void Begin(int command) => Progress.Store(_id, Point(command));

    public Task BeginAsync(int command, CancellationToken cancellationToken) => Progress.StoreAsync(_id, Point(command), cancellationToken);

    public void Refuse(int command) => Progress.Store(_id, Point(command) with { State = MigrationPoint.Refused });

    public Task RefuseAsync(int command, CancellationToken cancellationToken) =>
        Progress.StoreAsync(_id, Point(command) with { State = MigrationPoint.Refused }, cancellationToken);

    public void BeginLast() => Progress.BeginLast(_id);

    public Task BeginLastAsync(CancellationToken cancellationToken) => Progress.BeginLastAsync(_id, cancellationToken);

    /// <summary>Returns whether an error means that the last attempt has executed the command, although nobody knew.</summary>
    public bool WasExecuted(int command, MySqlException error)
    {
        var isSo = _last is { State: MigrationPoint.Begun } && _last.Command == command && _hashes[command] == _last.Text
            && DoneErrors.Of(_texts[command], error);
        if (isSo)
            Progress.LogFoundDone(_id, command, error.Message);
        return isSo;
    }

    private MigrationPoint Point(int command) => new(command, _hashesBefore[command], _hashes[command], MigrationPoint.Begun);

    private void Continue(MigrationPoint? point)
    {
        _isLoaded = true;
        if (point is null)
            return;
        if (point.Command >= _texts.Length || _hashesBefore[point.Command] != point.TextsBefore)
        {
            throw new InvalidOperationException(
                $"The migration '{_id}' ended after {point.Command} of its commands, and these have changed since, so it cannot continue. Restore them; or "
                    + $"undo what they did and delete the row of the migration in `{MigrationProgress.Table}`. Then run the migration again.");
        }

        var text = _texts[point.Command];
        if (point.State == MigrationPoint.Begun && _hashes[point.Command] == point.Text && !DoneErrors.Shows(text))
        {
            throw new InvalidOperationException(
                $"The program or the connection ended during command {point.Command + 1} of the migration '{_id}', and it is not known whether the server "
                    + $"executed it: {(text.Length <= LongestQuote ? text : text[..LongestQuote] + "…")} In the row of the "
                    + $"migration in `{MigrationProgress.Table}`, set State to '{MigrationPoint.Done}' if it did, and to '{MigrationPoint.Refused}' if it did "
                    + "not. Then run the migration again.");
        }

        _last = point;
    }

    private static string Hash(string text) => Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(text)));
}
