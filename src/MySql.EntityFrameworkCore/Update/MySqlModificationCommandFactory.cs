using Microsoft.EntityFrameworkCore.Update;

namespace Slipstream.MySql.EntityFrameworkCore.Update;

/// <summary>Creates <see cref="MySqlModificationCommand"/>.</summary>
internal sealed class MySqlModificationCommandFactory : IModificationCommandFactory
{
    public IModificationCommand CreateModificationCommand(in ModificationCommandParameters modificationCommandParameters) =>
        new MySqlModificationCommand(modificationCommandParameters);

    public INonTrackedModificationCommand CreateNonTrackedModificationCommand(in NonTrackedModificationCommandParameters modificationCommandParameters) =>
        new MySqlModificationCommand(modificationCommandParameters);
}
