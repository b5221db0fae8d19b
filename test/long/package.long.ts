/** The package as its users have it: packed, installed by npm without a compiler, run by another user, upgraded at work. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../architecture/sources.ts'
import { page } from '../build/docs/documents.ts'
import { type Lab, payloadOf, startLab } from '../support/executions/lab.ts'
import { programOnPath } from '../support/needs.ts'
import { treeOf } from '../support/tree.ts'
import { until } from '../support/until.ts'

/** The commit before there was an installer. A clone without its history upgrades from this very version instead. */
const BEFORE = '81af3e4da4f4cbe8f604e9b64f2e482fc73a8b51'
const SETUP_MS = 240_000
const NOBODY = 65_534

let folder: string
let bin: string
let lab: Lab
const pids = new Set<number>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-package-'))
  chmodSync(folder, 0o755)
  // What npm needs, and nothing that compiles.
  bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const name of ['node', 'npm', 'sh', 'git']) symlinkSync(programOnPath(name) ?? '', join(bin, name))
  lab = await startLab()
})
afterAll(async () => {
  for (const pid of pids) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL')
  await lab.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const npm = (args: readonly string[], cwd: string) =>
  promisify(execFile)(join(bin, 'npm'), [...args, '--no-audit', '--no-fund', '--no-update-notifier'], {
    cwd,
    env: { ...process.env, PATH: bin },
    maxBuffer: 16 * 1_024 * 1_024,
  })

/** Of a folder whose `dist` is built. */
const pack = async (from: string, name: string): Promise<string> => {
  const to = join(folder, name)
  mkdirSync(to)
  await npm(['pack', '--ignore-scripts', '--pack-destination', to], from)
  return join(to, readdirSync(to)[0] ?? '')
}

const packBefore = async (): Promise<string> => {
  if (spawnSync('git', ['cat-file', '-e', `${BEFORE}^{commit}`], { cwd: ROOT }).status !== 0) {
    console.warn(`${BEFORE} is not in this clone: upgrading from this version instead`)
    return pack(ROOT, 'before')
  }
  const source = join(folder, 'source')
  mkdirSync(source)
  const archive = execFileSync('git', ['archive', BEFORE], { cwd: ROOT, maxBuffer: 256 * 1_024 * 1_024 })
  execFileSync('tar', ['-x', '-C', source], { input: archive })
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'))
  // Earlier versions have it at the root.
  const script = ['src/build/esbuild.config.js', 'esbuild.config.js'].find(path => existsSync(join(source, path))) ?? ''
  execFileSync(process.execPath, [script], { cwd: source, stdio: 'pipe' })
  return pack(source, 'before')
}

const installed = (tarball: string) => npm(['install', '-g', '--prefix', join(folder, 'prefix'), tarball], folder)

/** Another user than the one who installed it, where there can be one. */
const newUser = () => {
  const home = mkdtempSync(join(folder, 'u-'))
  const uid = process.getuid?.() === 0 ? NOBODY : undefined
  const give = (path: string) => (uid === undefined ? undefined : chownSync(path, uid, uid))
  give(home)
  const env = {
    HOME: home,
    PATH: `${join(folder, 'prefix/bin')}:${bin}`,
    SVC_TCP_DEVICES: lab.fleet.devices[0]?.serial ?? '',
    SVC_DAEMON_IDLE_MS: '120000',
  }
  const options = { cwd: '/', env, ...(uid === undefined ? {} : { uid, gid: uid }) }
  const svc = async (...args: string[]) =>
    (await promisify(execFile)(join(folder, 'prefix/bin/svc'), args, options)) as { stdout: string; stderr: string }
  const json = async (...args: string[]) => JSON.parse((await svc(...args)).stdout)
  return { home, give, svc, json }
}

/** All but the rights: an older version left them to the umask. */
const skillsIn = (home: string) =>
  Object.fromEntries(
    Object.entries(treeOf(join(home, '.svc/skills'))).map(([path, said]) => [
      path,
      said.replace(/^(\w+) [0-7]+ /, '$1 '),
    ]),
  )

test('upgrades under a running daemon, keeps what is the user’s, and works for another user', {
  timeout: SETUP_MS,
}, async () => {
  const before = await packBefore()
  const now = await pack(ROOT, 'now')
  const [, stated] = /The package is about ([\d.]+) MB/.exec(page('install')) ?? []
  expect(Math.abs(statSync(now).size / 1e6 / Number(stated) - 1)).toBeLessThan(0.1)
  await installed(before)
  const { home, give, svc, json } = newUser()
  const write = (path: string, text: string) => {
    writeFileSync(path, text)
    give(path)
  }

  await json('skills', 'install')
  const { skillPath } = await json('skills', 'new', 'com.example.mine')
  appendFileSync(join(skillPath, 'SKILL.md'), '\nEdited by its owner.\n')
  mkdirSync(join(home, '.agents'))
  give(join(home, '.agents'))
  write(join(home, '.agents/AGENTS.md'), 'My own rules.\n')
  write(join(home, '.bashrc'), 'export MINE=1\n')
  await json('back')
  const old = (await json('daemon', 'status')).daemon
  pids.add(old.pid)
  const kept = { skills: skillsIn(home), receipts: (await json('executions', 'list')).count }

  const sleeping = json('exec', JSON.stringify(payloadOf([{ id: 'z', type: 'sleep', params: { durationMs: 12_000 } }])))
  await until(() => (lab.fleet.devices[0]?.phone.executions().length ?? 0) === 2, 'the execution to run')
  await installed(now)
  // It was dispatched by the old daemon, whose files are gone by now.
  expect((await sleeping).envelope.status).toBe('success')
  expect((await json('back')).envelope.status).toBe('success')
  const replaced = (await json('daemon', 'status')).daemon
  pids.add(replaced.pid)
  expect(replaced.pid).not.toBe(old.pid)
  await until(() => !existsSync(`/proc/${old.pid}`), 'the old daemon to be gone')

  const first = await json('install')
  expect(first).toMatchObject({
    ok: true,
    updated: [join(home, '.agents/AGENTS.md'), join(home, '.svc/skills')],
    refused: [],
    skipped: [],
  })
  expect(skillsIn(home)).toEqual(kept.skills)
  expect((await json('executions', 'list')).count).toBe(kept.receipts + 2)
  expect((await json('skills', 'get', 'com.example.mine')).skill.id).toBe('com.example.mine')
  expect(readFileSync(join(home, '.agents/AGENTS.md'), 'utf8')).toMatch(/^My own rules\.\n/)

  await json('uninstall')
  expect(readFileSync(join(home, '.agents/AGENTS.md'), 'utf8')).toBe('My own rules.\n')
  expect(readFileSync(join(home, '.bashrc'), 'utf8')).toBe('export MINE=1\n')
  expect(readdirSync(home).sort()).toEqual(['.agents', '.bashrc', '.svc'])
  expect(skillsIn(home)).toEqual(kept.skills)
  await svc('daemon', 'stop')

  const another = newUser()
  const hinted = await another.svc('back', '--no-daemon')
  expect(JSON.parse(hinted.stdout).envelope.status).toBe('success')
  // A script is not spoken to; on a terminal a new user is told what is next (test/surfaces/cli/first-use.system.test.ts).
  expect(hinted.stderr).toBe('')
})
