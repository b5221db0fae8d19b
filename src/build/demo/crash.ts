/**
 * `npm run demo:crash`: a simulated phone, and `svc serve` before it. The server is killed in the middle of a list; the one
 * that is started next asks the phone, and the receipt says what happened. Nothing else has to be installed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Receipt } from '../../contracts/executions/receipt.ts'
import type { ErrorObject } from '../../contracts/failures/error.ts'
import { pause, systemClock } from '../../runtime/clock.ts'
import { createServices } from '../../start/command.ts'
import { createPrograms, type Program, say, stopOnSignals } from './programs.ts'

const CLI = fileURLToPath(new URL('../svc.cjs', import.meta.url))

/** Bounds the start of a server and each wait for the receipt. */
const READY_MS = 30_000
const LOOK_MS = 50
const SLEEP_MS = 6_000
const INTERRUPTED = 130

const LIST = [
  { id: 'first', type: 'click', params: { matcher: { textEquals: 'Wi-Fi' } } },
  { id: 'wait', type: 'sleep', params: { durationMs: SLEEP_MS } },
  { id: 'second', type: 'click', params: { matcher: { textEquals: 'Display' } } },
]
const OPEN = [{ id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } }]
const BACK = [{ id: 'back', type: 'press_key', params: { key: 'back' } }]

const clock = systemClock()
const programs = createPrograms(clock)
const stop = stopOnSignals(programs)

const folder = mkdtempSync(join(tmpdir(), 'svc-demo-crash-'))
mkdirSync(join(folder, '.svc'), { mode: 0o700 })

const svc = (serial: string, args: readonly string[]): Program => {
  stop.signal.throwIfAborted()
  const env = { HOME: folder, PATH: '', SVC_NO_DAEMON: '1', SVC_TCP_DEVICES: serial }
  return programs.start(process.execPath, [CLI, ...args], { env, cwd: folder })
}

/** Polls until there is a value. */
const until = async <T>(look: () => T | undefined | Promise<T | undefined>, what: string): Promise<T> => {
  const latest = clock.elapsed() + READY_MS
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    if (clock.elapsed() > latest) throw new Error(`${what}: that took longer than ${READY_MS / 1_000} s.`)
    await pause(clock, LOOK_MS, stop.signal)
  }
}

interface Server {
  program: Program
  url: string
}

const serve = async (serial: string): Promise<Server> => {
  const program = svc(serial, ['serve', '--port', '0'])
  const url = await until(() => {
    if (program.child.exitCode !== null) throw new Error(`svc serve did not start: ${program.complained()}`)
    return /listens on (http:\S+)\n/.exec(program.complained())?.[1]
  }, 'The start of svc serve')
  return { program, url }
}

interface Answer {
  ok: boolean
  error?: ErrorObject
  execution?: Receipt
  executions?: Receipt[]
}

const ask = async ({ url }: Server, path: string, body?: object): Promise<Answer> => {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`${url}${path}`, { signal: stop.signal, ...(body === undefined ? {} : post) })
  return (await response.json()) as Answer
}

const execute = (server: Server, actions: readonly object[], commandId: string) => {
  const rest = { taskId: 'demo', source: 'demo', expectedFormat: 'android-ui-automator', timeoutMs: 20_000 }
  return ask(server, '/execute', { execution: { commandId, ...rest, actions } })
}

const showReceipt = async (serial: string, executionId: string) => {
  const args = ['executions', 'show', executionId, '--output', 'text']
  say(`$ svc ${args.join(' ')}`)
  const program = svc(serial, args)
  const code = await program.ended
  stop.signal.throwIfAborted()
  if (code !== 0) throw new Error(`svc ${args.join(' ')} says: ${program.said()}${program.complained()}`)
  for (const line of program.said().trimEnd().split('\n')) say(`  ${line}`)
}

/** Resolves once the phone has told that the first tap is done: its id. */
const firstTapDone = (server: Server): Promise<string> =>
  until(async () => {
    const [listed] = (await ask(server, '/executions?commandId=list&limit=1')).executions ?? []
    if (!listed) return undefined
    const { execution } = await ask(server, `/executions/${listed.executionId}`)
    return execution?.steps?.[0]?.outcome === 'done' ? listed.executionId : undefined
  }, 'The first tap')

const act = async (serial: string) => {
  const first = await serve(serial)
  say(`A simulated phone listens on ${serial}, and svc on ${first.url}.\n`)
  await execute(first, OPEN, 'open')

  say(`POST /execute: tap "Wi-Fi", wait ${SLEEP_MS / 1_000} s, tap "Display".`)
  const answer = execute(first, LIST, 'list').then(
    () => 'an answer, too early',
    () => 'no answer: the connection broke',
  )
  const executionId = await firstTapDone(first)
  say(`kill -9 ${first.program.child.pid}: the server dies while the phone waits between the taps.`)
  first.program.child.kill('SIGKILL')
  await first.program.ended
  say(`The caller has ${await answer}.`)

  const second = await serve(serial)
  say(`The server is started again, on ${second.url}.\n`)

  say('Another execution for the same phone is refused, and nothing of it is sent:\n')
  say('$ POST /execute: press Back')
  const { error } = await execute(second, BACK, 'other')
  if (error?.code !== 'EXECUTION_CONFLICT_IN_FLIGHT') throw new Error(`It was not refused: ${JSON.stringify(error)}`)
  say(`  ${error.code}: ${error.message}\n  ${error.hint}\n`)

  say(
    'What became of the list so far? The end of the first tap was recorded before the crash. svc asks the phone for the rest:\n',
  )
  await showReceipt(serial, executionId)

  say('\nWho can wait asks the server to wait for the end:\n')
  const path = `/executions/${executionId}?waitMs=20000`
  say(`$ GET ${path}`)
  const { execution } = await ask(second, path)
  say(`  outcome: ${execution?.outcome}\n`)
  if (execution?.outcome !== 'done') throw new Error(`The outcome is ${execution?.outcome}, and not done.`)

  await showReceipt(serial, executionId)
  say('\nNothing was sent twice.')
}

const lab = createServices({ env: { HOME: folder, PATH: '' }, cwd: folder, note: say })
try {
  const phones = await lab.simulate({ count: 1 })
  try {
    await act(phones.devices[0]?.serial ?? '')
  } finally {
    await programs.endAll()
    await phones.close()
  }
} catch (error) {
  process.exitCode = stop.signal.aborted ? INTERRUPTED : 1
  if (!stop.signal.aborted) process.stderr.write(`${(error as Error).message}\n`)
} finally {
  await lab.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
