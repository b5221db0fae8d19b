/** Files that steps of the host fetch from a phone, or remove there, and the places on the host where they come. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Ask } from '../plan/plan.ts'

export const FETCHED_FOLDER = '/sdcard/fetched'
export const REMOVED_FOLDER = '/sdcard/removed'
/** Several requests fetch to one place. */
export const SHARED_NAME = 'shared'

export type FileDeed =
  | { kind: 'pull'; name: string; isLarge?: true }
  | { kind: 'remove' }
  /** In the calm: transfers that were not finished are done again. */
  | { kind: 'again'; pushes: readonly string[]; pulls: readonly string[] }

export const fetchedFrom = (command: string, isLarge: boolean): string =>
  `${FETCHED_FOLDER}/${isLarge ? 'large' : 'small'}/${command}`
export const removedAt = (command: string): string => `${REMOVED_FOLDER}/${command}`

const SMALL_BYTES = 70_000
/** Beyond it, files come by the sync service. */
const LARGE_BYTES = 1_100_000

export const FETCHED_BYTES = [SMALL_BYTES, LARGE_BYTES]

export const fetchedBytes = (isLarge: boolean): number => (isLarge ? LARGE_BYTES : SMALL_BYTES)

export const removeMark = (command: string): string => `removed ${command}`

export const pullParams = (from: string, folder: string, name: string) => ({
  from,
  to: join(folder, name),
  overwrite: true,
})

export interface FetchedFile {
  host: number
  name: string
  /** The request whose content it has; undefined for one that is not whole. */
  command: string | undefined
}

export interface HostFolders {
  /** Made when it is first asked for. */
  of(host: number): string
  /** The names that are no drafts, with what they hold. */
  files(): FetchedFile[]
  drafts(): { host: number; name: string }[]
  remove(): void
}

const DRAFT = /^\.svc-/
const HEX_CHARS = 16

/** The beginning of the name of each draft for that name. */
export const draftOnHost = (name: string): string =>
  `.svc-${createHash('sha256').update(`${hostname()}/${name}`).digest('hex').slice(0, HEX_CHARS)}-`

/** The folders of a trial, one for each host: where they are is no part of its story. */
export const makeHostFolders = (hosts: number, commandOf: (content: Buffer) => string | undefined): HostFolders => {
  const all = Array.from({ length: hosts }, (_, host) => host)
  let root: string | undefined
  const of = (host: number) => {
    if (root === undefined) {
      root = mkdtempSync(join(tmpdir(), 'svc-fetched-'))
      for (const each of all) mkdirSync(join(root, `h${each}`))
    }
    return join(root, `h${host}`)
  }
  const names = () =>
    root === undefined ? [] : all.flatMap(host => readdirSync(of(host)).map(name => ({ host, name })))
  return {
    of,
    files: () =>
      names()
        .filter(({ name }) => !DRAFT.test(name))
        .map(({ host, name }) => ({ host, name, command: commandOf(readFileSync(join(of(host), name))) })),
    drafts: () => names().filter(({ name }) => DRAFT.test(name)),
    remove() {
      if (root !== undefined) rmSync(root, { recursive: true, force: true })
    },
  }
}

/** What lies on a phone in the beginning for these requests. */
export const filesFor = (
  asks: readonly Ask[],
  again: string,
  contentOf: (command: string, bytes: number) => Buffer,
): { path: string; content: Buffer }[] => [
  { path: fetchedFrom(again, false), content: contentOf(again, SMALL_BYTES) },
  ...asks.flatMap(({ command, hostStep }) => {
    if (hostStep?.kind === 'remove') return [{ path: removedAt(command), content: Buffer.from(command) }]
    if (hostStep?.kind !== 'pull') return []
    const isLarge = hostStep.isLarge === true
    return [{ path: fetchedFrom(command, isLarge), content: contentOf(command, fetchedBytes(isLarge)) }]
  }),
]
