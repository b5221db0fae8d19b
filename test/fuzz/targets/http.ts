/** The real server over raw sockets, on TCP and on the Unix socket of a daemon: heads, bodies, MCP and WebDriver. */
import { mkdtempSync, rmSync } from 'node:fs'
import type { NetConnectOpts } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { failure } from '../../../src/contracts/failures/failures.ts'
import { createListener, type ListenerParts } from '../../../src/start/listener.ts'
import { createPrecondition } from '../../../src/surfaces/daemon/run/requests.ts'
import { startSocketServer } from '../../../src/surfaces/http/server.ts'
import { fakeExecutions } from '../../support/executions/fake-executions.ts'
import { fakeDeps, listen } from '../../support/http/http-server.ts'
import { mutateBytes, oneOf } from '../mutate/bytes.ts'
import { mutateText } from '../mutate/text.ts'
import { expectThat, type OpenTarget, type Target, WrongReading } from '../target.ts'
import { EXECUTION, HTTP_SEEDS, HTTP_WORDS, mutateBody, mutateRequest, request } from './http-requests.ts'
import { type Answer, answersIn, talk } from './http-talk.ts'

/** Our own stand-ins refuse what a test has no use for. */
const OF_STAND_IN = / was to be /

const judge = ({ status, type, body }: Answer, notes: readonly string[]): void => {
  const isOurs = notes.some(note => OF_STAND_IN.test(note))
  if (status === 500 && !isOurs) throw new WrongReading(`an internal error: ${body.slice(0, 300)}\n${notes.join('\n')}`)
  // A daemon that is not meant tells who it is.
  if (status === 412) return
  if (status < 400 || !type.startsWith('application/json') || body === '') return
  const { error, value, ok, code, message } = JSON.parse(body)
  const told = error ?? value ?? { code, message }
  expectThat(
    ok !== true && (typeof told.code === 'string' || typeof told.error === 'string' || told.code < 0),
    `no failure: ${body.slice(0, 300)}`,
  )
  expectThat(typeof told.message === 'string' && told.message !== '', `no message: ${body.slice(0, 300)}`)
}

const refusing = (name: string) =>
  new Proxy({}, { get: () => async () => ({ ok: false, error: failure('DEVICE_NOT_FOUND', `No ${name} here.`) }) })

/** Nothing was recorded, and nothing can be. */
const nothing = { ok: false, error: failure('DEVICE_NOT_FOUND', 'No phone here.') }
const noRecordings = {
  ...{ parts: () => [], find: () => undefined, status: () => undefined, videoFile: () => undefined },
  get: () => nothing,
  start: async () => nothing,
  stop: async () => nothing,
}

const depsWith = (notes: string[]): ListenerParts =>
  fakeDeps(fakeExecutions(), {
    emulators: refusing('emulator') as ListenerParts['emulators'],
    recordings: noRecordings as unknown as ListenerParts['recordings'],
    note: text => void notes.push(text),
  })

const readBy = (to: NetConnectOpts, notes: string[]): OpenTarget['read'] => {
  let count = 0
  return async input => {
    notes.length = 0
    const said = await talk(to, input)
    const answers = answersIn(said)
    for (const answer of answers) judge(answer, notes)
    count += 1
    if (count % 64 === 0)
      expectThat((await talk(to, Buffer.from(request('GET /health')))).includes('200 OK'), 'no answer to others')
    return answers.some(({ status }) => status < 400) ? 'accepted' : 'refused'
  }
}

const LIMITS = { headers: 2_000, request: 3_000 }

export const http: Target = {
  name: 'http',
  seeds: HTTP_SEEDS,
  mutate: mutateRequest,
  async open() {
    const deps = depsWith([])
    const { server, port, notes } = await listen(deps, { clientLimits: LIMITS, inspected: deps.journal() })
    return { read: readBy({ port, host: '127.0.0.1' }, notes), close: () => server.close({ graceMs: 500 }) }
  },
}

const DAEMON_HEADERS = ['svc-expect-instance: i1', 'svc-answer-within: 1000', 'svc-caller: cli', 'Expect: 100-continue']

export const daemonSocket: Target = {
  name: 'daemon-socket',
  seeds: [
    request('POST /execute', DAEMON_HEADERS, EXECUTION),
    request('POST /execute', ['svc-expect-build: other'], EXECUTION),
    request('GET /version', ['svc-expect-instance: i2']),
    request(
      'POST /skills/a/run',
      ['svc-skill-run: r', 'svc-execution-id: 018f0000-0000-7000-8000-000000000001', 'svc-operator-unnamed: 1'],
      '{"args":[]}',
    ),
    request(
      'POST /execute',
      ['svc-secrets: x', 'svc-confirmed: a,%62', 'svc-fleet-from: h', 'svc-fleet-epoch: 3'],
      EXECUTION,
    ),
  ],
  mutate: oneOf(
    mutateText([...DAEMON_HEADERS.map(each => `${each}\r\n`), ...HTTP_WORDS] as [string, ...string[]]),
    mutateBody,
    mutateBytes,
  ),
  async open() {
    const folder = mkdtempSync(join(tmpdir(), 'svc-fuzz-daemon-'))
    const notes: string[] = []
    const deps = { ...depsWith(notes), isPrivate: true }
    const version = { version: '1.0.0', buildIdentity: { entryPath: '/x', mtimeMs: 1, size: 1 } }
    const onRequest = createPrecondition({
      instanceId: 'i1',
      version,
      isEnding: () => false,
      newExecutionId: () => '018f0000-0000-7000-8000-000000000002',
    })
    const note = (text: string) => void notes.push(text)
    const path = join(folder, 'socket')
    const started = await startSocketServer({
      app: createListener(deps).app,
      path,
      clock: deps.clock,
      note,
      onRequest,
      clientLimits: LIMITS,
    })
    if (!started.ok) throw new Error(started.error.message)
    return {
      read: readBy({ path }, notes),
      async close() {
        await started.server.close({ graceMs: 500 })
        rmSync(folder, { recursive: true, force: true })
      },
    }
  },
}
