/**
 * Runs commands on a simulated phone, with and without a daemon, and writes the code of each piece that they loaded as it
 * is then: what was used is compiled. V8 reads the code of a piece as a whole, so what is seldom used is better compiled
 * when it is used. Arguments: the folder of the build, and where the code goes.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

const [dist = '', drafts = ''] = process.argv.slice(2)
const svc = join(dist, 'svc.cjs')
const HEAVY_HALF = join(dist, 'heavy.cjs')
const REGISTRY = join(import.meta.dirname, '../../test/fixtures/skills/skills-registry.json')
const SKILL = 'com.android.settings.open-row'
const STDOUT = 1
/** Ends a build whose phone or daemon does not answer. */
const LONGEST_MS = 60_000

const payload = JSON.stringify({
  commandId: 'rehearsal',
  taskId: 'rehearsal',
  source: 'build',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 20_000,
  actions: [
    { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } },
    { id: 'tap', type: 'tap', params: { selector: { textEquals: 'Wi-Fi' } } },
    { id: 'look', type: 'snapshot' },
  ],
})

const CLICK = ['click', '--coordinate', '5', '200']
const HERE = [['snapshot'], CLICK, ['exec', payload]].map(words => [...words, '--no-daemon'])
const COMMANDS = [
  ['snapshot'],
  ['screenshot'],
  CLICK,
  ['exec', payload],
  ['exec', '--payload', payload, '--validate-only'],
  ['click', '--text', 'OK', '--dry-run'],
  ...HERE,
  ['skills', 'list'],
  ['skills', 'search', 'battery'],
  ['skills', 'validate', '--all'],
  ['skills', 'run', SKILL],
]

/** The pieces in the order in which they were loaded. @type {Map<string, { script: Script, exports: unknown }>} */
const pieces = new Map()

/** As src/surfaces/cli/main.ts loads a piece, with nothing compiled. @param {string} file */
const loadPiece = file => {
  const known = pieces.get(file)
  if (known) return known.exports
  const source = `(function (exports, require, module) {${readFileSync(file, 'latin1')}\n})`
  const script = new Script(source, { filename: file })
  const module = { exports: {}, filename: file }
  const piece = { script, exports: module.exports }
  pieces.set(file, piece)
  const ordinary = createRequire(file)
  const take = (/** @type {string} */ id) => (id.startsWith('.') ? loadPiece(join(dirname(file), id)) : ordinary(id))
  script.runInThisContext().call(module.exports, module.exports, Object.assign(take, ordinary), module)
  piece.exports = module.exports
  return module.exports
}

// Taken back before the code is written, for V8 takes no code that was made under other flags than its own.
setFlagsFromString('--no-flush-bytecode')

const home = mkdtempSync(join(tmpdir(), 'svc-build-'))
const phone = spawn(process.execPath, [svc, 'simulate', '--operator', 'socket'], {
  env: { HOME: home, PATH: '' },
  stdio: ['ignore', 'pipe', 'inherit'],
})

/** @param {string[]} words */
const runElsewhere = async words => {
  const [code] = await once(
    spawn(process.execPath, [svc, ...words], { stdio: ['ignore', 'ignore', 'inherit'], timeout: LONGEST_MS }),
    'exit',
  )
  if (code !== 0) throw new Error(`svc ${words.join(' ')} exited with ${code}`)
}

let hasDaemon = false
try {
  const [line] = await once(phone.stdout, 'data', { signal: AbortSignal.timeout(LONGEST_MS) })
  const { serial } = JSON.parse(line).devices[0]
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, { HOME: home, PATH: '', SVC_TCP_DEVICES: serial, SVC_SKILLS_REGISTRY: REGISTRY })
  process.argv[1] = svc
  // Each command listens to what ends a process.
  process.setMaxListeners(0)
  hasDaemon = true
  await runElsewhere(['daemon', 'start'])
  // The commands write their output here.
  closeSync(STDOUT)
  openSync('/dev/null', 'w')
  const start = loadPiece(join(dist, 'quick/surfaces-cli-start.cjs'))
  const { main } = /** @type {typeof import('../surfaces/cli/start.ts')} */ (start)
  for (const words of COMMANDS) {
    const code = await main(words)
    if (code !== 0) throw new Error(`svc ${words.join(' ')} exited with ${code}`)
  }
  setFlagsFromString('--flush-bytecode')
  pieces.delete(HEAVY_HALF)
  for (const [file, { script }] of pieces) {
    writeFileSync(join(drafts, relative(dist, file).replace('/', '~')), script.createCachedData())
  }
} finally {
  if (hasDaemon) await runElsewhere(['daemon', 'stop']).catch(() => {})
  phone.kill()
  rmSync(home, { recursive: true, force: true })
}
process.exit(0)
