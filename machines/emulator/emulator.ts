/** One AVD: whether it exists, whether it runs, and one change of that at a time. */

import { strays } from '../port.ts'
import { because, cites } from '../rows.ts'
import { MISSING, RESTS, RUNS, TAKEN } from './emulator-answers.ts'
import { answered, decide, enter, onRequest, refuse, refused, refuseOther } from './emulator-edges.ts'
import { creating, deleting, installing, stopping, undoing } from './emulator-making.ts'
import { emulatorSetup } from './emulator-setup.ts'
import { starting } from './emulator-starting.ts'

const observing = emulatorSetup.createStateConfig({
  description: 'What a dead host left is cleaned up; then the AVD home and the debug bridge are asked.',
  entry: enter('looking'),
  invoke: {
    id: 'observe',
    src: 'observe',
    input: ({ context: { avdName, cut, tool, process, request } }) => ({
      avdName,
      cut,
      tool,
      process,
      requestId: request?.id ?? '',
    }),
  },
  on: {
    'leftovers.repaired': { actions: 'learnRepair', meta: because('what was found and done is on record') },
    'avd.observed': [
      {
        guard: 'goesOn',
        target: 'starting.awaiting',
        actions: ['proceed', 'adopt'],
        meta: because('the emulator outlived the host that started it, and still comes up'),
      },
      decide('create', 'absent', 'installing', cites('emulator.create')),
      decide('start', 'stopped', 'starting', cites('emulator.start')),
      decide('stop', 'running', 'stopping', cites('emulator.stop')),
      decide('delete', 'stopped', 'deleting', cites('emulator.delete')),
      refused('create', 'stopped', 'exists', TAKEN),
      refused('create', 'running', 'running', TAKEN),
      refused('start', 'absent', 'none', MISSING),
      refused('start', 'running', 'running', RUNS),
      refused('stop', 'absent', 'none', MISSING),
      refused('stop', 'stopped', 'exists', RESTS),
      refused('delete', 'absent', 'none', MISSING),
      refused('delete', 'running', 'running', RUNS),
      answered('absent', 'none', because('a repair has nothing else to do')),
      answered('stopped', 'exists', because('a repair has nothing else to do')),
      answered('running', 'running', because('a repair has nothing else to do')),
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
      'avd.making',
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
      on: onRequest({
        target: 'busy',
        actions: 'take',
        meta: because('what is believed of an AVD is checked before it is acted on'),
      } as const),
      states: {
        none: { description: 'No AVD of this name, as far as was last seen.' },
        exists: { description: 'The AVD exists and does not run, as far as was last seen.' },
        running: { description: 'The AVD runs, as far as was last seen.' },
        unclear: { description: 'The last change failed, or its host died in the middle of it.' },
      },
    },
    busy: {
      description: 'One change at a time.',
      tags: ['in-flight'],
      initial: 'observing',
      on: {
        ...onRequest([
          { guard: 'isSame', actions: 'join', meta: because('the same change is under way: one answer for both') },
          { actions: refuseOther, meta: because('one change of an AVD at a time') },
        ] as const),
        'create.requested': {
          actions: refuseOther,
          meta: because('one change of an AVD at a time; a create asks for something new each time'),
        },
        'tool.failed': {
          target: 'resting.unclear',
          actions: refuse('INTERNAL_ERROR', 'A tool of the Android SDK failed.'),
          meta: because('a missing or failing tool is named, and the next request looks again'),
        },
        'request.interrupted': {
          target: 'resting.unclear',
          actions: 'keepCut',
          meta: because('the host has died; the next request looks at what it left, and cleans up'),
        },
        'port.failed': {
          target: 'resting.unclear',
          actions: ['keepCut', refuse('INTERNAL_ERROR', 'The driver broke.')],
          meta: because('a driver that breaks must still end in an answer; the next request looks again'),
        },
      },
      states: { observing, installing, creating, undoing, starting, stopping, deleting },
    },
  },
})
