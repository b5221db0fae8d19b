/** One AVD: whether it exists, whether it runs, and one change of that at a time. */
import { decide, enter, onRequest, refuse } from './emulator-edges.ts'
import { creating, deleting, installing, stopping, undoing } from './emulator-making.ts'
import { emulatorSetup } from './emulator-setup.ts'
import { starting } from './emulator-starting.ts'
import { strays } from './port.ts'
import { because, cites } from './rows.ts'

const missing = refuse('EMULATOR_NOT_FOUND', 'There is no AVD of this name.')
const alreadyRunning = refuse('EMULATOR_ALREADY_RUNNING', 'The emulator is running; stop it first.')
const alreadyThere = refuse('EMULATOR_ALREADY_EXISTS', 'An AVD of this name exists; it is never overwritten.')
const notRunning = refuse('EMULATOR_NOT_RUNNING', 'The emulator is not running.')
const unknown = because('stop and delete of an unknown AVD are a 404')
const neverOverwritten = because('create never overwrites')
const afterRepair = because('what a dead host left is cleaned up')

const NONE = '#emulator.resting.none'
const EXISTS = '#emulator.resting.exists'
const RUNNING = '#emulator.resting.running'

const observing = emulatorSetup.createStateConfig({
  description: 'The AVD home and the debug bridge are asked.',
  entry: enter('looking'),
  invoke: { id: 'observe', src: 'observe', input: ({ context: { avdName } }) => ({ avdName }) },
  on: {
    'avd.observed': [
      decide('create', 'absent', 'installing', 'proceed', cites('emulator.create')),
      decide('start', 'stopped', 'starting', 'proceed', cites('emulator.start')),
      decide('stop', 'running', 'stopping', 'proceed', cites('emulator.stop')),
      decide('delete', 'stopped', 'deleting', 'proceed', cites('emulator.delete')),
      decide('start', 'absent', NONE, missing, cites('emulator.start-missing')),
      decide('stop', 'absent', NONE, missing, unknown),
      decide('delete', 'absent', NONE, missing, unknown),
      decide('repair', 'absent', NONE, 'report', afterRepair),
      decide('create', 'stopped', EXISTS, alreadyThere, neverOverwritten),
      decide('stop', 'stopped', EXISTS, notRunning, because('there is nothing to stop')),
      decide('repair', 'stopped', EXISTS, 'report', afterRepair),
      decide('create', 'running', RUNNING, alreadyThere, neverOverwritten),
      decide('start', 'running', RUNNING, alreadyRunning, cites('emulator.start-running')),
      decide('delete', 'running', RUNNING, alreadyRunning, because('a running AVD is not deleted')),
      decide('repair', 'running', RUNNING, 'report', afterRepair),
    ],
  },
})

const repairing = emulatorSetup.createStateConfig({
  description: 'What a dead host left is looked at: processes are ended, half of an AVD is removed.',
  entry: enter('looking'),
  invoke: {
    id: 'repair',
    src: 'repair',
    input: ({ context: { avdName, cut, tool, process } }) => ({ avdName, cut, tool, process }),
  },
  on: {
    'leftovers.repaired': [
      {
        guard: 'goesOn',
        target: 'starting.awaiting',
        actions: 'proceed',
        meta: because('the emulator outlived the host that started it, and still comes up'),
      },
      { target: 'observing', actions: 'proceed', meta: because('now the request itself is looked at') },
    ],
  },
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
    phase: 'looking',
    cut: null,
    repaired: null,
    last: null,
  }),
  initial: 'resting',
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
    resting: {
      description: 'Nobody changes the AVD.',
      initial: 'none',
      on: onRequest([
        {
          guard: 'isCut',
          target: 'busy.repairing',
          actions: 'take',
          meta: because('what a dead host left is cleaned up before anything else'),
        },
        {
          target: 'busy',
          actions: 'take',
          meta: because('what is believed of an AVD is checked before it is acted on'),
        },
      ] as const),
      states: {
        none: { description: 'No AVD of this name, as far as was last seen.' },
        exists: { description: 'The AVD exists and does not run, as far as was last seen.' },
        running: { description: 'The AVD runs, as far as was last seen.' },
        unclear: { description: 'The last change failed half way.' },
        interrupted: { description: 'A host died in the middle of a change.' },
      },
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
        'tool.failed': {
          target: 'resting.unclear',
          actions: refuse('INTERNAL_ERROR', 'A tool of the Android SDK failed.'),
          meta: because('a missing or failing tool is named, and the next request looks again'),
        },
        'request.interrupted': {
          target: 'resting.interrupted',
          actions: 'keepCut',
          meta: because('the host has died; the next request looks at what it left, and cleans up'),
        },
        'port.failed': {
          target: 'resting.interrupted',
          actions: ['keepCut', refuse('INTERNAL_ERROR', 'The driver broke.')],
          meta: because('a driver that breaks must still end in an answer; the next request looks again'),
        },
      },
      states: { repairing, observing, installing, creating, undoing, starting, stopping, deleting },
    },
  },
})
