// Makes a golden journal with a build of svc: `node capture.js <folder of the build> <name>`; what the build lacks is left out.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import Database from 'libsql'

const [, , folder = '.', name = 'unnamed'] = process.argv
const svc = resolve(folder, 'dist/svc.cjs')
const here = new URL('.', import.meta.url)
const work = mkdtempSync(join(tmpdir(), 'golden-'))
/** @type {Record<string, string>} */
const env = { HOME: work, PATH: '/usr/bin:/bin', SVC_NO_DAEMON: '1', LANG: 'C.UTF-8' }
/** @type {import('node:child_process').ChildProcess[]} */
const children = []

/** @param {readonly string[]} args @param {Record<string, string>} [more] */
const start = (args, more = {}) => {
  const child = spawn(process.execPath, [svc, ...args], { env: { ...env, ...more }, cwd: work })
  children.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', data => (said += data))
  return { child, said: () => said }
}
/** @param {readonly string[]} args @param {Record<string, string>} [more] */
const run = (args, more = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [svc, ...args], {
    env: { ...env, ...more },
    cwd: work,
    encoding: 'utf8',
    timeout: 60_000,
  })
  console.log(`svc ${args.join(' ')}: ${status} ${(stdout + stderr).slice(0, 160).replaceAll('\n', ' ')}`)
  return { status, stdout }
}
/** @param {() => unknown} isThere @param {string} what */
const until = async (isThere, what) => {
  for (let tries = 0; tries < 300; tries++) {
    const found = await isThere()
    if (found) return found
    await pause(100)
  }
  throw new Error(`waited in vain for ${what}`)
}
const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  server.close()
  return port
}

const phones = start(['simulate', '--count', '3'])
const serials = /** @type {string[]} */ (
  await until(
    () =>
      phones
        .said()
        .match(/127\.0\.0\.1:\d+/g)
        ?.filter((one, at, all) => all.indexOf(one) === at),
    'phones',
  )
)
env.SVC_TCP_DEVICES = serials.join(',')
const [first = '', second = '', third = ''] = serials

const serve = async (/** @type {string[]} */ ...flags) => {
  const port = await freePort()
  const server = start(['serve', '--port', `${port}`, ...flags], { SVC_SKILLS_REGISTRY: registry })
  const url = `http://127.0.0.1:${port}`
  await until(
    () =>
      fetch(`${url}/ping`).then(
        ({ ok }) => ok,
        () => false,
      ),
    `the server: ${server.said()}`,
  )
  /** @param {string} method @param {string} path @param {object} [body] @param {Record<string, string>} [headers] */
  const ask = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(error => ({ status: 0, text: async () => JSON.stringify(`${error}`) }))
    const text = await answer.text()
    if (method !== 'GET') console.log(`${method} ${path}: ${answer.status} ${text.slice(0, 140)}`)
    try {
      return { status: answer.status, body: JSON.parse(text) }
    } catch {
      return { status: answer.status, body: undefined }
    }
  }
  return { ...server, ask }
}

/** @param {string} commandId @param {object[]} actions */
const payload = (commandId, actions) => ({
  commandId,
  taskId: 'golden',
  source: 'golden',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 20_000,
  actions: actions.map((action, at) => ({ id: `a${at}`, ...action })),
})
const snapshot = { type: 'snapshot' }
const sleep = (/** @type {number} */ durationMs) => ({ type: 'sleep', params: { durationMs } })
const click = (/** @type {string} */ textEquals) => ({ type: 'click', params: { matcher: { textEquals } } })

const SKILLS = { good: 'success', bad: 'failed' }
const registry = join(work, 'repo', 'skills', 'skills-registry.json')
const write = (/** @type {string} */ path, /** @type {string} */ text) => {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
}
const entries = Object.entries(SKILLS).map(([intent, status]) => {
  const id = `com.android.settings.${intent}`
  const path = `skills/${id}`
  const frame = { contractVersion: '1.0.0', skillId: id, goal: null, inputs: {}, status, result: null, checkpoints: [] }
  const files = { [`${path}/SKILL.md`]: '# x\n', [`${path}/scripts/run.sh`]: '#!/bin/sh\n' }
  const entry = {
    ...{ id, applicationId: 'com.android.settings', intent, summary: `Is ${status}`, path },
    ...{ skillFile: `${path}/SKILL.md`, scripts: [`${path}/scripts/run.js`, `${path}/scripts/run.sh`], artifacts: [] },
  }
  const script = `import { spawnSync } from 'node:child_process'
const ran = spawnSync(process.env.SVC_BIN ?? '', ['snapshot', '--device', process.argv[2]], { encoding: 'utf8' })
const frame = { ...${JSON.stringify(frame)}, checkpoints: [{ id: 'looked', status: ran.status === 0 ? 'ok' : 'failed' }] }
process.stdout.write('[Svc-Skill-Result]\\n' + JSON.stringify(frame) + '\\n')
`
  for (const [file, text] of Object.entries({
    ...files,
    [`${path}/scripts/run.js`]: script,
    [`${path}/skill.json`]: JSON.stringify(entry),
  }))
    write(join(work, 'repo', file), text)
  return entry
})
write(registry, JSON.stringify({ schemaVersion: '1.0', skills: entries }))
write(join(work, 'repo', 'package.json'), '{"type":"module"}')

