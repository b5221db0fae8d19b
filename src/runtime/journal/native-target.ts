/**
 * Finds the build of SQLite that fits this machine. The package's own lookup has Node write a diagnostic report first,
 * which takes longer than opening the journal.
 */
import { readFileSync } from 'node:fs'

export const GLIBC = 'glibc'
export const MUSL = 'musl'

/** Linux only: the C library that this very process runs with. */
export const familySync = (maps = '/proc/self/maps'): typeof GLIBC | typeof MUSL | null => {
  if (process.platform !== 'linux') return null
  try {
    return readFileSync(maps, 'latin1').includes('/ld-musl-') ? MUSL : GLIBC
  } catch {
    return GLIBC
  }
}

const LINUX: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  x64: { glibc: 'linux-x64-gnu', musl: 'linux-x64-musl' },
  arm64: { glibc: 'linux-arm64-gnu', musl: 'linux-arm64-musl' },
  arm: { glibc: 'linux-arm-gnueabihf', musl: 'linux-arm-musleabihf' },
}

/** The name that its package has among those of `@libsql`. */
export const currentTarget = (): string => {
  const { platform, arch } = process
  if (platform === 'linux') return LINUX[arch]?.[familySync() ?? GLIBC] ?? `linux-${arch}`
  return platform === 'win32' ? `win32-${arch}-msvc` : `${platform}-${arch}`
}

/** Asked for by those alone who develop that package. */
export const load = (): never => {
  throw new Error('LIBSQL_JS_DEV is not supported')
}
