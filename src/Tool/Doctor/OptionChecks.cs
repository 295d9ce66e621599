using Slipstream.Tool.Connections;

namespace Slipstream.Tool.Doctor;

/// <summary>Options of the connection string that cost time or safety.</summary>
internal static class OptionChecks
{
    private const string Docs = "options.md";

    public static IEnumerable<Check> Of(Target target)
    {
        var costs = (target.Provider == Provider.MySql ? MySql(target) : PostgreSql(target)).ToList();
        if (costs.Count == 0)
            yield return Check.Ok("options", "No option of the connection string costs time or safety", Docs);
        foreach (var (finding, advice, docs) in costs)
            yield return Check.Advise("options", finding, advice, docs);
    }

    private static IEnumerable<(string Finding, string Advice, string Docs)> MySql(Target target)
    {
        var options = target.MySql;
        if (!options.AutoPrepare)
            yield return NoAutoPrepare;
        if (options.PersistSecurityInfo)
            yield return PersistsSecurityInfo;
        if (options.AllowPublicKeyRetrieval)
            yield return (
                "Allow Public Key Retrieval=true: an attacker on the way can send a key of its own, and read the password",
                "Use SSL Mode=VerifyFull, or name the server's key with Server RSA Public Key File.", "authentication.md#what-an-unverified-server-gets");
        if (options.AllowCleartextPassword)
            yield return ("Allow Cleartext Password=true", "Use SSL Mode=VerifyFull in its place.", "authentication.md#what-an-unverified-server-gets");
        if (options is { Pooling: true, ConnectionReset: false, ResetMode: Slipstream.MySql.MySqlResetMode.Automatic })
            yield return (
                "Connection Reset=false: variables, temporary tables and locks of one user of the pool are visible to the next",
                "Remove the option: the reset costs no round trip, and is skipped for clean sessions.", "connection-pooling.md#reset");
        if (options.ForceSynchronous)
            yield return ("Force Synchronous=true: asynchronous methods block their thread", "Remove the option.", Docs);
    }

    private static IEnumerable<(string Finding, string Advice, string Docs)> PostgreSql(Target target)
    {
        var options = target.PostgreSql;
        if (!options.AutoPrepare || options.MaxAutoPrepare == 0)
            yield return NoAutoPrepare;
        if (options.PersistSecurityInfo)
            yield return PersistsSecurityInfo;
        if (options.NoResetOnClose)
            yield return (
                "No Reset On Close=true: settings, temporary tables and locks of one user of the pool are visible to the next",
                "Remove the option: the reset costs no round trip.", "connection-pooling.md#reset");
        if (options.IncludeErrorDetail)
            yield return (
                "Include Error Detail=true: messages of exceptions contain values from the data", "Use it for development only.", Docs);
    }

    private static (string Finding, string Advice, string Docs) NoAutoPrepare => (
        "Auto Prepare=false: repeated statements are parsed each time", "Remove the option, unless a proxy loses prepared statements.",
        "prepared-statements.md#automatic-preparation");

    private static (string Finding, string Advice, string Docs) PersistsSecurityInfo => (
        "Persist Security Info=true: the ConnectionString of an open connection contains the password", "Remove the option.",
        "authentication.md#where-passwords-appear");
}
