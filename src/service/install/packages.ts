/** The authoring skills that come with this build, and what tells a folder of ours from one of somebody else. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, type FolderEntry, MARKER, sha256 } from './plan.ts'

export interface AuthoringPackage {
  name: string
  files: ReadonlyMap<string, Buffer>
}

export interface Bundle {
  version: string
  packages: readonly AuthoringPackage[]
}

export const SKILL_FILE = 'SKILL.md'

/** `folder` holds one folder for each package. */
export const readBundle = (folder: string, version: string): Bundle => ({
  version,
  packages: readdirSync(folder)
    .sort()
    .map(name => ({
      name,
      files: new Map(
        readdirSync(join(folder, name))
          .sort()
          .map(file => [file, readFileSync(join(folder, name, file))]),
      ),
    })),
})

const markerOf = ({ name, files }: AuthoringPackage, version: string): string => {
  const digests = Object.fromEntries([...files].map(([file, bytes]) => [file, sha256(bytes)]))
  return `${JSON.stringify({ managedBy: 'svc', package: name, version, files: digests }, null, 2)}\n`
}

/** All that is written for a package: its files and the marker. */
export const contentOf = (each: AuthoringPackage, version: string): Map<string, Buffer> =>
  new Map([...each.files, [MARKER, Buffer.from(markerOf(each, version))]])

const readMarker = ({ marker }: FolderEntry, name: string) => {
  try {
    const value = JSON.parse(marker ?? '')
    const { managedBy, package: named, version, files } = value ?? {}
    if (managedBy !== 'svc' || named !== name || typeof version !== 'string') return undefined
    return typeof files === 'object' && files !== null ? { version, files } : undefined
  } catch {
    return undefined
  }
}

type Ownership =
  | { kind: 'foreign' }
  /** Ours, and somebody has changed or added these files. */
  | { kind: 'edited'; files: readonly string[] }
  | { kind: 'untouched' }

/** A file that is missing is no edit: nothing is lost when it comes back. */
export const ownershipOf = (entry: Entry, name: string): Ownership => {
  const marker = entry.kind === 'folder' ? readMarker(entry, name) : undefined
  if (entry.kind !== 'folder' || !marker) return { kind: 'foreign' }
  const changed = [...entry.files].filter(([file, digest]) => file !== MARKER && marker.files[file] !== digest)
  const edited = [...changed.map(([file]) => file), ...entry.strange]
  return edited.length > 0 ? { kind: 'edited', files: edited } : { kind: 'untouched' }
}

/** Exactly what this build would write. */
export const isCurrent = (entry: FolderEntry, each: AuthoringPackage, version: string): boolean => {
  const content = contentOf(each, version)
  const { files, strange, isLoose } = entry
  const isSame = [...content].every(([file, bytes]) => files.get(file) === sha256(bytes))
  return isSame && !isLoose && strange.length === 0 && files.size === content.size
}
