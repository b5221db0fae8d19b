/** The kinds of work of a soak: each is done so many times against one server and its home, by callers that do nothing else. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { dirname, join } from 'node:path'
import { SKILL_RESULT_MARKER, SKILL_RESULT_VERSION } from '../../src/contracts/skills/skill-result.ts'
import { pause, systemClock } from '../../src/runtime/clock.ts'
import { plainEnv } from '../support/run-program.ts'
import { benchEntry } from './bench-entry.ts'
import { stopDaemonAtEnd } from './end-on-signal.ts'
import { CLI } from './executions.ts'
import { click, type Server } from './hot.ts'
import { post } from './http-load.ts'

const clock = systemClock()
/** Skill runs, flows and sessions at once, each on a phone of its own. */
const CALLERS = 4
const POLL_MS = 25
const FLOW_MS = 60_000
const FLOW = 'appId: com.example.table\n---\n- launchApp\n- assertVisible: Row 1\n- tapOn: Row 2\n'
const CELL = 'com.example.table:id/cell_3'

/** The names of what is counted, by which rows and settings name them. */
export const KINDS = ['click', 'skill run', 'flow', 'daemon life', 'session'] as const
export type Kind = (typeof KINDS)[number]

export interface Work {
  /** Does it so many times; rejects where one does not end as it should. */
  times(kind: Kind, count: number): Promise<void>
  close(): void
}

const scriptOf = (skillId: string): string => {
  const empty = { goal: null, inputs: {}, result: null, checkpoints: [] }
  const frame = JSON.stringify({ contractVersion: SKILL_RESULT_VERSION, skillId, status: 'success', ...empty })
  return `process.stdout.write(${JSON.stringify(`${SKILL_RESULT_MARKER}\n${frame}\n`)})\n`
}

/** A registry with one skill, which says at once that it has done its work. */
export const writeSkill = (home: string): { registry: string; id: string } => {
  const entry = benchEntry(0)
  const registry = join(home, 'repo', 'skills', 'skills-registry.json')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  write(registry, JSON.stringify({ schemaVersion: '1.0', skills: [entry] }))
  write(join(home, 'repo', entry.path, 'skill.json'), JSON.stringify(entry))
  write(join(home, 'repo', entry.skillFile), '# One of many\n')
  for (const script of entry.scripts) write(join(home, 'repo', script), scriptOf(entry.id))
  return { registry, id: entry.id }
}

interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: callers look into whatever they expect
  body: any
}

interface WorkOptions {
  server: Server
  home: string
  serials: readonly string[]
  skillId: string
}

export const createWork = ({ server: { port }, home, serials, skillId }: WorkOptions): Work => {
  const agent = new Agent({ keepAlive: true })
  const env = { ...plainEnv(), HOME: home, PATH: '', SVC_TCP_DEVICES: serials.join(','), SVC_DAEMON_IDLE_MS: '60000' }
  stopDaemonAtEnd(home, CLI, env)

  const ask = (method: string, path: string, input?: object): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const body = input === undefined ? '' : JSON.stringify(input)
      const headers = input ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) } : {}
      const sent = request({ host: '127.0.0.1', port, path, method, agent, headers }, async received => {
        const chunks: Buffer[] = []
        for await (const chunk of received) chunks.push(chunk)
        const text = Buffer.concat(chunks).toString()
        resolve({ status: received.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  const done = async (method: string, path: string, input?: object): Promise<Answer> => {
    const answer = await ask(method, path, input)
    if (answer.status < 200 || answer.status > 299)
      throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }

  const command = async (...args: string[]) => {
    const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', data => {
      said += data
    })
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(`svc ${args.join(' ')} ended with ${code}: ${said}`)
  }

  const works: Record<Kind, (serial: string) => Promise<unknown>> = {
    click: serial => post(port, '/execute', agent, click(serial)),
    async 'skill run'(deviceId) {
      const { body } = await done('POST', `/skills/${skillId}/run`, { deviceId })
      if (!body.ok) throw new Error(`the skill run failed: ${JSON.stringify(body)}`)
    },
    async flow(serial) {
      const { body } = await done('POST', '/test-runs', { yaml: FLOW, devices: [serial] })
      const until = clock.elapsed() + FLOW_MS
      for (;;) {
        const { verdict } = (await done('GET', `/test-runs/${body.testRunId}`)).body.testRun
        if (verdict === 'passed') return
        if (verdict || clock.elapsed() > until) throw new Error(`the flow is ${verdict ?? 'not over'}`)
        await pause(clock, POLL_MS)
      }
    },
    async 'daemon life'(serial) {
      await command('click', '--coordinate', '5', '200', '--device', serial)
      await command('daemon', 'stop')
    },
    async session(serial) {
      const capabilities = { platformName: 'Android', 'appium:udid': serial, 'appium:noReset': true }
      const { body } = await done('POST', '/session', { capabilities: { alwaysMatch: capabilities } })
      const path = `/session/${body.value.sessionId}`
      const { body: found } = await done('POST', `${path}/element`, { using: 'id', value: CELL })
      const [element] = Object.values(found.value)
      await done('GET', `${path}/element/${element}/text`)
      await done('POST', `${path}/element/${element}/click`, {})
      await done('DELETE', path)
    },
  }
  /** Each phone has one caller for clicks. A daemon is one for the whole home. */
  const callers: Partial<Record<Kind, number>> = { click: serials.length, 'daemon life': 1 }

  return {
    async times(kind, count) {
      let left = count
      await Promise.all(
        serials.slice(0, callers[kind] ?? CALLERS).map(async serial => {
          while (left-- > 0) await works[kind](serial)
        }),
      )
    },
    close: () => agent.destroy(),
  }
}
