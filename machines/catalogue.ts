/** Every machine, with what the runtime must know to record, recover and read it back. */

import { daemon } from './daemon.ts'
import type { Definition } from './definition.ts'
import { device } from './device.ts'
import { interruptedDevice, receiptOf } from './device-answer.ts'
import { dispatch } from './dispatch.ts'
import { emulator } from './emulator.ts'
import { provision } from './provision.ts'
import { SKILL_RUN } from './skill-run-definition.ts'

const interruptedAs =
  (type: string): Definition['interrupted'] =>
  (_snapshot, at) => ({ type, at })

export const CATALOGUE = {
  device: {
    logic: device,
    version: 1,
    interrupted: interruptedDevice,
    receipt: receiptOf,
    upcast: {},
  },
  dispatch: {
    logic: dispatch,
    version: 1,
    interrupted: (snapshot, at) => ({
      type: 'command.interrupted',
      at,
      dispatched: snapshot.matches({ sending: 'sent' }),
    }),
    upcast: {},
  },
  daemon: { logic: daemon, version: 1, interrupted: interruptedAs('request.interrupted'), upcast: {} },
  emulator: {
    logic: emulator,
    version: 1,
    interrupted: interruptedAs('request.interrupted'),
    upcast: {},
  },
  provision: {
    logic: provision,
    version: 1,
    interrupted: interruptedAs('request.interrupted'),
    upcast: {},
  },
  'skill-run': SKILL_RUN,
} as const satisfies Record<string, Definition>

export type MachineName = keyof typeof CATALOGUE
