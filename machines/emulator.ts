/** One AVD: whether it exists, whether it runs, and one change of that at a time. */
import { type EmulatorAsk, type EmulatorFinding, type EmulatorPhase, emulatorSetup } from './emulator-setup.ts'
import { strays } from './port.ts'
import { because, cites, type EdgeMeta } from './rows.ts'

type Said = { code: string; message: string }

/** The answer is out and on record: `last` is for callers in other processes who waited for it. */
const refuse = (code: string, message: string) =>
  [
    { type: 'refuse' as const, params: { code, message } },
    { type: 'giveUp' as const, params: { code, message } },
  ] as const
const keep = (code: string, message: string) => ({ type: 'keepFailure' as const, params: { code, message } }) as const
const REPORT = ['report', 'finish'] as const
const REFUSE_KEPT = ['refuseKept', 'giveUpKept'] as const

const cut = (phase: EmulatorPhase) => ({
  'request.interrupted': {
    target: '#emulator.interrupted' as const,
    actions: { type: 'cutAt' as const, params: { phase } },
    meta: because('the host has died; the next request looks at what it left, and cleans up'),
  },
})

const decide = <const Target extends string, Action>(
  ask: EmulatorAsk,
  finding: EmulatorFinding,
  target: Target,
  actions: Action,
  meta: EdgeMeta,
) => ({ guard: { type: 'found' as const, params: { ask, finding } }, target, actions, meta })

const REQUESTS = [
  'create.requested',
  'start.requested',
  'stop.requested',
  'delete.requested',
  'repair.requested',
] as const

const onRequest = <T>(transition: T) =>
  Object.fromEntries(REQUESTS.map(type => [type, transition])) as Record<(typeof REQUESTS)[number], T>

const resting = onRequest({
  target: 'busy',
  actions: 'take',
  meta: because('what is believed of an AVD is checked before it is acted on'),
} as const)

const missing = refuse('EMULATOR_NOT_FOUND', 'There is no AVD of this name.')
const alreadyRunning = refuse('EMULATOR_ALREADY_RUNNING', 'The emulator is running; stop it first.')
const alreadyThere = refuse('EMULATOR_ALREADY_EXISTS', 'An AVD of this name exists; it is never overwritten.')
const notRunning = refuse('EMULATOR_NOT_RUNNING', 'The emulator is not running.')
const BROKE: Said = { code: 'INTERNAL_ERROR', message: 'The driver broke.' }
const nothingToRepair = because('nothing was left half done')

/** Whatever fails while the emulator comes up: the process that was started is ended first. */
const failedStart = (type: 'tool.failed' | 'deadline.passed' | 'port.failed', message: string, why: string) => ({
  [type]: { target: '#abandoning' as const, actions: keep('EMULATOR_START_FAILED', message), meta: because(why) },
})

