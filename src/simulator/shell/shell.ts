/** The shell of one simulated phone: takes a command line and its streams, and gives an exit code. */

import type { Clock } from '../../runtime/clock.ts'
import { messageOf } from '../../runtime/message-of.ts'
import type { Phone } from '../phone.ts'
import type { Device, Properties } from './command.ts'
import { COMMANDS } from './commands/table.ts'
import { interact } from './interactive.ts'
import { type Io, StreamEnded } from './io.ts'
import { parse } from './parse.ts'
import { createInterpreter } from './run.ts'
import { newScope, SHELL_NAME } from './scope.ts'

export interface Shell {
  /** Never fails: what goes wrong is said on stderr and in the exit code. */
  run(line: string, io: Io): Promise<number>
  /** Reads command lines from stdin; with a prompt when a person sits there. */
  interact(io: Io, options: { prompt: boolean; onInterrupt?: (listener: () => void) => void }): Promise<number>
}

const ENDED_CODE = 141
const BROKEN_CODE = 126

const propertiesOver = (phone: Phone): Properties => {
  const set = new Map<string, string>()
  return {
    get: name => set.get(name) ?? phone.properties.get(name),
    set: (name, value) => void set.set(name, value),
    all: () => new Map([...phone.properties, ...set]),
  }
}

export interface ShellOptions {
  phone: Phone
  clock: Clock
  /** The time that waits of commands take, where a device runs at its own speed. */
  waits?: Clock
}

export const createShell = ({ phone, clock, waits = clock }: ShellOptions): Shell => {
  const device: Device = { phone, clock, waits, properties: propertiesOver(phone) }
  const interpreter = createInterpreter({ device, commands: COMMANDS, parse })

  const guarded = async (io: Io, work: () => Promise<number>): Promise<number> => {
    try {
      return (await work()) & 0xff
    } catch (error) {
      if (error instanceof StreamEnded) return ENDED_CODE
      const reason = messageOf(error)
      await io.stderr(Buffer.from(`${SHELL_NAME}: ${reason}\n`)).catch(() => {})
      return BROKEN_CODE
    }
  }

  return {
    run: (line, io) => guarded(io, () => interpreter.run(line, newScope(), io)),
    interact: (io, { prompt, onInterrupt }) => {
      const place = `${device.properties.get('ro.product.device') ?? 'phone'}:`
      return guarded(io, () => interact({ interpreter, io, prompt: prompt ? place : undefined, onInterrupt }))
    },
  }
}
