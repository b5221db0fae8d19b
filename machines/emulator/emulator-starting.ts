/** The part of the emulator machine that brings an AVD up: spawned, registered, booted, prepared, or ended again. */

import { because, cites } from '../rows.ts'
import { enter, keepFailure } from './emulator-edges.ts'
import { emulatorSetup } from './emulator-setup.ts'

const limitOf = (limit: 'registerMs' | 'bootMs' | 'prepareMs') => ({
  id: 'phase-deadline',
  src: 'deadline' as const,
  input: ({
    context: { since, request },
  }: {
    context: { since: number; request: { limits: Record<typeof limit, number> } | null }
  }) => ({
    since,
    ms: request?.limits[limit] ?? 0,
  }),
})

export const starting = emulatorSetup.createStateConfig({
  description: 'The emulator is brought up.',
  initial: 'spawning',
  states: {
    spawning: {
      description: 'The emulator process is started.',
      entry: enter('spawning'),
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
        'process.spawned': {
          target: 'awaiting',
          actions: 'proceed',
          meta: because('its pid and start time are on record'),
        },
      },
    },
    awaiting: {
      description: 'The process lives; the device is awaited.',
      initial: 'registering',
      invoke: { id: 'alive', src: 'alive', input: ({ context: { avdName, process } }) => ({ avdName, process }) },
      on: {
        'process.died': {
          target: 'abandoning',
          actions: keepFailure('EMULATOR_START_FAILED'),
          meta: because('an early death is answered at once, with the end of the log'),
        },
        'deadline.passed': {
          target: 'abandoning',
          actions: keepFailure('EMULATOR_START_FAILED'),
          meta: because('registration, boot and settings have a limit each'),
        },
        'tool.failed': {
          target: 'abandoning',
          actions: keepFailure('EMULATOR_START_FAILED'),
          meta: because('a start that fails leaves no process behind'),
        },
        'port.failed': {
          target: 'abandoning',
          actions: keepFailure('INTERNAL_ERROR'),
          meta: because('a start that fails leaves no process behind'),
        },
      },
      states: {
        registering: {
          description: 'The debug bridge is to list the emulator.',
          entry: enter('registering'),
          invoke: [
            { id: 'register', src: 'register', input: ({ context: { avdName, process } }) => ({ avdName, process }) },
            limitOf('registerMs'),
          ],
          on: { 'emulator.registered': { target: 'booting', actions: 'proceed', meta: cites('emulator.start') } },
        },
        booting: {
          description: 'Android is to say that it has booted.',
          entry: enter('booting'),
          invoke: [
            {
              id: 'boot',
              src: 'boot',
              input: ({ context: { avdName, process, serial } }) => ({ avdName, process, serial }),
            },
            limitOf('bootMs'),
          ],
          on: { 'boot.completed': { target: 'preparing', actions: 'proceed', meta: cites('emulator.start') } },
        },
        preparing: {
          description: 'Developer settings are switched on.',
          entry: enter('preparing'),
          invoke: [
            {
              id: 'prepare',
              src: 'prepare',
              input: ({ context: { avdName, process, serial } }) => ({ avdName, process, serial }),
            },
            limitOf('prepareMs'),
          ],
          on: {
            'settings.enabled': {
              target: '#emulator.resting.running',
              actions: 'report',
              meta: cites('emulator.start'),
            },
          },
        },
      },
    },
    abandoning: {
      description: 'The process of a failed start is ended.',
      entry: enter('abandoning'),
      invoke: { id: 'abandon', src: 'abandon', input: ({ context: { avdName, process } }) => ({ avdName, process }) },
      on: {
        'process.ended': {
          target: '#emulator.resting.exists',
          actions: 'refuseKept',
          meta: because('a start that fails leaves no process behind'),
        },
      },
    },
  },
})
