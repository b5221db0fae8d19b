/**
 * `npm run picture`: the first picture of the README, `.github/terminal.svg`. Real commands on a simulated phone; one of
 * them loses its daemon to SIGKILL while the phone is at work; the phone is asked, and the receipt says what became of it.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pause, systemClock } from '../../runtime/clock.ts'
import { withReferences } from '../../runtime/text/xml-text.ts'

const CLI = fileURLToPath(new URL('../svc.cjs', import.meta.url))
const OUT = fileURLToPath(new URL('../../.github/terminal.svg', import.meta.url))
const COLUMNS = 100
const LINE_PX = 18
const CHAR_PX = 8.4
const EDGE_PX = 20
/** Bounds the start of a simulated phone. */
const START_MS = 30_000
const KILLED_AFTER_MS = 1_000
const SLEEP_MS = 4_000

/** The daemon dies in the sleep; the phone goes on. */
const LIST = {
  ...{ commandId: 'list', taskId: 'list', source: 'me', expectedFormat: 'android-ui-automator', timeoutMs: 20_000 },
  actions: [
    { id: 'wifi', type: 'click', params: { matcher: { textEquals: 'Wi-Fi' } } },
    { id: 'pause', type: 'sleep', params: { durationMs: SLEEP_MS } },
    { id: 'display', type: 'click', params: { matcher: { textEquals: 'Display' } } },
  ],
}

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
const show = (value: unknown) => showText(JSON.stringify(value, null, 2))

const showText = (text: string) => {
  for (const line of text.trimEnd().split('\n')) {
    lines.push({ text: line.length > COLUMNS ? `${line.slice(0, COLUMNS - 1)}…` : line, kind: 'out' })
  }
}

const escaped = (text: string) => withReferences(text, /[&<>]/g)

const svg = () => {
  const width = Math.ceil(COLUMNS * CHAR_PX) + 2 * EDGE_PX
  const height = lines.length * LINE_PX + 2 * EDGE_PX
  const texts = lines.map(
    ({ text, kind }, index) =>
      `<text class="${kind}" x="${EDGE_PX}" y="${EDGE_PX + (index + 1) * LINE_PX - 5}">${escaped(text)}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<title>svc: a click, a list whose daemon is killed, and the receipt that says what the phone told of it</title>
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
    type('svc exec wifi-then-display.json & sleep 1; kill -9 $DAEMON')
    const waiting = start(['exec', JSON.stringify(LIST)])
    await pause(clock, KILLED_AFTER_MS)
    const { daemon } = await svc<{ daemon: { pid: number } }>('daemon', 'status')
    process.kill(daemon.pid, 'SIGKILL')
    const { code, message } = JSON.parse(await waiting.ended) as Record<string, unknown>
    show({ code, message })
    lines.push({ text: '', kind: 'out' })
    comment('# Did it happen? The phone is asked, and the receipt says it.')
    await pause(clock, SLEEP_MS)
    type('svc executions show last --output text')
    showText(await start(['executions', 'show', 'last', '--output', 'text']).ended)
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
