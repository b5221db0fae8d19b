/**
 * Has the heavy half do what servers and commands do, on a simulated phone, and writes its code as it is then: what was
 * used is compiled, and a start of svc compiles it no more. Arguments: the file, and where its code goes.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Script } from 'node:vm'

const [file = '', draft = ''] = process.argv.slice(2)
const svc = join(dirname(file), 'svc.cjs')
const REGISTRY = join(import.meta.dirname, '../../test/fixtures/skills/skills-registry.json')
const CLICKS = 5

const action = { id: 'tap', type: 'click', params: { coordinate: { x: 5, y: 200 } } }
const execution = {
  commandId: 'rehearsal',
  taskId: 'rehearsal',
  source: 'build',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 20_000,
  actions: [action],
}
const MCP_HEADERS = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18' }

// Taken back before the code is written, for V8 takes no code that was made under other flags than its own.
setFlagsFromString('--no-flush-bytecode')
// As src/surfaces/cli/main.ts wraps a piece.
const script = new Script(`(function (exports, require, module) {${readFileSync(file, 'utf8')}\n})`, { filename: file })
const heavy = { exports: /** @type {any} */ ({}), filename: file }
script.runInThisContext().call(heavy.exports, heavy.exports, createRequire(file), heavy)

const home = mkdtempSync(join(tmpdir(), 'svc-build-'))
const phone = spawn(process.execPath, [svc, 'simulate', '--operator', 'socket'], {
  env: { HOME: home, PATH: '' },
  stdio: ['ignore', 'pipe', 'inherit'],
})

try {
  const [line] = await once(phone.stdout, 'data')
  const { serial } = JSON.parse(line).devices[0]
  const env = { HOME: home, PATH: '', SVC_TCP_DEVICES: serial, SVC_SKILLS_REGISTRY: REGISTRY }
  const { createServices } = await heavy.exports.load['src/start/command.ts']()
  const services = createServices({ env, cwd: home, note: () => {}, program: svc })
  const started = await services.serve({
    version: '0.0.0',
    entryPath: svc,
    host: '127.0.0.1',
    port: 0,
    allowOrigins: [],
  })
  if (!started.ok) throw new Error(started.error.message)
  const { port } = started.server.address

  /** @param {string} path @param {unknown} [body] @param {Record<string, string>} [headers] */
  const ask = async (path, body, headers = {}) => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...sent,
      headers: { 'Content-Type': 'application/json', ...headers },
    })
    const text = await answer.text()
    if (answer.status >= 500) throw new Error(`${path}: ${text}`)
    return { text, session: answer.headers.get('mcp-session-id') ?? '' }
  }

  for (let click = 0; click < CLICKS; click++) await ask('/execute', { execution, deviceId: serial })
  await ask('/execute', { execution })
  await ask('/execute', { execution: { ...execution, actions: [{ id: 'no', type: 'click', params: {} }] } })
  await ask('/snapshot', { deviceId: serial })
  await ask('/screenshot', { deviceId: serial })
  for (const path of ['/ping', '/health', '/version', '/devices', '/executions', '/skills', '/openapi.json'])
    await ask(path)
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'build', version: '0' } }
  const { session } = await ask('/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params: client }, MCP_HEADERS)
  const inSession = { ...MCP_HEADERS, 'Mcp-Session-Id': session }
  await ask('/mcp', { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} }, inSession)
  await started.server.close({ graceMs: 1_000 })
  await services.close()

  setFlagsFromString('--flush-bytecode')
  writeFileSync(draft, script.createCachedData())
} finally {
  phone.kill()
  rmSync(home, { recursive: true, force: true })
}
process.exit(0)
