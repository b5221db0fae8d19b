/** What the processes of a trial run in: a small disk, a clock that is moved, an adb server that is restarted. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRealAdb, type RealAdb } from '../../support/adb/real-adb.ts'
import { needs, programOnPath } from '../../support/needs.ts'
import { smallDisk } from '../../support/small-disk.ts'
import type { Setting } from './plan-troubles.ts'

/** Holds the journal of a trial several times. */
const DISK = 'size=64m'
const MOVED_CLOCK = fileURLToPath(new URL('../../fixtures/moved-clock.cjs', import.meta.url))

/** Its first process is 1, and it sees no other one of the machine. */
export const CONTAINER = ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']

export interface Surroundings {
  /** Of scripts and outputs; short, so that the sockets of named devices fit. */
  folder: string
  home: string
  /** Of every process of the trial. */
  envOf(serials: readonly string[]): NodeJS.ProcessEnv
  /** What this machine cannot do. */
  lacks: readonly string[]
  fillDisk(): void
  emptyDisk(): void
  moveClock(byMs: number): void
  /** Resolves when the phones are listed again. */
  restartAdb(serials: readonly string[], awayMs: () => Promise<void>): Promise<void>
  connectAdb(serials: readonly string[]): Promise<void>
  canContain: boolean
  close(): Promise<void>
}

const CONNECTS_MAX = 100

const connect = async (adb: RealAdb | undefined, serials: readonly string[]) => {
  for (const serial of adb ? serials : []) {
    for (let tries = 0; tries < CONNECTS_MAX; tries += 1) {
      const { stdout } = (await adb?.run('connect', serial)) ?? { stdout: '' }
      if (/connected to/.test(stdout) && !/failed|cannot/.test(stdout)) break
    }
  }
}

const containerProblem = (): string | undefined => {
  const [program = '', ...words] = [...CONTAINER, 'true']
  const { status, stderr, error } = spawnSync(program, words, { encoding: 'utf8' })
  return status === 0 ? undefined : `no pid namespace can be made: ${error?.message ?? stderr.trim()}`
}

export const openSurroundings = async (setting: Setting): Promise<Surroundings> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-k-')))
  const lacks: string[] = []
  const disk = setting === 'disk' ? smallDisk(DISK) : undefined
  if (setting === 'disk' && !disk) lacks.push('a small disk cannot be mounted')
  const home = join(disk?.path ?? folder, 'h')
  mkdirSync(home, { mode: 0o700 })
  const hasAdb = setting === 'adb' && needs('adb')
  if (setting === 'adb' && !hasAdb) lacks.push('adb is not on the PATH')
  const adb = hasAdb ? createRealAdb() : undefined
  await adb?.start()
  const clockFile = join(folder, 'clock')
  writeFileSync(clockFile, '0')
  const noContainer = setting === 'container' ? containerProblem() : undefined
  if (noContainer !== undefined) lacks.push(noContainer)

  const envOf = (serials: readonly string[]): NodeJS.ProcessEnv => ({
    ...(adb ? { ...adb.env, ADB_PATH: programOnPath('adb') } : { SVC_TCP_DEVICES: serials.join(',') }),
    ...(setting === 'clock' ? { NODE_OPTIONS: `--require ${MOVED_CLOCK}`, TEST_CLOCK_FILE: clockFile } : {}),
    HOME: folder,
    SVC_HOME: home,
  })
  return {
    folder,
    home,
    envOf,
    lacks,
    fillDisk: () => disk?.fill(),
    emptyDisk: () => disk?.empty(),
    moveClock: byMs => writeFileSync(clockFile, String(byMs)),
    async restartAdb(serials, away) {
      await adb?.run('kill-server')
      await away()
      await connect(adb, serials)
    },
    connectAdb: serials => connect(adb, serials),
    canContain: setting === 'container' && noContainer === undefined,
    async close() {
      await adb?.stop()
      disk?.remove()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
