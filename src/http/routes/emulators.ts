/** Section Endpoints, /android: AVDs and emulators are listed, made, started, stopped, deleted and provisioned. */
import * as v from 'valibot'
import { AvdCreateRequest, AvdName, ProvisionRequest, StartRequest } from '../../contracts/avd.ts'
import type { ErrorObject } from '../../contracts/error.ts'
import { type FailureCode, failure } from '../../contracts/failures.ts'
import { EmptyBody } from '../../contracts/http.ts'
import type { Answered } from '../../emulators/emulators.ts'
import { describeError, errorOf, isKnownError } from '../../executions/error-of.ts'
import { answer, refuse } from '../answer.ts'
import { readBody } from '../json-body.ts'
import type { Operation, RouteModule } from '../module.ts'

const ALL = '/android/emulators'
const ONE = '/android/emulators/:name'
const CHANGE: readonly FailureCode[] = [
  'INVALID_BODY',
  'INVALID_JSON',
  'PAYLOAD_TOO_LARGE',
  'EMULATOR_BUSY',
  'ANDROID_SDK_TOOL_MISSING',
  'ADB_SERVER_FAILED',
  'JOURNAL_UNAVAILABLE',
  'INTERNAL_ERROR',
]
const LOOK: readonly FailureCode[] = ['ANDROID_SDK_TOOL_MISSING', 'ADB_SERVER_FAILED', 'INTERNAL_ERROR']
const CREATE: readonly FailureCode[] = ['ANDROID_SYSTEM_IMAGE_INSTALL_FAILED', 'ANDROID_AVD_CREATE_FAILED']

const operations: readonly Operation[] = [
  {
    method: 'get',
    path: ALL,
    summary: 'The configured AVDs, and which of them run.',
    answers: 'AvdsResponse',
    failures: LOOK,
  },
  {
    method: 'get',
    path: `${ALL}/running`,
    summary: 'The emulators that the debug bridge lists.',
    answers: 'RunningEmulatorsResponse',
    failures: LOOK,
  },
  {
    method: 'get',
    path: ONE,
    summary: 'One AVD; exists is false for an unknown one.',
    answers: 'AvdResponse',
    failures: ['INVALID_BODY', ...LOOK],
  },
  {
    method: 'post',
    path: `${ALL}/create`,
    summary: 'Makes an AVD; its system image is installed first if it is missing.',
    body: 'AvdCreateRequest',
    answers: 'AvdResponse',
    failures: ['EMULATOR_ALREADY_EXISTS', ...CREATE, ...CHANGE],
  },
  {
    method: 'post',
    path: `${ONE}/start`,
    summary: 'Starts the emulator of an AVD and waits until it has booted.',
    body: 'StartRequest',
    answers: 'AvdStartResponse',
    failures: ['EMULATOR_NOT_FOUND', 'EMULATOR_ALREADY_RUNNING', 'EMULATOR_START_FAILED', ...CHANGE],
  },
  {
    method: 'post',
    path: `${ONE}/stop`,
    summary: 'Ends the emulator of an AVD and waits until it is gone.',
    answers: 'AvdStopResponse',
    failures: ['EMULATOR_NOT_FOUND', 'EMULATOR_NOT_RUNNING', 'EMULATOR_STOP_FAILED', ...CHANGE],
  },
  {
    method: 'delete',
    path: ONE,
    summary: 'Deletes an AVD that does not run.',
    answers: 'AvdDeleteResponse',
    failures: ['EMULATOR_NOT_FOUND', 'EMULATOR_ALREADY_RUNNING', 'ANDROID_AVD_DELETE_FAILED', ...CHANGE],
  },
  {
    method: 'post',
    path: '/android/provision/emulator',
    summary: 'Brings up a supported emulator: one that runs, an AVD that exists, or a new one.',
    body: 'ProvisionRequest',
    answers: 'ProvisionResponse',
    failures: ['EMULATOR_UNSUPPORTED', 'EMULATOR_START_FAILED', ...CREATE, ...CHANGE],
  },
]

const nameProblem = (name: string): ErrorObject | undefined => {
  const result = v.safeParse(AvdName, name)
  if (result.success) return undefined
  return failure('INVALID_BODY', `The name of the AVD ${result.issues[0].message}.`, { details: { field: 'name' } })
}

export const emulatorRoutes: RouteModule = {
  tag: 'Emulators',
  operations,
  mount(app, { deps }) {
    const { emulators, note } = deps

    const said = async <T extends object>(work: () => Promise<Answered<T>>): Promise<Response> => {
      try {
        const answered = await work()
        return answered.ok ? answer({ ok: true, ...answered.value }) : refuse(answered.error)
      } catch (thrown) {
        if (!isKnownError(thrown)) note(`a request about emulators broke: ${describeError(thrown)}`)
        return refuse(errorOf(thrown, 'INTERNAL_ERROR'))
      }
    }
    const named = (name: string, work: () => Promise<Response>): Response | Promise<Response> => {
      const problem = nameProblem(name)
      return problem ? refuse(problem) : work()
    }
    const optional = { ...deps, mayBeAbsent: true }

    app.get(ALL, () => said(() => emulators.list()))
    app.get(`${ALL}/running`, () => said(() => emulators.running()))
    app.get(ONE, c => named(c.req.param('name'), () => said(() => emulators.get(c.req.param('name')))))
    app.post(`${ALL}/create`, async c => {
      const read = await readBody(c.env.incoming, AvdCreateRequest, optional)
      return read.ok ? said(() => emulators.create(read.body)) : refuse(read.error)
    })
    app.post(`${ONE}/start`, c =>
      named(c.req.param('name'), async () => {
        const read = await readBody(c.env.incoming, StartRequest, optional)
        return read.ok ? said(() => emulators.start(c.req.param('name'), read.body)) : refuse(read.error)
      }),
    )
    app.post(`${ONE}/stop`, c =>
      named(c.req.param('name'), async () => {
        const read = await readBody(c.env.incoming, EmptyBody, optional)
        return read.ok ? said(() => emulators.stop(c.req.param('name'))) : refuse(read.error)
      }),
    )
    app.delete(ONE, c =>
      named(c.req.param('name'), async () => {
        const read = await readBody(c.env.incoming, EmptyBody, optional)
        return read.ok ? said(() => emulators.delete(c.req.param('name'))) : refuse(read.error)
      }),
    )
    app.post('/android/provision/emulator', async c => {
      const read = await readBody(c.env.incoming, ProvisionRequest, optional)
      return read.ok ? said(() => emulators.provision(read.body)) : refuse(read.error)
    })
  },
}
