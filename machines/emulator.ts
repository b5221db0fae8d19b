/** One AVD: whether it exists, whether it runs, and one change of that at a time. */
import { type EmulatorAsk, type EmulatorFinding, emulatorSetup } from './emulator-setup.ts'
import { strays } from './port.ts'
import { because, cites, type EdgeMeta } from './rows.ts'

const REQUESTS = ['create.requested', 'start.requested', 'stop.requested', 'delete.requested'] as const

const onRequest = <T>(transition: T) =>
  Object.fromEntries(REQUESTS.map(type => [type, transition])) as Record<(typeof REQUESTS)[number], T>

const refuse = (code: string, message: string) => ({ type: 'refuse' as const, params: { code, message } })

const decide = <const Target extends string, Action>(
  ask: EmulatorAsk,
  finding: EmulatorFinding,
  target: Target,
  actions: Action,
  meta: EdgeMeta,
) => ({ guard: { type: 'found' as const, params: { ask, finding } }, target, actions, meta })

const resting = onRequest({
  target: 'busy',
  actions: 'take',
  meta: because('what is believed of an AVD is checked before it is acted on'),
} as const)

const missing = refuse('EMULATOR_NOT_FOUND', 'There is no AVD of this name.')
const alreadyRunning = refuse('EMULATOR_ALREADY_RUNNING', 'The emulator is running; stop it first.')
const alreadyThere = refuse('EMULATOR_ALREADY_EXISTS', 'An AVD of this name exists; it is never overwritten.')
const notRunning = refuse('EMULATOR_NOT_RUNNING', 'The emulator is not running.')

