/** `--files-root`: the folders whose files agents, and callers from other machines, may have sent to a phone or written. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type CommandContext, type Flag, usage } from '../command.ts'

export const FILES_ROOT_FLAG: Flag = {
  name: 'files-root',
  value: 'folder',
  summary: 'a folder whose files MCP, and callers from other machines, may name',
  many: true,
}

/** Absolute paths of folders that are there. */
export const fileRootsIn = async (
  call: CommandContext,
  otherwise: readonly string[] = [],
): Promise<readonly string[]> => {
  const named = call.all('files-root')
  for (const root of named) {
    const isFolder = await stat(resolve(call.cwd, root)).then(
      stats => stats.isDirectory(),
      () => false,
    )
    if (!isFolder) throw usage(`--files-root ${root} is not a folder.`, { hint: 'Name a folder that is there.' })
  }
  return named.length === 0 ? otherwise : named.map(root => resolve(call.cwd, root))
}