export const emulator = emulatorSetup.createMachine({
  id: 'emulator',
  description: 'One AVD: whether it exists, whether it runs, and one change of that at a time.',
  context: ({ input }) => ({
    avdName: input?.avdName ?? '',
    request: null,
    since: 0,
    serial: null,
    process: null,
    tool: null,
    failure: null,
    cut: null,
    last: null,
  }),
  initial: 'none',
  on: strays(
    [
      'avd.observed',
      'tool.spawned',
      'image.progressed',
      'image.installed',
      'avd.created',
      'avd.taken',
      'avd.undone',
      'avd.deleted',
      'process.spawned',
      'process.died',
      'process.ended',
      'emulator.registered',
      'boot.completed',
      'settings.enabled',
      'emulator.gone',
      'leftovers.repaired',
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
    interrupted: {
      description: 'A host died in the middle of a change.',
      on: onRequest({
        target: 'busy.repairing',
        actions: 'take',
        meta: because('what a dead host left is cleaned up before anything else'),
      } as const),
    },
    busy: {
      description: 'One change at a time.',
      tags: ['in-flight'],
      initial: 'observing',
      on: {
        ...onRequest([
          { guard: 'isSame', actions: 'join', meta: because('the same change is under way: one answer for both') },
          { actions: 'refuseOther', meta: because('one change of an AVD at a time') },
        ] as const),
        'create.requested': {
          actions: 'refuseOther',
          meta: because('one change of an AVD at a time; a create asks for something new each time'),
        },
        'port.failed': {
          target: 'interrupted',
          actions: [...refuse(BROKE.code, BROKE.message), { type: 'cutAt', params: { phase: 'looking' } }],
          meta: because('a driver that breaks must still end in an answer; the next request looks again'),
        },
      },
      states: {
        repairing: {
          description: 'What a dead host left is looked at: processes are ended, half of an AVD is removed.',
          invoke: {
            id: 'repair',
            src: 'repair',
            input: ({ context: { avdName, cut: left, tool, process } }) => ({ avdName, cut: left, tool, process }),
          },
          on: {
            ...cut('looking'),
            'leftovers.repaired': [
              {
                guard: 'goesOn',
                target: 'starting.awaiting',
                actions: 'proceed',
                meta: because('the emulator outlived the host that started it, and still boots'),
              },
              {
                guard: { type: 'isRepairOf', params: { finding: 'absent' } },
                target: '#emulator.none',
                actions: REPORT,
                meta: because('what was half made is gone again'),
              },
              {
                guard: { type: 'isRepairOf', params: { finding: 'stopped' } },
                target: '#emulator.exists',
                actions: REPORT,
                meta: because('the AVD is whole and does not run'),
              },
              {
                guard: { type: 'isRepairOf', params: { finding: 'running' } },
                target: '#emulator.running',
                actions: REPORT,
                meta: because('the emulator runs without its first host'),
              },
              { target: 'observing', actions: 'proceed', meta: because('now the request itself is looked at') },
            ],
            'tool.failed': {
              target: '#emulator.interrupted',
              actions: refuse('INTERNAL_ERROR', 'What an earlier process left could not be cleaned up.'),
              meta: because('it stays to be repaired'),
            },
          },
        },
        observing: {
          description: 'The AVD home and the debug bridge are asked.',
          invoke: { id: 'observe', src: 'observe', input: ({ context: { avdName } }) => ({ avdName }) },
          on: {
            ...cut('looking'),
            'avd.observed': [
              decide('create', 'absent', 'installing', 'proceed', cites('emulator.create')),
              decide('create', 'stopped', '#emulator.exists', alreadyThere, because('create never overwrites')),
              decide('create', 'running', '#emulator.running', alreadyThere, because('create never overwrites')),
              decide('start', 'absent', '#emulator.none', missing, cites('emulator.start-missing')),
              decide('start', 'stopped', 'starting', 'proceed', cites('emulator.start')),
              decide('start', 'running', '#emulator.running', alreadyRunning, cites('emulator.start-running')),
              decide('stop', 'absent', '#emulator.none', missing, because('stop of an unknown AVD is a 404')),
              decide('stop', 'stopped', '#emulator.exists', notRunning, because('there is nothing to stop')),
              decide('stop', 'running', 'stopping', 'proceed', cites('emulator.stop')),
              decide('delete', 'absent', '#emulator.none', missing, because('delete of an unknown AVD is a 404')),
              decide('delete', 'stopped', 'deleting', 'proceed', cites('emulator.delete')),
              decide('delete', 'running', '#emulator.running', alreadyRunning, because('a running AVD is not deleted')),
              decide('repair', 'absent', '#emulator.none', REPORT, nothingToRepair),
              decide('repair', 'stopped', '#emulator.exists', REPORT, nothingToRepair),
              decide('repair', 'running', '#emulator.running', REPORT, nothingToRepair),
            ],
            'tool.failed': {
              target: '#emulator.none',
              actions: refuse('ANDROID_SDK_TOOL_MISSING', 'An SDK tool failed.'),
              meta: because('a missing or failing tool is named'),
            },
          },
        },
        installing: {
          description: 'The system image is installed, unless it is there.',
          invoke: {
            id: 'install',
            src: 'install',
            input: ({ context: { avdName, request, since } }) => ({
              avdName,
              requestId: request?.id ?? '',
              spec: request?.spec ?? null,
              until: since + (request?.limits.installMs ?? 0),
            }),
          },
          on: {
            ...cut('installing'),
            'tool.spawned': { actions: 'learnTool', meta: because('a later process must be able to end it') },
            'image.progressed': { actions: 'ignore', meta: because('progress is for those who watch') },
            'image.installed': { target: 'creating', actions: 'proceed', meta: cites('emulator.create') },
            'tool.failed': {
              target: '#emulator.none',
              actions: refuse('ANDROID_SYSTEM_IMAGE_INSTALL_FAILED', 'The system image could not be installed.'),
              meta: because('without an image nothing was made'),
            },
          },
        },
        creating: {
          description: 'avdmanager makes the AVD; its storage size is set.',
          invoke: {
            id: 'create',
            src: 'create',
            input: ({ context: { avdName, request, since } }) => ({
              avdName,
              requestId: request?.id ?? '',
              spec: request?.spec ?? null,
              until: since + (request?.limits.createMs ?? 0),
            }),
          },
          on: {
            ...cut('creating'),
            'tool.spawned': { actions: 'learnTool', meta: because('a later process must be able to end it') },
            'avd.created': { target: '#emulator.exists', actions: REPORT, meta: cites('emulator.create') },
            'avd.taken': {
              target: '#emulator.exists',
              actions: alreadyThere,
              meta: because('somebody else made it meanwhile; it is not ours to undo'),
            },
            'tool.failed': {
              target: 'undoing',
              actions: keep('ANDROID_AVD_CREATE_FAILED', 'The AVD could not be made.'),
              meta: because('what was made by a failed create is deleted again'),
            },
            'port.failed': {
              target: 'undoing',
              actions: keep(BROKE.code, BROKE.message),
              meta: because('what was made by a failed create is deleted again'),
            },
          },
        },
        undoing: {
          description: 'Half of an AVD is removed.',
          invoke: { id: 'undo', src: 'undo', input: ({ context: { avdName } }) => ({ avdName }) },
          on: {
            ...cut('creating'),
            'avd.undone': {
              target: '#emulator.none',
              actions: REFUSE_KEPT,
              meta: because('the failure is answered once nothing of it is left'),
            },
          },
        },
        starting: {
          description: 'The emulator is brought up.',
          initial: 'spawning',
          states: {
            spawning: {
              description: 'The emulator process is started.',
              invoke: {
                id: 'spawn',
                src: 'spawn',
                input: ({ context: { avdName, request } }) => ({
                  avdName,
                  requestId: request?.id ?? '',
                  options: request?.options ?? null,
                }),
              },
              on: {
                ...cut('spawning'),
                'process.spawned': {
                  target: 'awaiting',
                  actions: 'proceed',
                  meta: because('its pid and start time are on record'),
                },
                'tool.failed': {
                  target: '#emulator.exists',
                  actions: refuse('EMULATOR_START_FAILED', 'The emulator could not be started.'),
                  meta: because('a missing or failing tool is named'),
                },
              },
            },
            awaiting: {
              description: 'The process lives; the device is awaited.',
              initial: 'registering',
              invoke: {
                id: 'alive',
                src: 'alive',
                input: ({ context: { avdName, process } }) => ({ avdName, process }),
              },
              on: {
                ...cut('starting'),
                'process.died': {
                  target: '#emulator.exists',
                  actions: refuse('EMULATOR_START_FAILED', 'The emulator process ended.'),
                  meta: because('an early death is answered at once, with the end of the log'),
                },
                ...failedStart('port.failed', BROKE.message, 'a start that fails leaves no process behind'),
              },
              states: {
                registering: {
                  description: 'The debug bridge is to list the emulator.',
                  invoke: [
                    {
                      id: 'register',
                      src: 'register',
                      input: ({ context: { avdName, process } }) => ({ avdName, process }),
                    },
                    {
                      id: 'register-deadline',
                      src: 'deadline',
                      input: ({ context: { since, request } }) => ({
                        until: since + (request?.limits.registerMs ?? 0),
                      }),
                    },
                  ],
                  on: {
                    'emulator.registered': { target: 'booting', actions: 'proceed', meta: cites('emulator.start') },
                    ...failedStart(
                      'deadline.passed',
                      'The debug bridge did not list the emulator in time.',
                      'registration has a limit',
                    ),
                  },
                },
                booting: {
                  description: 'Android is to say that it has booted.',
                  invoke: [
                    {
                      id: 'boot',
                      src: 'boot',
                      input: ({ context: { avdName, process, serial } }) => ({ avdName, process, serial }),
                    },
                    {
                      id: 'boot-deadline',
                      src: 'deadline',
                      input: ({ context: { since, request } }) => ({ until: since + (request?.limits.bootMs ?? 0) }),
                    },
                  ],
                  on: {
                    'boot.completed': { target: 'preparing', actions: 'proceed', meta: cites('emulator.start') },
                    ...failedStart('deadline.passed', 'The emulator did not boot in time.', 'boot has a limit'),
                  },
                },
                preparing: {
                  description: 'Developer settings are switched on.',
                  invoke: [
                    {
                      id: 'prepare',
                      src: 'prepare',
                      input: ({ context: { avdName, process, serial } }) => ({ avdName, process, serial }),
                    },
                    {
                      id: 'prepare-deadline',
                      src: 'deadline',
                      input: ({ context: { since, request } }) => ({ until: since + (request?.limits.prepareMs ?? 0) }),
                    },
                  ],
                  on: {
                    'settings.enabled': { target: '#emulator.running', actions: REPORT, meta: cites('emulator.start') },
                    ...failedStart(
                      'deadline.passed',
                      'The emulator booted, but its developer settings could not be enabled in time.',
                      'settings have a limit',
                    ),
                  },
                },
              },
            },
            abandoning: {
              id: 'abandoning',
              description: 'The process of a failed start is ended.',
              invoke: {
                id: 'abandon',
                src: 'abandon',
                input: ({ context: { avdName, process } }) => ({ avdName, process }),
              },
              on: {
                ...cut('starting'),
                'process.ended': {
                  target: '#emulator.exists',
                  actions: REFUSE_KEPT,
                  meta: because('a start that fails leaves no process behind'),
                },
              },
            },
          },
        },
        stopping: {
          description: 'Told to end; awaited until it is gone.',
          invoke: [
            {
              id: 'shutdown',
              src: 'shutdown',
              input: ({ context: { avdName, process, serial } }) => ({ avdName, process, serial }),
            },
            {
              id: 'gone-deadline',
              src: 'deadline',
              input: ({ context: { since, request } }) => ({ until: since + (request?.limits.goneMs ?? 0) }),
            },
          ],
          on: {
            ...cut('stopping'),
            'emulator.gone': { target: '#emulator.exists', actions: REPORT, meta: cites('emulator.stop') },
            'tool.failed': {
              target: '#emulator.running',
              actions: refuse('EMULATOR_STOP_FAILED', 'The emulator could not be told to end.'),
              meta: because('a stop that fails is said, not assumed'),
            },
            'deadline.passed': {
              target: '#emulator.running',
              actions: refuse('EMULATOR_STOP_FAILED', 'The emulator was told to end, and still runs.'),
              meta: because('a stop that fails is said, not assumed'),
            },
          },
        },
        deleting: {
          description: 'The AVD is removed.',
          invoke: {
            id: 'remove',
            src: 'remove',
            input: ({ context: { avdName, request, since } }) => ({
              avdName,
              requestId: request?.id ?? '',
              until: since + (request?.limits.createMs ?? 0),
            }),
          },
          on: {
            ...cut('deleting'),
            'tool.spawned': { actions: 'learnTool', meta: because('a later process must be able to end it') },
            'avd.deleted': { target: '#emulator.none', actions: REPORT, meta: cites('emulator.delete') },
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