// What a user does in a session with a server.
const one = await serve()
/** @param {{ ask: Awaited<ReturnType<typeof serve>>['ask'] }} server @param {string} commandId @param {string} deviceId @param {object[]} actions @param {Record<string, string>} [headers] @param {object} [more] */
const execute = ({ ask }, commandId, deviceId, actions, headers, more) =>
  ask('POST', '/execute', { execution: payload(commandId, actions), deviceId, ...more }, headers)
await execute(one, 'done', first, [snapshot, click('Network & internet'), sleep(10)])
await execute(one, 'failed', first, [click('No such label')])
await execute(one, 'keyed', first, [sleep(20)], { 'Idempotency-Key': 'golden-key' })
await execute(one, 'keyed', first, [sleep(20)], { 'Idempotency-Key': 'golden-key' })
const cancelled = execute(one, 'cancelled', second, [sleep(15_000)])
const running = await until(async () => {
  const { body } = await one.ask('GET', '/executions?limit=5')
  return body?.executions?.find((/** @type {{ commandId: string }} */ each) => each.commandId === 'cancelled')
}, 'the execution to cancel')
const queued = execute(one, 'queued', second, [sleep(10)], {}, { waitMs: 20_000 })
await pause(300)
await one.ask('DELETE', `/executions/${/** @type {{ executionId: string }} */ (running).executionId}`)
await Promise.all([cancelled, queued])
for (const { id } of entries) await one.ask('POST', `/skills/${id}/run`, { deviceId: first, args: [first] })

// Commands, a daemon, and what later builds have.
run(['snapshot', '--device', first])
run(['snapshot', '--device', first], { SVC_NO_DAEMON: '0' })
run(['daemon', 'stop', '--device', first], { SVC_NO_DAEMON: '0' })
const flow = 'appId: com.android.settings\n---\n- launchApp\n- assertVisible: Settings\n'
write(join(work, 'flows', 'passes.yaml'), flow)
write(join(work, 'flows', 'fails.yaml'), `${flow}- assertVisible:\n    text: No such label\n    optional: false\n`)
if (run(['test', '--help']).status === 0) run(['test', join(work, 'flows'), '--device', second])
const { status, body } = await one.ask('POST', '/leases', { device: second, forMs: 60_000 })
if (status === 200) {
  const { leaseId } = body.lease
  await execute(one, 'leased', second, [sleep(10)], { 'Svc-Lease': leaseId })
  await one.ask('PUT', `/leases/${leaseId}`, { forMs: 90_000 })
  await one.ask('DELETE', `/leases/${leaseId}`)
}
if (run(['record', '--help']).status === 0) {
  await one.ask('POST', `/devices/${first}/recording`, {})
  await pause(1_500)
  await one.ask('DELETE', `/devices/${first}/recording`)
}

// A process that is killed in the middle, and one that finds what it left.
const killed = execute(one, 'interrupted', third, [sleep(15_000)])
await pause(1_500)
one.child.kill('SIGKILL')
await killed
const two = await serve(...(run(['webdriver', '--help']).status === 0 ? ['--webdriver'] : []))
await until(async () => {
  const { body } = await two.ask('GET', '/executions?limit=5')
  return body?.executions?.some((/** @type {{ state: string }} */ { state }) => state === 'interrupted')
}, 'the interrupted execution')
const session = await two.ask('POST', '/session', {
  capabilities: {
    alwaysMatch: { platformName: 'Android', 'appium:udid': second, 'appium:appPackage': 'com.android.settings' },
  },
})
if (session.status === 200) {
  const path = `/session/${session.body.value.sessionId}`
  await two.ask('POST', `${path}/element`, { using: 'xpath', value: '//*[@text="Settings"]' })
  await two.ask('POST', `${path}/element`, { using: 'xpath', value: '//*[@text="No such label"]' })
  await two.ask('DELETE', path)
}
await two.ask('POST', '/leases', { device: first, forMs: 600_000 })
// The phone may still be at work on the interrupted one.
const left = execute(two, 'left', third, [sleep(15_000)], {}, { waitMs: 20_000 })
await until(async () => {
  const { body } = await two.ask('GET', '/executions?commandId=left')
  return body?.executions?.some((/** @type {{ state: string }} */ { state }) => state === 'dispatched')
}, 'the execution that is left')
const told = {
  executions: (await two.ask('GET', '/executions?limit=100')).body?.executions,
  actors: (await two.ask('GET', '/actors')).body?.actors,
}
two.child.kill('SIGKILL')
await left
for (const child of children) child.kill('SIGKILL')
await pause(500)

const file = join(work, '.svc', 'journal', 'journal.db')
if (!existsSync(file)) throw new Error(`no journal at ${file}`)
const database = new Database(file)
database.exec('PRAGMA wal_checkpoint(TRUNCATE); VACUUM')
const [schema] = /** @type {[number]} */ (database.prepare('PRAGMA user_version').raw().get())
const [leases] = [database.prepare('SELECT key, fence, fact IS NOT NULL AS held FROM leases ORDER BY key').all()]
database.close()
const bytes = readFileSync(file)
writeFileSync(new URL(`${name}.db.gz`, here), gzipSync(bytes, { level: 9 }))
const sha256 = createHash('sha256').update(bytes).digest('hex')
writeFileSync(
  new URL(`${name}.json.gz`, here),
  gzipSync(JSON.stringify({ schema, sha256, leases, ...told }), { level: 9 }),
)
rmSync(work, { recursive: true, force: true })
console.log(`schema ${schema}, ${bytes.length} bytes`)
process.exit(0)
