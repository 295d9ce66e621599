using Slipstream.Lab;

namespace Slipstream.Live.PostgreSql;

// The tests of this folder whose answers depend on the server's release, on the newest one.

public class AutoPrepareOn18Tests : AutoPrepareTests
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}

public class BatchOn18Tests : BatchTests
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}

public class ConvertedTypesOn18Tests : ConvertedTypeTests
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}

public class FamiliarWaysOn18Tests : FamiliarWaysTests
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}

public class LoginsOn18 : Logins
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}

public class PgSchemaOn18Tests : PgSchemaTests
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}

public class PreparedOrNotOn18Tests : PreparedOrNotTests
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}

public class PreparedSettingsOn18Tests : PreparedSettingsTests
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}

public class RefusedValueOn18Tests : RefusedValueTests
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}

public class StaleInTransactionOn18Tests : StaleInTransactionTests
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}

public class TypesInBothFormatsOn18 : TypesInBothFormats
{
    protected override ServerKind Kind => ServerKind.PostgreSql18;
}
