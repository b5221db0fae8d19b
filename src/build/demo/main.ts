/**
 * `npm run demo`: a simulated phone, `svc serve` before it, one execution and one skill over HTTP, with the streams of events beside them.
 * Nothing else has to be installed. `npm run demo -- --stay` keeps both running.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createParser } from 'eventsource-parser'
import type { ExecutionResult } from '../../contracts/executions/execution-result.ts'
import type { Receipt } from '../../contracts/executions/receipt.ts'
import type { SkillRunResponse } from '../../contracts/skills/skill-run.ts'
import { pause } from '../../runtime/clock.ts'
import { createServices } from '../../start/command.ts'

/** Calls for each event until the signal is aborted. */
const followStream = async (
  url: string,
  signal: AbortSignal,
  onEvent: (event: { name: string; data: string }) => void,
) => {
  const response = await fetch(url, { signal })
  const text = new TextDecoder()
  const parser = createParser({ onEvent: ({ event: name = '', data }) => onEvent({ name, data }) })
  for await (const chunk of response.body ?? []) parser.feed(text.decode(chunk, { stream: true }))
}

const demoPayload = (screenshot: string) => ({
  commandId: 'demo',
  taskId: 'demo',
  source: 'demo',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 30_000,
  actions: [
    { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } },
    {
      id: 'find',
      type: 'scroll_until',
      params: { matcher: { textEquals: 'About phone' }, clickAfter: true, maxDurationMs: 20_000 },
    },
    { id: 'there', type: 'wait_for_node', params: { matcher: { textEquals: 'Android version' } } },
    { id: 'version', type: 'read_key_value_pair', params: { labelMatcher: { textEquals: 'Android version' } } },
    { id: 'shot', type: 'take_screenshot', params: { path: screenshot } },
  ],
})

const say = (line: string) => process.stdout.write(`${line}\n`)
const note = (text: string) => process.stderr.write(`${text}\n`)
const stays = process.argv.includes('--stay')

/** The folder of the demo's journal goes when it ends; the screenshot is for you to look at. */
const home = mkdtempSync(join(tmpdir(), 'svc-demo-'))
const screenshot = join(tmpdir(), 'svc-demo-about-phone.png')
const environment = { HOME: home, PATH: '', SVC_NO_DAEMON: '1' }

/** Seen from the bundle: the demo is run in the repository. */
const EXAMPLES = '../test/fixtures/skills/skills-registry.json'
const SKILL = 'com.android.settings.search-replay'

const lab = createServices({ env: environment, cwd: home, note })
const fleet = await lab.simulate({ count: 1 })
const serial = fleet.devices[0]?.serial ?? ''
const built = fileURLToPath(new URL('..', import.meta.url))
const services = createServices({
  env: { ...environment, SVC_TCP_DEVICES: serial, SVC_SKILLS_REGISTRY: join(built, EXAMPLES) },
  cwd: home,
  note,
  program: join(built, 'svc.cjs'),
})
const started = await services.serve({
  host: '127.0.0.1',
  port: 0,
  allowOrigins: [],
  version: __SVC_VERSION__,
  entryPath: process.argv[1],
})
if (!started.ok) throw new Error(started.error.message)
const { server } = started
const streams = new AbortController()

/** A stream ends with an error when we end it. */
const follow = (path: string, onEvent: Parameters<typeof followStream>[2]) =>
  void followStream(`${server.url}${path}`, streams.signal, onEvent).catch(() => {})

const printStreams = () => {
  follow('/actors/events', ({ name, data }) => {
    if (name !== 'svc:transition') return
    const { seq, actor, event, from, to } = JSON.parse(data) as Record<string, string | number>
    say(`  ${String(seq).padStart(3)}  ${actor}  ${String(event).padEnd(22)} ${from || '(new)'} -> ${to}`)
  })
  follow('/events', ({ name, data }) => say(`       /events: ${name} (${data.length} bytes of JSON)`))
}

const printResult = (result: ExecutionResult) => {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`)
  say('\nWhat the phone answered:\n')
  for (const { id, actionType, success, data } of result.envelope.stepResults) {
    const facts = Object.entries(data).map(([key, value]) => `${key}=${value}`)
    say(`  ${success ? 'ok ' : 'NOT'}  ${id.padEnd(8)} ${actionType.padEnd(20)} ${facts.join('  ')}`)
  }
  if (result.envelope.status !== 'success') throw new Error(result.envelope.error?.message ?? 'the execution failed')
  say(`\nThe screenshot: ${screenshot} (${statSync(screenshot).size} bytes)`)
}

const printReceipt = ({ state, acceptedAt, dispatchedAt = acceptedAt, settledAt = acceptedAt }: Receipt) =>
  say(
    `Did my tap happen? The receipt says: ${state}, dispatched after ${dispatchedAt - acceptedAt} ms, settled after ${settledAt - acceptedAt} ms.`,
  )

const printSkill = async () => {
  const args = ['--query', 'battery']
  say(`\nPOST /skills/${SKILL}/run: a script that types ${args.join(' ')} and proves what the field then says.\n`)
  const response = await fetch(`${server.url}/skills/${SKILL}/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ deviceId: serial, args }),
  })
  const answer = (await response.json()) as SkillRunResponse
  await pause(services.clock, 100)
  if (answer.ok !== true || answer.skillResult === null) throw new Error(JSON.stringify(answer))
  const { result, terminalVerification, source } = answer.skillResult
  say(
    `\n  ${JSON.stringify(result)}  verification=${terminalVerification?.status}  source=${source.kind}  ${answer.durationMs} ms`,
  )
  const runId = response.headers.get('svc-skill-run')
  const listed = await fetch(`${server.url}/executions?skillRunId=${runId}`)
  const { count } = (await listed.json()) as { count: number }
  say(`What it did on the phone: GET /executions?skillRunId=${runId} lists ${count} execution.`)
}

const run = async () => {
  say(`A simulated phone listens on ${serial}, and svc on ${server.url}.`)
  say(
    'POST /execute. Every line below comes from the event streams; each transition was recorded before it took effect:\n',
  )
  printStreams()
  const response = await fetch(`${server.url}/execute`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ execution: demoPayload(screenshot) }),
  })
  const result = (await response.json()) as ExecutionResult
  await pause(services.clock, 100)
  printResult(result)
  const receipt = await fetch(`${server.url}/executions/${response.headers.get('svc-execution-id')}`)
  printReceipt(((await receipt.json()) as { execution: Receipt }).execution)
  await printSkill()
}

const HINTS = (url: string) => `
It stays until you press Ctrl-C. Things to try in another terminal:

  curl -N ${url}/events
  curl -N ${url}/actors/events
  curl -X POST ${url}/snapshot -H 'content-type: application/json' -d '{}'
  curl ${url}/executions
  curl ${url}/skills
  curl ${url}/openapi.json
`

try {
  await run()
  if (stays) {
    streams.abort()
    say(HINTS(server.url))
    await new Promise(resolve => process.once('SIGINT', resolve).once('SIGTERM', resolve))
  }
} finally {
  streams.abort()
  await server.close({ graceMs: 1_000 })
  await services.close()
  await fleet.close()
  await lab.close()
  rmSync(home, { recursive: true, force: true })
}
