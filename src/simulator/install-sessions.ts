/** The sessions of the package manager: the APKs of an application are gathered in one, and then installed or dropped together. */
import { FilesError } from './files.ts'
import type { InstallFlags } from './package-manager.ts'
import type { PhoneFiles } from './phone-parts.ts'

const FIRST_ID = 1_204_837_001
/** Android keeps so many sessions for the shell. */
const SESSIONS_MAX = 1_024

interface SessionsOptions {
  files: PhoneFiles
  install(contents: readonly Uint8Array[], flags: InstallFlags): string | undefined
}

interface Session {
  flags: InstallFlags
  names: Set<string>
}

const folderOf = (id: number) => `/data/app/vmdl${id}.tmp`

export const createInstallSessions = ({ files, install }: SessionsOptions) => {
  const open = new Map<number, Session>()
  let ids = FIRST_ID

  /** Gives what was in it. */
  const drop = (id: number): Uint8Array[] => {
    const paths = [...(open.get(id)?.names ?? [])].map(name => `${folderOf(id)}/${name}`)
    const contents = paths.flatMap(path => files.read(path)?.content ?? [])
    for (const path of [...paths, folderOf(id)]) files.remove(path)
    open.delete(id)
    return contents
  }

  return {
    has: (id: number) => open.has(id),
    /** Undefined when there are too many. */
    create(flags: InstallFlags): number | undefined {
      if (open.size >= SESSIONS_MAX) return undefined
      open.set(ids, { flags, names: new Set() })
      return ids++
    },
    /** The reason when it cannot be written. The session must be open. */
    write(id: number, name: string, content: Uint8Array): string | undefined {
      try {
        files.write(`${folderOf(id)}/${name}`, content, 0o644)
        open.get(id)?.names.add(name)
        return undefined
      } catch (error) {
        if (error instanceof FilesError) return error.message
        throw error
      }
    },
    /** The session is over, also when it was refused: `CODE: text`. */
    commit(id: number): string | undefined {
      const flags = open.get(id)?.flags
      const contents = drop(id)
      return flags && install(contents, flags)
    },
    abandon: (id: number) => void drop(id),
  }
}
