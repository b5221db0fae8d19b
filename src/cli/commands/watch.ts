/** `svc watch`: the transitions of every process of this user, one a line, until a signal comes. */

import type { JournalRecord } from '../../contracts/journal.ts'
import { isActor } from '../../contracts/machines.ts'
import type { Journal } from '../../runtime/journal/journal.ts'
import { toTransition } from '../../runtime/transitions.ts'
import type { Call, Command } from '../command.ts'
import { wholeNumber } from '../flag-values.ts'
import { FLEET_FLAGS } from '../fleet-flags.ts'
import { transitionLine } from '../transition-line.ts'

/**
 * What comes next, or nothing once the signal is aborted. Nobody listens while lines are being written, so a reader that
 * stalls costs no memory: the journal keeps the rest.
 */
const nextRecords = (journal: Journal, after: number, signal: AbortSignal): Promise<JournalRecord[]> =>
  new Promise(resolve => {
    if (signal.aborted) return resolve([])
    const finish = (records: JournalRecord[]) => {
      subscription.close()
      signal.removeEventListener('abort', leave)
      resolve(records)
    }
    const leave = () => finish([])
    const subscription = journal.subscribe(finish, { after })
    signal.addEventListener('abort', leave, { once: true })
  })

const filterOf = ({ args, text }: Call) => {
  const device = text('device')
  return { actor: args[0] ?? (device === undefined ? undefined : `device:${device}`), machine: text('machine') }
}

const isWanted = (call: Call) => {
  const { actor, machine } = filterOf(call)
  return (record: JournalRecord) =>
    isActor(record) &&
    (actor === undefined || record.actor === actor) &&
    (machine === undefined || record.machine === machine)
}

/** A word behind it is an actor unless it looks like the URL of a server. */
const WATCH_FLEET_FLAGS = FLEET_FLAGS.map(flag =>
  flag.name === 'fleet' ? { ...flag, optional: /^(?:nats|tls):\/\// } : flag,
)

/** A person who asks for nothing in particular on a terminal gets a view of it all. */
const isLive = ({ args, io, text, isOn }: Call): boolean =>
  io.isTerminal() &&
  args.length === 0 &&
  !isOn('lines') &&
  !isOn('json') &&
  ['device', 'machine', 'after', 'output', 'fleet'].every(flag => text(flag) === undefined)

export const watch: Command = {
  path: ['watch'],
  summary: 'print each transition of every execution as it happens, until a signal comes',
  details:
    'On a terminal: a live view of the devices, what runs on them and the last executions. Otherwise, and with an actor or\n' +
    'a flag: one line each: time, seq, actor, event, from -> to. With --json (or --output json) each line is a JSON object,\n' +
    '{seq, actor, machine, event, from, to, at}. Shows the transitions of all processes of this user. --after\n' +
    'continues where an earlier watch ended; --after 0 starts with the oldest record. With --fleet, those of all hosts of a\n' +
    'fleet are shown: a position of the fleet in the place of seq, which --after takes, and <actor>@<host>, which may be the\n' +
    'argument. With --json each object has position and host, too.',
  args: [{ name: 'actor', summary: 'only this actor, such as device:emulator-5554 (or --device emulator-5554)' }],
  flags: [
    { name: 'lines', summary: 'print lines on a terminal, too' },
    { name: 'after', value: 'seq', summary: 'start after this seq, or position (default: only new transitions)' },
    { name: 'machine', value: 'name', summary: 'only actors of this kind: device, skill-run, emulator, daemon' },
    ...WATCH_FLEET_FLAGS,
  ],
  examples: [
    'svc watch',
    'svc watch device:emulator-5554 --json',
    'svc watch --after 0',
    'svc watch --fleet nats://nats1:4222',
  ],
  async run(call) {
    const { clock, io, signal } = call
    const isJson = call.isOn('json') || call.text('output') === 'json'
    if (call.text('fleet') !== undefined) {
      return (await (await call.heavy()).fleetWatch()).watchFleet(call, { filter: filterOf(call), isJson })
    }
    if (isLive(call)) return (await (await call.heavy()).liveView()).watchLive(call)
    const from = wholeNumber(call, 'after', { min: 0, max: Number.MAX_SAFE_INTEGER })
    const wanted = isWanted(call)
    const journal = (await call.services()).journal()
    let after = from ?? journal.head()
    // Waiting for records keeps no process alive by itself.
    const awake = clock.at(Number.POSITIVE_INFINITY, () => {})
    while (!signal.aborted) {
      const records = await nextRecords(journal, after, signal)
      const transitions = records.filter(wanted).map(toTransition)
      const lines = transitions.map(each => (isJson ? JSON.stringify(each) : transitionLine(each)))
      if (lines.length > 0 && !(await io.print(lines.join('\n')))) break
      after = records.at(-1)?.seq ?? after
    }
    awake.cancel()
    return { ok: true }
  },
}