export const emulator = emulatorSetup.createMachine({
  id: 'emulator',
  description: 'One AVD: whether it exists, whether it runs, and one change of that at a time.',
  context: ({ input }) => ({ avdName: input?.avdName ?? '', request: null, serial: null }),
  initial: 'none',
  on: strays(
    [
      'avd.observed',
      'avd.created',
      'avd.deleted',
      'process.spawned',
      'process.died',
      'emulator.registered',
      'boot.completed',
      'settings.enabled',
      'emulator.gone',
      'tool.failed',
      'request.interrupted',
      'deadline.passed',
      'port.failed',
    ],
    'no request waits for it any more',
  ),
  states: {
    none: { description: 'No AVD of this name, as far as was last seen.', on: resting },
    exists: { description: 'The AVD exists and does not run, as far as was last seen.', on: resting },
    running: { description: 'The AVD runs, as far as was last seen.', on: resting },
    busy: {
      description: 'One change at a time.',
      tags: ['in-flight'],
      initial: 'observing',
      on: {
        ...onRequest({
          actions: {
            type: 'refuseOther',
            params: { code: 'EMULATOR_BUSY', message: 'Another request changes this AVD; ask again when it is done.' },
          },
          meta: because('one change of an AVD at a time'),
        } as const),
        'request.interrupted': {
          target: 'none',
          meta: because('whoever asked has died; the next request looks again'),
        },
        'port.failed': {
          target: 'none',
          actions: refuse('INTERNAL_ERROR', 'The driver broke.'),
          meta: because('a driver that breaks must still end in an answer; the next request looks again'),
        },
      },
      states: {
        observing: {
          description: 'The SDK tools and the debug bridge are asked.',
          invoke: { id: 'observe', src: 'observe', input: ({ context }) => ({ avdName: context.avdName }) },
          on: {
            'avd.observed': [
              decide('create', 'absent', 'creating', 'learn', cites('emulator.create')),
              decide('create', 'stopped', '#emulator.exists', alreadyThere, because('create never overwrites')),
              decide('create', 'running', '#emulator.running', alreadyThere, because('create never overwrites')),
              decide('start', 'absent', '#emulator.none', missing, cites('emulator.start-missing')),
              decide('start', 'stopped', 'starting', 'learn', cites('emulator.start')),
              decide('start', 'running', '#emulator.running', alreadyRunning, cites('emulator.start-running')),
              decide('stop', 'absent', '#emulator.none', missing, because('stop of an unknown AVD is a 404')),
              decide('stop', 'stopped', '#emulator.exists', notRunning, because('there is nothing to stop')),
              decide('stop', 'running', 'stopping', 'learn', cites('emulator.stop')),
              decide('delete', 'absent', '#emulator.none', missing, because('delete of an unknown AVD is a 404')),
              decide('delete', 'stopped', 'deleting', 'learn', cites('emulator.delete')),
              decide('delete', 'running', '#emulator.running', alreadyRunning, because('a running AVD is not deleted')),
            ],
            'tool.failed': {
              target: '#emulator.none',
              actions: refuse('ANDROID_SDK_TOOL_MISSING', 'An SDK tool failed.'),
              meta: because('a missing or failing tool is named'),
            },
          },
        },
        creating: {
          description: 'The system image is installed when absent, then the AVD is made.',
          invoke: { id: 'create', src: 'create', input: ({ context }) => ({ avdName: context.avdName }) },
          on: {
            'avd.created': { target: '#emulator.exists', actions: 'report', meta: cites('emulator.create') },
            'tool.failed': {
              target: '#emulator.none',
              actions: refuse('ANDROID_AVD_CREATE_FAILED', 'The AVD could not be made.'),
              meta: because('what was made by a failed create is deleted again'),
            },
          },
        },
        starting: {
          description: 'The emulator process runs; the device is awaited.',
          initial: 'spawning',
          invoke: { id: 'boot', src: 'boot', input: ({ context }) => ({ avdName: context.avdName }) },
          on: {
            'process.spawned': { actions: 'ignore', meta: because('its pid and start time are on record') },
            'process.died': {
              target: '#emulator.exists',
              actions: refuse('EMULATOR_START_FAILED', 'The emulator process ended.'),
              meta: because('an early death is answered at once, with the tail of the log'),
            },
            'tool.failed': {
              target: '#emulator.exists',
              actions: refuse('EMULATOR_START_FAILED', 'The emulator could not be started.'),
              meta: because('a missing or failing tool is named'),
            },
            'deadline.passed': {
              target: '#emulator.exists',
              actions: refuse('EMULATOR_START_FAILED', 'The emulator did not come up in time.'),
              meta: because('registration and boot have a limit each'),
            },
          },
          states: {
            spawning: {
              description: 'Awaiting registration with the debug bridge.',
              invoke: {
                id: 'register-deadline',
                src: 'deadline',
                input: ({ context }) => ({ until: context.request?.firstBy ?? 0 }),
              },
              on: {
                'emulator.registered': { target: 'booting', actions: 'learn', meta: cites('emulator.start') },
              },
            },
            booting: {
              description: 'Awaiting boot completion, then developer settings.',
              invoke: {
                id: 'boot-deadline',
                src: 'deadline',
                input: ({ context }) => ({ until: context.request?.lastBy ?? 0 }),
              },
              on: {
                'boot.completed': { actions: 'ignore', meta: cites('emulator.start') },
                'settings.enabled': { target: '#emulator.running', actions: 'report', meta: cites('emulator.start') },
              },
            },
          },
        },
        stopping: {
          description: 'Told to end; awaited until it is gone.',
          invoke: [
            { id: 'shutdown', src: 'shutdown', input: ({ context }) => ({ avdName: context.avdName }) },
            {
              id: 'gone-deadline',
              src: 'deadline',
              input: ({ context }) => ({ until: context.request?.firstBy ?? 0 }),
            },
          ],
          on: {
            'emulator.gone': { target: '#emulator.exists', actions: 'report', meta: cites('emulator.stop') },
            'tool.failed': {
              target: '#emulator.running',
              actions: refuse('EMULATOR_STOP_FAILED', 'The emulator could not be told to end.'),
              meta: because('a stop that fails is said, not assumed'),
            },
            'deadline.passed': {
              target: '#emulator.running',
              actions: refuse('EMULATOR_STOP_FAILED', 'The emulator did not end in time.'),
              meta: because('a stop that fails is said, not assumed'),
            },
          },
        },
        deleting: {
          description: 'The AVD is removed.',
          invoke: { id: 'remove', src: 'remove', input: ({ context }) => ({ avdName: context.avdName }) },
          on: {
            'avd.deleted': { target: '#emulator.none', actions: 'report', meta: cites('emulator.delete') },
            'tool.failed': {
              target: '#emulator.exists',
              actions: refuse('ANDROID_AVD_DELETE_FAILED', 'The AVD could not be deleted.'),
              meta: because('a delete that fails is said, not assumed'),
            },
          },
        },
      },
    },
  },
})
