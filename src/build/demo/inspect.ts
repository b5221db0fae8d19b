/**
 * `npm run inspect`: the viewer of a server of this checkout. After a change under `machines/` the charts are drawn
 * again, the server is built and started again, and open pages reload. Arguments are those of `svc serve`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SHUTDOWN_GRACE_MS } from '../../contracts/limits/limits.ts'
import { type Clock, pause, systemClock } from '../../runtime/clock.ts'

const QUIET_MS = 150

const changesOf = (folder: string, clock: Clock) => {
  let count = 0
  let tell = () => {}
  const watcher = watch(folder, { recursive: true }, (_, file) => {
    if (file !== null && !file.endsWith('.ts')) return
    count += 1
    tell()
  })
  return {
    /** Resolves after a change, at once for one that came meanwhile; or when the signal is aborted. */
    async next(signal: AbortSignal) {
      await new Promise<void>(resolve => {
        tell = () => {
          signal.removeEventListener('abort', tell)
          resolve()
        }
        signal.addEventListener('abort', tell)
        if (count > 0 || signal.aborted) tell()
      })
      for (let seen = -1; seen !== count && !signal.aborted; ) {
        seen = count
        await pause(clock, QUIET_MS, signal)
      }
      count = 0
    },
    close: () => watcher.close(),
  }
}

/** Seen from the bundle in `dist/dev`. */
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** A server that got a signal answers its callers first. */
const END_MS = SHUTDOWN_GRACE_MS + 3_000

const clock = systemClock()
const say = (text: string) => void process.stderr.write(`${text}\n`)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort())

interface Started {
  child: ChildProcess
  /** Its exit code; 1 if a signal ended it. */
  ended: Promise<number>
}

const started = new Set<ChildProcess>()

/** In a group of its own: Ctrl-C reaches this process alone, and each child gets one signal, from here. */
const start = (args: readonly string[]): Started => {
  const stdio = ['ignore', 'ignore', 'pipe'] as const
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: [...stdio], detached: true })
  started.add(child)
  child.stderr?.on('data', chunk => void process.stderr.write(chunk))
  const ended = new Promise<number>(resolve => {
    child.once('error', () => resolve(1))
    child.once('close', code => resolve(code ?? 1))
  })
  void ended.then(() => started.delete(child))
  return { child, ended }
}

const kill = ({ pid }: ChildProcess) => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The process has ended.
  }
}
process.on('exit', () => started.forEach(kill))

const end = async ({ child, ended }: Started) => {
  const over = new AbortController()
  child.kill('SIGTERM')
  await Promise.race([ended, pause(clock, END_MS, over.signal)])
  over.abort()
  kill(child)
  await ended
}

/** True when the program succeeded and nobody interrupted it. */
const run = async (...args: readonly string[]): Promise<boolean> => {
  const program = start(args)
  const onStop = () => kill(program.child)
  stop.signal.addEventListener('abort', onStop, { once: true })
  const code = await program.ended
  stop.signal.removeEventListener('abort', onStop)
  return code === 0 && !stop.signal.aborted
}

let args = process.argv.slice(2)

/** Resolves once it listens; undefined if it ended before. */
const serve = async (): Promise<(Started & { url: string }) | undefined> => {
  const server = start([join(ROOT, 'dist/svc.cjs'), 'serve', ...args])
  const onStop = () => void server.child.kill('SIGTERM')
  stop.signal.addEventListener('abort', onStop, { once: true })
  const url = await new Promise<string | undefined>(resolve => {
    let output = ''
    server.child.stderr?.on('data', chunk => {
      output += String(chunk)
      const [, found] = /listens on (http:\S+)\n/.exec(output) ?? []
      if (found !== undefined) resolve(found)
    })
    void server.ended.then(() => resolve(undefined))
  })
  stop.signal.removeEventListener('abort', onStop)
  return url === undefined ? undefined : { ...server, url }
}

const build = (...flags: string[]) => run(join(ROOT, 'src/build/esbuild.config.js'), ...flags)

/** While anything is wrong with the machines, the server goes on with those it has. */
const redraw = async (): Promise<boolean> => (await build('--charts')) && run(join(ROOT, 'dist/dev/statecharts.js'))

const changes = changesOf(join(ROOT, 'machines'), clock)
let server = await serve()
if (server) {
  // Pages that are open must find the next server where this one was.
  args = [...args, '--port', new URL(server.url).port]
  say(`${server.url}/inspector follows the files of machines/; Ctrl-C ends it.`)
}
const untilChanged = () => Promise.race([changes.next(stop.signal), ...(server ? [server.ended] : [])])

let isOver = server === undefined
while (!isOver) {
  await untilChanged()
  isOver = stop.signal.aborted || (server !== undefined && !started.has(server.child))
  if (isOver) break
  if (await redraw()) {
    if (server) await end(server)
    server = (await build()) ? await serve() : undefined
    if (server) say(`${server.url}/inspector shows the changed machines.`)
    else if (!stop.signal.aborted) say('There is no server now: correct what was said above, and save a machine again.')
  } else if (!stop.signal.aborted) say('The machines were not taken over: correct them, and save again.')
}
changes.close()
if (server && started.has(server.child)) await end(server)
process.exitCode = stop.signal.aborted ? 0 : 1
