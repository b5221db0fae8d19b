/** The files of a device over its shell: their facts, their digests and the changes to them, as the shell or as an application. */

import { isPackageName } from '../../contracts/device/package-name.ts'
import { DEVICE_PATH_BYTES_MAX } from '../../contracts/limits/transfer-limits.ts'
import type { Clock } from '../../runtime/clock.ts'
import { commandLine, quote } from '../../runtime/text/quote.ts'
import { currentUser } from '../apps/current-user.ts'
import { type CallOptions, type Content, type Link, LinkError, type ShellResult } from '../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../link/link-limits.ts'
import { StepFailure } from '../screen/step-failure.ts'
import { type DeviceEntry, ENTRY_FORMAT, entryFrom, readEntries } from './device-entries.ts'

const OWNER = '0'
/** `cat` begins at once, and the sync service sends faster: beyond so many bytes that counts for more. */
const CAT_BYTES_MAX = 1_024 * 1_024
/** Commands that answer at once. */
const ASK_MS = 15_000
/** Bounds the tidying up after a transfer that has failed: its own time may be over, and its answer is still to be in time. */
const TIDY_MS = 3_000
const REASON_CHARS_MAX = 200
const SHA_256 = /^([0-9a-f]{64})[ *]/
const MISSING = /No such file or directory|Not a directory/
/** Beside its columns of kilobytes. */
const FREE = /\s\d+\s+\d+\s+(\d+)\s+\d+%\s/
const BLOCK_BYTES = 1_024

export interface DeviceFilesOptions {
  link: Link
  clock: Clock
  deadline: number
  signal?: AbortSignal | undefined
}

const reasonOf = ({ stderr, stdout, exitCode }: ShellResult): string =>
  (stderr.trim() || stdout.trim() || `exit code ${exitCode}`).split('\n')[0]?.slice(0, REASON_CHARS_MAX) ?? ''

/** For what the shell or the device refuses. */
export const refusedBy = (what: string, reason: string) => new StepFailure('FILE_REFUSED', `${what}: ${reason}`)

const refusedWith = (hint: string) => (what: string, reason: string) =>
  new StepFailure('FILE_REFUSED', `${what}: ${reason}`, { hint })

/** No right that the shell lacks, and no other folder, would help. */
export const refusedAsNamed = refusedWith('The message says why; name another file or folder of the device.')
export const refusedAsChanged = refusedWith('Try again when nothing else changes the file.')
export const refusedAsFull = refusedWith('Remove something from the device first, or name a place with more room.')

/** A word of a command line that is never read as an option. */
export const pathWord = (path: string): string => quote(path.startsWith('/') ? path : `./${path}`)

/** The words in front of a command that runs as the application. */
const runAsWords = async (applicationId: string, { link, deadline, signal, clock }: DeviceFilesOptions) => {
  if (!isPackageName(applicationId)) throw refusedBy(applicationId, 'it cannot be the name of an application')
  const user = await currentUser(link, { deadline: Math.min(deadline, clock.now() + ASK_MS), signal })
  return ['run-as', applicationId, ...(user === OWNER ? [] : ['--user', user])]
}

export type DeviceFiles = Awaited<ReturnType<typeof openDeviceFiles>>

