/**
 * `npm run picture`: the first picture of the README, `.github/terminal.svg`. Real commands on a simulated phone; one of
 * them loses its daemon to SIGKILL while the phone is at work, and the receipt says what became of it.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pause, systemClock } from '../../runtime/clock.ts'

const CLI = fileURLToPath(new URL('../svc.cjs', import.meta.url))
const OUT = fileURLToPath(new URL('../../.github/terminal.svg', import.meta.url))
const COLUMNS = 100
const LINE_PX = 18
const CHAR_PX = 8.4
const EDGE_PX = 20
/** Bounds the start of a simulated phone. */
const START_MS = 30_000

const clock = systemClock()
const home = mkdtempSync(join(tmpdir(), 'svc-picture-'))
/** None of the caller's: what is recorded must be the same everywhere, and touch nothing of theirs. */
const env: NodeJS.ProcessEnv = { HOME: home, PATH: process.env.PATH }
const lines: { text: string; kind: 'typed' | 'out' | 'said' }[] = []

const start = (args: readonly string[]) => {
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.on('data', chunk => {
    output += String(chunk)
  })
  const ended = new Promise<string>(resolve => child.once('close', () => resolve(output)))
  return { child, ended, said: () => output }
}
const svc = async <T = unknown>(...args: string[]) => JSON.parse(await start(args).ended) as T

const type = (text: string) => lines.push({ text: `$ ${text}`, kind: 'typed' })
const comment = (text: string) => lines.push({ text, kind: 'said' })
/** The parts of the output that are to be seen, as they are. */
const show = (value: unknown) => {
  for (const line of JSON.stringify(value, null, 2).split('\n')) {
    lines.push({ text: line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line, kind: 'out' })
  }
}

const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

const svg = () => {
  const width = Math.ceil(COLUMNS * CHAR_PX) + 2 * EDGE_PX
  const height = lines.length * LINE_PX + 2 * EDGE_PX
  const texts = lines.map(
    ({ text, kind }, index) =>
      `<text class="${kind}" x="${EDGE_PX}" y="${EDGE_PX + (index + 1) * LINE_PX - 5}">${escaped(text)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>svc: a click, a wait whose daemon is killed, and the receipt that says it may have executed</title>
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre;fill:#c9d1d9}
.typed{fill:#7ee787;font-weight:600}.said{fill:#8b949e;font-style:italic}</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${texts.join('\n')}
</svg>
`
}

const record = async () => {
  const simulated = start(['simulate'])
  const until = clock.elapsed() + START_MS
  while (!simulated.said().includes('\n')) {
    if (clock.elapsed() > until || simulated.child.exitCode !== null) throw new Error('no phone could be simulated')
    await pause(clock, 20)
  }
  const { devices } = JSON.parse(simulated.said()) as { devices: { serial: string }[] }
  env.SVC_TCP_DEVICES = devices[0]?.serial
  try {
    await svc('open', 'com.android.settings')
    type('svc click --text Wi-Fi')
    const clicked = await svc<{ envelope: { status: string; stepResults: unknown } }>('click', '--text', 'Wi-Fi')
    const { status, stepResults } = clicked.envelope
    show({ status, stepResults })
    lines.push({ text: '', kind: 'out' })
    type('svc wait --text Downloaded --timeout 30000 & sleep 1; kill -9 $DAEMON')
    const waiting = start(['wait', '--text', 'Downloaded', '--timeout', '30000'])
    await pause(clock, 1_000)
    const { daemon } = await svc<{ daemon: { pid: number } }>('daemon', 'status')
    process.kill(daemon.pid, 'SIGKILL')
    const { code, message } = JSON.parse(await waiting.ended) as Record<string, unknown>
    show({ code, message })
    lines.push({ text: '', kind: 'out' })
    comment('# Did it happen? Ask the receipt.')
    type('svc executions list --limit 1')
    const { executions } = (await svc('executions', 'list', '--limit', '1')) as {
      executions: Record<string, unknown>[]
    }
    const [receipt] = executions
    const result = receipt?.result as { error: { code: string; message: string; details: unknown } }
    show({ state: receipt?.state, error: { code: result.error.code, message: result.error.message } })
  } finally {
    await svc('daemon', 'stop').catch(() => {})
    simulated.child.kill('SIGTERM')
    await simulated.ended
  }
}

try {
  await record()
  writeFileSync(OUT, svg())
  process.stdout.write(`${OUT}\n`)
} finally {
  rmSync(home, { recursive: true, force: true })
}
