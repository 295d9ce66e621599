using System.Text;
using Slipstream.PostgreSql.Statements;

namespace Slipstream.PostgreSql.Tests.Statements;

public class SettingsChangeTests
{
    [Theory]
    [InlineData("SET TimeZone = 'UTC'", SettingsEffect.Session)]
    [InlineData("/* why */ set -- more\n datestyle to german", SettingsEffect.Session)]
    [InlineData("SET TIME ZONE 'UTC'", SettingsEffect.Session)]
    [InlineData("SET SESSION \"TimeZone\" = 'UTC'", SettingsEffect.Session)]
    [InlineData("SET LOCAL DateStyle = german", SettingsEffect.Transaction)]
    [InlineData("SET LOCAL TIME ZONE UTC", SettingsEffect.Transaction)]
    [InlineData("SET SESSION AUTHORIZATION x", SettingsEffect.Session)]
    [InlineData("SET ROLE x", SettingsEffect.Session)]
    [InlineData("SET NAMES 'LATIN1'", SettingsEffect.Session)]
    [InlineData("SET XML OPTION DOCUMENT", SettingsEffect.Session)]
    [InlineData("SET U&\"Time\\005aone\" = 'UTC'", SettingsEffect.Session)]
    [InlineData("SET a_setting_of_a_later_version = 1", SettingsEffect.Session)]
    [InlineData("SET", SettingsEffect.Session)]
    [InlineData("RESET ALL", SettingsEffect.Session)]
    [InlineData("RESET TimeZone", SettingsEffect.Session)]
    [InlineData("DO $$ BEGIN END $$", SettingsEffect.Session)]
    [InlineData("CALL p()", SettingsEffect.Session)]
    [InlineData("EXECUTE p", SettingsEffect.Session)]
    [InlineData("SET statement_timeout = 5", SettingsEffect.None)]
    [InlineData("SET \"search_path\" TO x", SettingsEffect.None)]
    [InlineData("SET SCHEMA 'x'", SettingsEffect.None)]
    [InlineData("SET LOCAL app.tenant = '7'", SettingsEffect.Transaction)]
    [InlineData("SET app.tenant = '7'", SettingsEffect.Session)]
    [InlineData("RESET app.tenant", SettingsEffect.Session)]
    [InlineData("SET \"seed\".tenant = '7'", SettingsEffect.Session)]
    [InlineData("SET \"transaction\".tenant = '7'", SettingsEffect.Session)]
    [InlineData("SET \"local\".tenant = '7'", SettingsEffect.Session)]
    [InlineData("SET local . tenant = '7'", SettingsEffect.Session)]
    [InlineData("SET local/**/.tenant = '7'", SettingsEffect.Session)]
    [InlineData("SET seed . tenant = '7'", SettingsEffect.Session)]
    [InlineData("SET LOCAL \"seed\".tenant = '7'", SettingsEffect.Transaction)]
    [InlineData("RESET \"seed\".tenant", SettingsEffect.Session)]
    [InlineData("SET LOCAL \"lock_timeout\" = 5", SettingsEffect.None)]
    [InlineData("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", SettingsEffect.None)]
    [InlineData("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY", SettingsEffect.None)]
    [InlineData("SET CONSTRAINTS ALL DEFERRED", SettingsEffect.None)]
    [InlineData("RESET lock_timeout", SettingsEffect.None)]
    [InlineData("SELECT 1", SettingsEffect.None)]
    [InlineData("UPDATE t SET timezone = 'UTC'", SettingsEffect.None)]
    [InlineData("settle", SettingsEffect.None)]
    [InlineData("SELECT set_config('TimeZone', 'UTC', true)", SettingsEffect.Transaction)]
    [InlineData("SELECT SET_CONFIG ( 'TimeZone' , 'UTC', TRUE )", SettingsEffect.Transaction)]
    [InlineData("SELECT set_config('app.tenant', $1, true)", SettingsEffect.Transaction)]
    [InlineData("SELECT set_config('app.tenant', $1, false)", SettingsEffect.Session)]
    [InlineData("SELECT set_config('app.tenant', $1, $2)", SettingsEffect.Session)]
    [InlineData("SELECT set_config('app.tenant', $1::text, true)", SettingsEffect.Session)]
    [InlineData("SELECT set_config('app.tenant', '\\', true), set_config('app.x', ', false)'", SettingsEffect.Session)]
    [InlineData("SELECT set_config('app.tenant', '7', true OR a)", SettingsEffect.Session)]
    [InlineData("SELECT set_config('app.tenant', '7', true), set_config('app.user', '8', false)", SettingsEffect.Session)]
    [InlineData("SELECT set_config('app.tenant', 'a''b', true)", SettingsEffect.Session)]
    [InlineData("SELECT set_config('', '7', true)", SettingsEffect.Session)]
    [InlineData("SELECT set_config($1, $2, true)", SettingsEffect.Session)]
    [InlineData("SELECT set_config('app.' || 'x', 'UTC', true)", SettingsEffect.Session)]
    [InlineData("SELECT set_config(E'app.x', 'UTC', true)", SettingsEffect.Session)]
    [InlineData("SELECT set_config('lock_timeout', '1', true), set_config('DateStyle', 'ISO', true)", SettingsEffect.Transaction)]
    [InlineData("UPDATE pg_settings SET setting = 'UTC' WHERE name = 'TimeZone'", SettingsEffect.Session)]
    [InlineData("SELECT U&\"set\\005fconfig\"('TimeZone', 'UTC', true)", SettingsEffect.Session)]
    [InlineData("SELECT set_config('lock_timeout', $1, false), set_config ( 'statement_timeout' , '5', true)", SettingsEffect.None)]
    [InlineData("SELECT * FROM pg_settings", SettingsEffect.None)]
    public void A_text_tells_what_it_may_change(string sql, object effect)
    {
        var statement = PgStatement.ScanPositional(sql);
        Assert.Equal((SettingsEffect)effect, Assert.Single(statement.Parts).Effect);
        Assert.Equal((SettingsEffect)effect != SettingsEffect.None || statement.Parts[0].MovesPath, statement.ChangesSettings);
        if (SettingsChange.NamedIn(sql) == SettingsEffect.None)
            Assert.Equal((SettingsEffect)effect, SettingsChange.Of(Encoding.UTF8.GetBytes(sql)));
    }

    [Theory]
    [InlineData("SET search_path TO x", true)]
    [InlineData("SET LOCAL \"search_path\" = x", true)]
    [InlineData("reset Search_Path", true)]
    [InlineData("SET SESSION SCHEMA 'x'", true)]
    [InlineData("SELECT set_config('search_path', 'x', true)", true)]
    [InlineData("CREATE SCHEMA x", false)]
    [InlineData("SET work_mem = '4MB'", false)]
    [InlineData("search_pat", false)]
    public void A_text_tells_whether_it_may_move_search_path(string sql, bool moves) =>
        Assert.Equal(moves, Assert.Single(PgStatement.ScanPositional(sql).Parts).MovesPath);
}
