/** The parts of the emulator machine that make, end and delete an AVD. */

import { because, cites } from '../rows.ts'
import type { EmulatorContext } from './emulator-context.ts'
import { enter, keepFailure, refuse } from './emulator-edges.ts'
import { emulatorSetup } from './emulator-setup.ts'

/** The tool's own end, so that what it had printed is answered. */
const boundedBy =
  (limit: 'installMs' | 'createMs') =>
  ({ context: { avdName, request, since } }: { context: EmulatorContext }) => ({
    avdName,
    requestId: request?.id ?? '',
    spec: request?.spec ?? null,
    until: since + (request?.limits[limit] ?? 0),
  })

const knowTool = {
  'tool.spawned': { actions: 'learnTool', meta: because('a later process must be able to end it') },
} as const

export const installing = emulatorSetup.createStateConfig({
  description: 'The system image is installed, unless it is there.',
  entry: enter('installing'),
  invoke: { id: 'install', src: 'install', input: boundedBy('installMs') },
  on: {
    ...knowTool,
    'image.progressed': { actions: 'ignore', meta: because('progress is for those who watch') },
    'image.installed': { target: 'creating', actions: 'proceed', meta: cites('emulator.create') },
  },
})

export const creating = emulatorSetup.createStateConfig({
  description: 'avdmanager makes the AVD; its storage size is set.',
  entry: enter('creating'),
  invoke: { id: 'create', src: 'create', input: boundedBy('createMs') },
  on: {
    ...knowTool,
    'avd.making': {
      actions: 'markMaking',
      meta: because('from here on, a failure removes what there is of the AVD'),
    },
    'avd.created': { target: '#emulator.resting.exists', actions: 'report', meta: cites('emulator.create') },
    'avd.taken': {
      target: '#emulator.resting.exists',
      actions: refuse('EMULATOR_ALREADY_EXISTS', 'An AVD of this name exists; it is never overwritten.'),
      meta: because('somebody else made it meanwhile; it is not ours to undo'),
    },
    'tool.failed': {
      target: 'undoing',
      actions: keepFailure('ANDROID_AVD_CREATE_FAILED'),
      meta: because('what was made by a failed create is deleted again'),
    },
    'port.failed': {
      target: 'undoing',
      actions: keepFailure('INTERNAL_ERROR'),
      meta: because('what was made by a failed create is deleted again'),
    },
  },
})

export const undoing = emulatorSetup.createStateConfig({
  description: 'Half of an AVD is removed.',
  invoke: {
    id: 'undo',
    src: 'undo',
    input: ({ context: { avdName, request } }) => ({ avdName, making: request?.making ?? false }),
  },
  on: {
    'avd.undone': {
      target: '#emulator.resting.none',
      actions: 'refuseKept',
      meta: because('the failure is answered once nothing of it is left'),
    },
  },
})

export const stopping = emulatorSetup.createStateConfig({
  description: 'Told to end; awaited until it is gone.',
  entry: enter('stopping'),
  invoke: {
    id: 'shutdown',
    src: 'shutdown',
    input: ({ context: { avdName, process, serial, since, request } }) => ({
      avdName,
      process,
      serial,
      until: since + (request?.limits.goneMs ?? 0),
    }),
  },
  on: {
    'emulator.gone': { target: '#emulator.resting.exists', actions: 'report', meta: cites('emulator.stop') },
  },
})

export const deleting = emulatorSetup.createStateConfig({
  description: 'The AVD is removed.',
  entry: enter('deleting'),
  invoke: { id: 'remove', src: 'remove', input: boundedBy('createMs') },
  on: {
    ...knowTool,
    'avd.deleted': { target: '#emulator.resting.none', actions: 'report', meta: cites('emulator.delete') },
  },
})
