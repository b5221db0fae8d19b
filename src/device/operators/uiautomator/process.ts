/** The helper's process on the phone: started by `am instrument`, guarded there against the loss of its host, ended for good. */
import { randomInt } from 'node:crypto'
import { HELPER_HEADER_BYTES_MAX, HELPER_QUIT_MS, HELPER_START_ATTEMPTS } from '../../../contracts/limits/limits.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import { commandLine } from '../../../runtime/text/quote.ts'
import { bounded } from '../../link/bounded.ts'
import type { CallOptions, Link, LinkSocket, LinkStream } from '../../link/link.ts'
import { SNAPSHOT_HELPER } from './helper-apks.ts'

export interface HelperProcess {
  /** The port on the phone's loopback. */
  port: number
  /** Aborted once it has ended, or is of no use any more. */
  ended: AbortSignal
  /** Ends it whatever state it is in; resolves when the phone has done that, or does not answer. */
  kill(): Promise<void>
}

/** The helper did not come up, for a reason that it gave. */
export class StartFailure extends Error {
  readonly isPortTaken: boolean

  constructor(message: string, isPortTaken = false) {
    super(message)
    this.name = 'StartFailure'
    this.isPortTaken = isPortTaken
  }
}

const COMPONENT = `${SNAPSHOT_HELPER.packageName}/.SnapshotInstrumentation`
/** Nothing that the system itself uses. */
const PORTS = { min: 20_000, max: 60_000 } as const

export const FORCE_STOP = commandLine('am', 'force-stop', SNAPSHOT_HELPER.packageName)
const LET_GO = 'over'
const STOP = 'stop'

/**
 * The helper outlives the `am` that started it, and then holds a port that answers with errors. So this line waits on
 * the phone for a word of its host. Any other word ends the helper, and so does the end of the stream: the host is gone.
 */
const GUARD = `trap '' HUP; read word; test "$word" = ${LET_GO} || ${FORCE_STOP}`

/**
 * Suits a polling engine: no wait for a still screen, and limits on nodes far above those of any screen. `exec` has
 * the hang-up of a lost link reach `am` itself.
 */
const startLine = (port: number) => {
  const options = {
    waitForIdleTimeoutMs: 0,
    timeoutMs: 2_000,
    maxDepth: 500,
    maxNodes: 20_000,
    sessionPort: port,
    emitChunks: false,
  }
  const extras = Object.entries(options).flatMap(([name, value]) => ['-e', name, String(value)])
  return commandLine('exec', 'am', 'instrument', '-w', ...extras, COMPONENT)
}

const READY = /^INSTRUMENTATION_STATUS: sessionReady=true\r?$/m
const STATUS_END = /^INSTRUMENTATION_STATUS_CODE: 2\r?$/m
const OVER = /^INSTRUMENTATION_(?:CODE|FAILED|ABORTED)|INSTRUMENTATION_FAILED/m
const REASON = /^INSTRUMENTATION_(?:RESULT: (?:message|shortMsg)|STATUS: Error)=(.{1,300})/m
const REASON_CHARS_MAX = 300

const failureIn = (output: string): StartFailure => {
  const last = output.trim().split('\n').at(-1)?.slice(0, REASON_CHARS_MAX)
  const reason = REASON.exec(output)?.[1] ?? (last || 'am instrument printed nothing')
  return new StartFailure(`the helper did not start: ${reason}`, /BindException|EADDRINUSE/.test(output))
}

interface Followed {
  /** The port is bound; rejects with StartFailure. */
  ready: Promise<void>
  /** `am` has ended: and the helper with it, or without. */
  over: Promise<boolean>
}

const follow = (am: LinkStream): Followed => {
  let output = ''
  const chunks = am.chunks[Symbol.asyncIterator]()
  const next = async (): Promise<boolean> => {
    const { done, value } = await chunks.next()
    if (value) output = (output + Buffer.from(value).toString('latin1')).slice(-HELPER_HEADER_BYTES_MAX)
    return !done
  }
  const untilReady = async () => {
    for (;;) {
      const isOpen = await next()
      if (READY.test(output) && STATUS_END.test(output)) return
      if (!isOpen || OVER.test(output)) throw failureIn(output)
    }
  }
  const ready = untilReady()
  const drain = async () => {
    await ready
    output = ''
    while (await next());
  }
  return {
    ready,
    over: drain().then(
      () => OVER.test(output),
      () => OVER.test(output),
    ),
  }
}

const tell = async (guard: LinkSocket, word: string): Promise<void> => {
  try {
    await guard.write(Buffer.from(`${word}\n`))
    for await (const _ of guard.chunks);
  } catch {
    // The link is gone, which the guard knows as well.
  }
  guard.close()
}

interface Start {
  link: Link
  clock: Clock
}

const startAt = async ({ link, clock }: Start, port: number, options: CallOptions): Promise<HelperProcess> => {
  const ended = new AbortController()
  const guard = await link.socket(`exec:${GUARD}`, options)
  let am: LinkStream | undefined
  const endNow = async (word: string) => {
    ended.abort('the helper has ended')
    am?.close()
    const pausing = new AbortController()
    await Promise.race([tell(guard, word), pause(clock, HELPER_QUIT_MS, pausing.signal)])
    pausing.abort()
    guard.close()
  }
  let ending: Promise<void> | undefined
  const end = (word: string) => {
    ending ??= endNow(word)
    return ending
  }
  try {
    am = await link.stream(startLine(port), options)
    const { ready, over } = follow(am)
    await bounded({ ...options, clock, what: 'starting the helper', lost: link.lost }, () => ready)
    void over.then(isOver => end(isOver ? LET_GO : STOP))
  } catch (error) {
    await end(STOP)
    throw error
  }
  return { port, ended: ended.signal, kill: () => end(STOP) }
}

/** Rejects with StartFailure or LinkError; nothing is left running then. */
export const startHelper = async (on: Start, options: CallOptions): Promise<HelperProcess> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startAt(on, randomInt(PORTS.min, PORTS.max), options)
    } catch (error) {
      if (!(error instanceof StartFailure && error.isPortTaken) || attempt >= HELPER_START_ATTEMPTS) throw error
    }
  }
}
