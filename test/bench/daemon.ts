/** What a command costs that goes through a daemon, against Node starting and doing nothing; device and daemon run beside it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/runtime/clock.ts'
import { readMetadata } from '../../src/surfaces/daemon/identity.ts'
import { daemonPaths } from '../../src/surfaces/daemon/paths.ts'
import { median } from '../support/lines.ts'
import { plainEnv } from '../support/run-program.ts'
import { stopDaemonAtEnd } from './end-on-signal.ts'
import type { BenchRow } from './row.ts'

const ROUNDS = 41
const COLD_ROUNDS = 5
const DIRECT_ROUNDS = 15
const clock = systemClock()

/** This bundle is dist/dev/bench.js. */
const CLI = fileURLToPath(new URL('../svc.cjs', import.meta.url))
/** A device whose screen has a hierarchy of some 53 KB. */
const DEVICE = fileURLToPath(new URL('../test/http-fleet.js', import.meta.url))

interface Stage {
  env: NodeJS.ProcessEnv
  home: string
}

/** Milliseconds from the start of the process to its end. */
const timed = async (args: readonly string[], { env }: Stage): Promise<{ ms: number; stdout: string }> => {
  const began = clock.elapsed()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let stdout = ''
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${stdout}`)
  return { ms: clock.elapsed() - began, stdout }
}

const startDevice = async () => {
  const device = spawn(process.execPath, [DEVICE, '1'], {
    env: plainEnv(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(device.stdout, 'data')) as [Buffer]
  return { device, serial: said.toString().split('\n')[1] ?? '' }
}

/** Sends the request of a snapshot over `node:net`, prints the answer, and does nothing else: no command can cost less. */
const BARE_CLIENT = `
  const body = JSON.stringify({ execution: {
    commandId: 'bare', taskId: 'bare', source: 'bench', expectedFormat: 'android-ui-automator', timeoutMs: 20000,
    actions: [{ id: 'snap', type: 'snapshot' }],
  } })
  const socket = require('node:net').connect(process.argv[1])
  const head = 'POST /execute HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Type: application/json\\r\\nConnection: close\\r\\n'
  socket.write(head + 'Content-Length: ' + body.length + '\\r\\n\\r\\n' + body)
  const chunks = []
  socket.on('data', chunk => chunks.push(chunk))
  socket.on('end', () => {
    require('node:fs').writeSync(1, Buffer.concat(chunks))
    process.exit(0)
  })`

/** In turn with the floor, so that a noisy moment meets all of them. */
const warmRows = async (stage: Stage): Promise<BenchRow[]> => {
  const commands = {
    snapshot: [CLI, 'snapshot'],
    bare: ['-e', BARE_CLIENT, daemonPaths(stage.home, undefined).socket],
    click: [CLI, 'click', '--coordinate', '100', '200'],
  }
  const { stdout } = await timed(commands.snapshot, stage)
  const kilobytes = Math.round(stdout.length / 1_000)
  const names = ['snapshot', 'bare', 'click'] as const
  const times: Record<'floor' | (typeof names)[number], number[]> = {
    floor: [],
    snapshot: [],
    bare: [],
    click: [],
  }
  for (let round = 0; round < ROUNDS; round++) {
    times.floor.push((await timed(['-e', '0'], stage)).ms)
    for (const name of names) times[name].push((await timed(commands[name], stage)).ms)
  }
  const least = median(times.floor)
  const floor = `node -e 0 (${least.toFixed(0)} ms)`
  return [
    { name: `svc snapshot, warm daemon, ${kilobytes} KB`, value: times.snapshot },
    { name: 'the same by a bare client over node:net', value: times.bare },
    { name: 'svc click, warm daemon', value: times.click },
  ].map(({ name, value }) => ({ name, value: median(value), unit: 'ms', floor, ratio: median(value) / least }))
}

/** After the warm rows: a daemon reads anew what another process has done on its device. */
const directRow = async (stage: Stage): Promise<BenchRow> => {
  const direct: number[] = []
  const floors: number[] = []
  for (let round = 0; round < DIRECT_ROUNDS; round++) {
    floors.push((await timed(['-e', '0'], stage)).ms)
    direct.push((await timed([CLI, 'snapshot', '--no-daemon'], stage)).ms)
  }
  const [value, floor] = [median(direct), median(floors)]
  return { name: 'svc snapshot --no-daemon', value, unit: 'ms', floor: 'node -e 0', ratio: value / floor }
}

const coldRow = async (stage: Stage): Promise<BenchRow> => {
  const cold: number[] = []
  const floors: number[] = []
  for (let round = 0; round < COLD_ROUNDS; round++) {
    await timed([CLI, 'daemon', 'stop'], stage)
    floors.push((await timed(['-e', '0'], stage)).ms)
    cold.push((await timed([CLI, 'snapshot'], stage)).ms)
  }
  const [value, floor] = [median(cold), median(floors)]
  return { name: 'svc snapshot that starts the daemon', value, unit: 'ms', floor: 'node -e 0', ratio: value / floor }
}

/** Linux only: what the idle daemon keeps in memory, against a Node process that waits. */
const memoryRow = async ({ home, env }: Stage): Promise<BenchRow[]> => {
  const rssOf = (pid: number) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  const pid = readMetadata(daemonPaths(home, undefined).metadata)?.pid
  if (process.platform !== 'linux' || pid === undefined) return []
  const waiting = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1e6)'], { env })
  await once(waiting.stdout, 'data')
  const floor = rssOf(waiting.pid ?? 0)
  waiting.kill('SIGKILL')
  await once(waiting, 'exit')
  const value = rssOf(pid)
  return [
    { name: 'idle daemon', value, unit: 'MB', floor: `node that waits (${floor.toFixed(0)} MB)`, ratio: value / floor },
  ]
}

export const daemonRows = async (): Promise<BenchRow[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const home = join(folder, 'h')
  const { device, serial } = await startDevice()
  const env = { ...plainEnv(), HOME: folder, PATH: '', SVC_HOME: home, SVC_TCP_DEVICES: serial }
  const stage = { env, home }
  stopDaemonAtEnd(home, CLI, env)
  try {
    const cold = await coldRow(stage)
    const { stdout } = await timed([CLI, 'daemon', 'status'], stage)
    if (!stdout.includes('"running"')) throw new Error(`the commands do not use a daemon: ${stdout}`)
    const warm = await warmRows(stage)
    return [...warm, await directRow(stage), cold, ...(await memoryRow(stage))]
  } finally {
    await timed([CLI, 'daemon', 'stop'], stage).catch(() => {})
    device.kill('SIGTERM')
    await once(device, 'exit')
    rmSync(folder, { recursive: true, force: true })
  }
}