export const openDeviceFiles = async (applicationId: string | undefined, options: DeviceFilesOptions) => {
  const { link, clock, deadline, signal } = options
  const words = applicationId === undefined ? [] : await runAsWords(applicationId, options)
  const call = (ms = Number.POSITIVE_INFINITY): CallOptions => ({
    deadline: Math.min(deadline, clock.now() + ms),
    signal,
  })
  const inPlace = (script: string) => (words.length === 0 ? script : commandLine(...words, 'sh', '-c', script))

  const ask = async (
    script: string,
    callOptions: CallOptions = call(ASK_MS),
    stdin?: Content,
  ): Promise<ShellResult> => {
    const maxBytes = OUTPUT_BYTES_MAX.command
    const answer = await link.shell(inPlace(script), { ...callOptions, maxBytes, ...(stdin ? { stdin } : {}) })
    if (answer.exitCode !== 0 && answer.stderr.startsWith('run-as: '))
      throw refusedBy(`run-as ${applicationId}`, reasonOf(answer).replace(/^run-as: /, ''))
    return answer
  }
  const insist = async (script: string, what: string, callOptions?: CallOptions, stdin?: Content) => {
    const answer = await ask(script, callOptions, stdin)
    if (answer.exitCode !== 0) throw refusedBy(what, reasonOf(answer))
    return answer
  }
  /** Tells of a link itself, unless links are to be followed. */
  const facts = async (path: string, { follows = false } = {}): Promise<DeviceEntry | undefined> => {
    if (Buffer.byteLength(path) > DEVICE_PATH_BYTES_MAX)
      throw refusedBy(
        path.slice(0, REASON_CHARS_MAX),
        `a path of the device has at most ${DEVICE_PATH_BYTES_MAX} bytes`,
      )
    const answer = await ask(`stat ${follows ? '-L ' : ''}-c '%f %s %Y' ${pathWord(path)}`)
    if (answer.exitCode === 0) return entryFrom(Buffer.from(`${answer.stdout.trim()} ${path}`))
    if (MISSING.test(answer.stderr)) return undefined
    throw refusedBy(path, reasonOf(answer))
  }
  let digests: Promise<boolean> | undefined
  const hasDigests = () => {
    digests ??= ask('command -v sha256sum').then(({ exitCode }) => exitCode === 0)
    return digests
  }

  return {
    facts,
    insist,
    /** Lists what lies below the folder, down to `depth`; more than `most` entries show in one entry too many. */
    async list(folder: string, { depth, most }: { depth?: number; most: number }): Promise<DeviceEntry[]> {
      const bounds = ['-mindepth', '1', ...(depth === undefined ? [] : ['-maxdepth', String(depth)])].join(' ')
      const start = pathWord(folder)
      const output = link.output(
        inPlace(`find -H ${start} ${bounds} -exec stat -c ${quote(ENTRY_FORMAT)} {} +`),
        call(),
      )
      const root = folder.startsWith('/') ? folder : `./${folder}`
      try {
        return await readEntries(output, { root, most })
      } catch (error) {
        if (error instanceof LinkError && error.code === 'LINK_SOCKET_REFUSED')
          throw refusedBy(folder, error.message.replace(/^the device refuses: (?:find|stat): /, ''))
        throw error
      }
    },
    /** Undefined where the device does not say it in a form that is known. */
    async freeBytes(path: string): Promise<number | undefined> {
      const { stdout } = await ask(`df -k ${pathWord(path)}`)
      const free = FREE.exec(stdout.replace(/^.*\n/, ''))?.[1]
      return free === undefined ? undefined : Number(free) * BLOCK_BYTES
    },
    /** Undefined where the device has no tool for it. */
    async digestOf(path: string): Promise<string | undefined> {
      if (!(await hasDigests())) return undefined
      const { stdout } = await insist(`sha256sum < ${pathWord(path)}`, path, call())
      return SHA_256.exec(stdout)?.[1]
    },
    /** Asks for the digest of every plain file below the folder, by its path from there; undefined where the device has no tool for it. */
    async digestsBelow(folder: string): Promise<ReadonlyMap<string, string> | undefined> {
      if (!(await hasDigests())) return undefined
      const script = `cd ${pathWord(folder)} && find . -type f -exec sha256sum {} +`
      const { stdout } = await insist(script, folder, call())
      const found = stdout.matchAll(/([0-9a-f]{64}) {2}\.\/([\s\S]*?)\n(?=[0-9a-f]{64} {2}\.\/|$)/g)
      return new Map([...found].map(([, digest = '', path = '']) => [path, digest]))
    },
    /** Commands that are too many for one command line, up to the first that fails. */
    script: (lines: readonly string[], what: string) =>
      insist('sh', what, call(), Buffer.from(lines.map(line => `${line} || exit 1\n`).join(''))),
    read: (path: string, size: number, stop: AbortSignal): AsyncIterable<Uint8Array> =>
      words.length === 0 && size > CAT_BYTES_MAX
        ? link.read(path, { deadline, signal: stop })
        : link.output(inPlace(`cat ${pathWord(path)}`), { deadline, signal: stop }),
    async write(
      path: string,
      content: Content,
      file: { size: number; mode: number; mtime: number; signal: AbortSignal },
    ) {
      const { size, mode, mtime } = file
      const callOptions = { deadline, signal: file.signal }
      if (words.length > 0) {
        // The shell goes on when the link is lost, and would take what came until then for all of it.
        const draft = pathWord(path)
        const script = `cat > ${draft} && [ "$(stat -c %s ${draft})" = ${size} ] || { rm -f ${draft}; exit 1; }`
        await insist(script, path, callOptions, content)
        return
      }
      try {
        await link.push(path, content, { ...callOptions, mode, mtime })
      } catch (error) {
        if (!(error instanceof LinkError) || error.code !== 'LINK_SOCKET_REFUSED') throw error
        throw refusedBy('the device', error.message.replace(/^the device refuses /, ''))
      }
    },
    /** After a failure: whether or not it can be done, and also once the time of the step is over. */
    async tidy(script: string): Promise<void> {
      await link
        .shell(inPlace(script), { deadline: clock.now() + TIDY_MS, maxBytes: OUTPUT_BYTES_MAX.report })
        .catch(() => {})
    },
  }
}
