/** Words a record of a change of an emulator for people. */
import type { JournalRecord } from '../../contracts/records/journal.ts'

const PHASES: Readonly<Record<string, string>> = {
  'busy.observing': 'looking at the AVD',
  'busy.installing': 'checking the system image',
  'busy.creating': 'creating the AVD',
  'busy.undoing': 'removing what was half made',
  'busy.starting.spawning': 'starting the emulator',
  'busy.starting.awaiting.registering': 'waiting until adb lists it',
  'busy.starting.awaiting.booting': 'waiting until Android has booted',
  'busy.starting.awaiting.preparing': 'enabling the developer settings',
  'busy.starting.abandoning': 'ending the emulator',
  'busy.stopping': 'waiting until it has ended',
  'busy.deleting': 'deleting the AVD',
  'working.choosing': 'looking for a supported emulator',
  'working.booting': 'waiting until the running emulator has booted',
}

/** Undefined when the record tells nothing new. */
export const progressText = ({ actor, event, to }: JournalRecord): string | undefined => {
  const name = actor.startsWith('emulator:') ? `${actor.slice('emulator:'.length)}: ` : ''
  if (event.type === 'image.progressed') {
    const percent = typeof event.percent === 'number' ? `${event.percent} % ` : ''
    return `${name}${percent}${String(event.step)}`
  }
  if (event.type === 'leftovers.repaired') return `${name}${String(event.done)}`
  const phase = PHASES[to]
  return phase === undefined ? undefined : `${name}${phase}`
}
