/**
 * The scene of the viewer's pictures: simulated phones behind `svc serve`, executions that succeeded, failed and are in
 * doubt, a skill run, one that is at work, and requests that wait for its phone.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pause, systemClock } from '../../runtime/clock.ts'

const CLI = fileURLToPath(new URL('../svc.cjs', import.meta.url))
/** Bounds the start of a program. */
const START_MS = 30_000
/** For so long the execution that is at work waits for a node that never comes. */
const WORK_MS = 110_000
const PHONES = 3
const SKILL = 'com.android.settings.look'

const clock = systemClock()

export interface Scene {
  url: string
  serials: readonly string[]
  /** Executions by what they are for. */
  failed: string
  toured: string
  clicked: string
  skillRun: string
  /** Sends the execution that stays at work and those that wait behind it. Resolves once it is at work. */
  work(): Promise<void>
  end(): Promise<void>
}

interface Started {
  child: ChildProcess
  ended: Promise<string>
  /** Waits for output that matches, and returns the first group. */
  says(pattern: RegExp): Promise<string>
}

const start = (env: NodeJS.ProcessEnv, args: readonly string[]): Started => {
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      output += String(chunk)
    })
  }
  const ended = new Promise<string>(resolve => child.once('close', () => resolve(output)))
  const says = async (pattern: RegExp): Promise<string> => {
    const until = clock.elapsed() + START_MS
    for (;;) {
      const [, found] = pattern.exec(output) ?? []
      if (found !== undefined) return found
      if (clock.elapsed() > until || child.exitCode !== null) throw new Error(`svc ${args.join(' ')} says: ${output}`)
      await pause(clock, 20)
    }
  }
  return { child, ended, says }
}

const end = async ({ child, ended }: Started, signal: NodeJS.Signals = 'SIGTERM') => {
  child.kill(signal)
  await ended
}

const payload = (commandId: string, actions: readonly object[]) => ({
  commandId,
  taskId: 'demo',
  source: 'demo',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 120_000,
  actions: actions.map((action, index) => ({ id: `s${index + 1}`, ...action })),
})

const click = (text: string) => ({ type: 'click', params: { matcher: { textEquals: text } } })
const LOOK = [{ type: 'snapshot' }, { type: 'take_screenshot' }]
const OPEN = { type: 'open_app', params: { applicationId: 'com.android.settings' } }
const WAIT = { type: 'wait_for_node', params: { matcher: { textEquals: 'Downloaded' }, timeoutMs: WORK_MS } }
const SCROLL = { type: 'scroll_until', params: { matcher: { textEquals: 'About phone' }, clickAfter: true } }

const FAILING = payload('read-serial-number', [...LOOK, SCROLL, ...LOOK, click('Serial number'), { type: 'snapshot' }])
const TOUR = payload('tour', [OPEN, ...LOOK, click('Wi-Fi'), ...LOOK, SCROLL, ...LOOK])

type Execute = (serial: string | undefined, execution: object, waitMs?: number) => Promise<string>

/** Answers with the id of the execution, whatever became of it. */
const executing =
  (url: () => string): Execute =>
  async (deviceId, execution, waitMs) => {
    const answer = await fetch(`${url()}/execute`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ deviceId, execution, ...(waitMs === undefined ? {} : { waitMs }) }),
    })
    return answer.headers.get('svc-execution-id') ?? ''
  }

const untilAtWork = async (url: string, serial: string) => {
  const until = clock.elapsed() + START_MS
  for (;;) {
    const { actors } = (await (await fetch(`${url}/inspector/actors`)).json()) as {
      actors: { id: string; state: string }[]
    }
    if (actors.some(({ id, state }) => id === `device:${serial}` && state === 'running.dispatched')) return
    if (clock.elapsed() > until) throw new Error(`nothing was sent to ${serial}`)
    await pause(clock, 50)
  }
}

export const playScene = async (): Promise<Scene> => {
  const home = mkdtempSync(join(tmpdir(), 'svc-pictures-'))
  /** None of the caller's, as in `picture.ts`. */
  const env: NodeJS.ProcessEnv = { HOME: home, PATH: process.env.PATH, SVC_NO_DAEMON: '1' }
  const running: Started[] = []
  const begin = (...args: string[]) => {
    const started = start(env, args)
    running.push(started)
    return started
  }
  const run = (...args: string[]) => start(env, args).ended
  const endAll = async () => {
    for (const started of running.reverse()) await end(started)
    rmSync(home, { recursive: true, force: true })
  }
  try {
    const simulated = begin('simulate', '--count', `${PHONES}`)
    const line = await simulated.says(/(\{.*"devices".*\})\n/)
    const { devices } = JSON.parse(line) as { devices: { serial: string }[] }
    const serials = devices.map(({ serial }) => serial)
    const [first = '', second = '', third = ''] = serials
    env.SVC_TCP_DEVICES = serials.join(',')

    let server = begin('serve', '--port', '0')
    let url = await server.says(/(http:\S+)\n/)
    const execute = executing(() => url)
    const pending: Promise<unknown>[] = []

    // A server that is killed while its phone is at work leaves a doubt.
    await execute(third, payload('open', [OPEN, ...LOOK]))
    const lost = execute(third, payload('wait-for-download', [click('Wi-Fi'), WAIT])).catch(() => '')
    await untilAtWork(url, third)
    await end(server, 'SIGKILL')
    await lost
    server = begin('serve', '--port', '0')
    url = await server.says(/(http:\S+)\n/)

    await run('skills', 'install')
    await run('skills', 'new', SKILL, '--summary', 'Looks at the settings')
    await execute(second, payload('open', [OPEN]))
    await run('skills', 'run', SKILL, '--device', second)
    await run('snapshot', '--device', second)
    await run('click', '--text', 'Network & internet', '--device', second)
    await run('snapshot', '--device', second)
    const toured = await execute(first, TOUR)
    await execute(first, payload('open', [OPEN]))
    const failed = await execute(first, FAILING)
    await execute(first, payload('look', [OPEN, ...LOOK]))

    const summaries = async (query: string) => {
      const answer = await (await fetch(`${url}/inspector/executions?${query}`)).json()
      return (answer as { executions: { executionId: string; title?: string; skillRunId?: string }[] }).executions
    }
    const onSecond = await summaries(`deviceId=${encodeURIComponent(second)}`)
    return {
      url,
      serials,
      failed,
      toured,
      clicked: onSecond.find(({ title }) => title?.startsWith('Click'))?.executionId ?? '',
      skillRun: onSecond.find(({ skillRunId }) => skillRunId !== undefined)?.skillRunId ?? '',
      async work() {
        pending.push(execute(first, payload('watch-downloads', [OPEN, ...LOOK, WAIT])).catch(() => ''))
        await untilAtWork(url, first)
        for (const [commandId, node] of [
          ['open-display', 'Display'],
          ['open-battery', 'Battery'],
        ] as const) {
          pending.push(execute(first, payload(commandId, [click(node)]), WORK_MS).catch(() => ''))
          await pause(clock, 100)
        }
        await pause(clock, 2_000)
      },
      async end() {
        await endAll()
        await Promise.all(pending)
      },
    }
  } catch (error) {
    await endAll()
    throw error
  }
}
