/**
 * `svc watch`: the transitions of every process of this user, one a line, until a signal comes. `svc inspect`:
 * actors, executions and devices in a browser.
 */

import { SERVE_PORT } from '../../../contracts/limits/limits.ts'
import type { JournalRecord } from '../../../contracts/records/journal.ts'
import { isActor, WATCHED_NAMES } from '../../../contracts/records/machines.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { didYouMean } from '../../../runtime/text/nearest-word.ts'
import type { Command, CommandContext } from '../command.ts'
import { oneOf, wholeNumber } from '../flags/flag-values.ts'
import { FLEET_FLAGS } from '../flags/fleet-flags.ts'
import { recordJson, recordLine } from '../journal/transition-line.ts'

export const inspect: Command = {
  path: ['inspect'],
  text: async () => (await import('../viewer/inspect.ts')).viewerText,
  serves: true,
  summary: 'open the viewer: actors live, their history, executions, and the screens of devices',
  details:
    'Uses the server that listens on the port if it shows this home; otherwise starts one, on a free port if that one is\n' +
    'taken and --port does not name it, which runs until a signal comes. Prints {url, started}. The page is GET /inspector of svc serve.',
  args: [{ name: 'actor', summary: 'begin with this actor, such as device:emulator-5554' }],
  flags: [
    {
      name: 'port',
      value: 'port',
      summary: `the port to look at and to listen on (default ${SERVE_PORT}, else any free one)`,
    },
    { name: 'no-open', summary: 'print the address and open no browser' },
  ],
  uses: ['policy'],
  examples: ['svc inspect', 'svc inspect device:emulator-5554 --no-open'],
  run: async call => (await import('../viewer/inspect.ts')).inspect(call),
}

/**
 * Resolves to the next records, or to none once the signal is aborted. Nobody listens while lines are being written, so
 * a reader that stalls costs no memory: the journal keeps the rest.
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

interface Filter {
  actor: string | undefined
  machine: string | undefined
}

const filterOf = (call: CommandContext): Filter => {
  const { args, text } = call
  const device = text('device')
  const machine = oneOf(call, 'machine', WATCHED_NAMES)
  return { actor: args[0] ?? (device === undefined ? undefined : `device:${device}`), machine }
}

/** An actor that comes later may be waited for; a mistyped one never comes. */
const warnOfUnknown = (journal: Journal, { actor }: Filter, { log }: CommandContext) => {
  if (actor === undefined) return
  const newest = journal.last(actor)
  if (newest && isActor(newest)) return
  const known = journal.actors().filter(isActor)
  const suggestion = didYouMean(
    actor,
    known.map(each => each.actor),
  )
  log.warn(`No actor ${JSON.stringify(actor)} has a record yet: svc waits for its first one.${suggestion}`)
}

const isWanted =
  ({ actor, machine }: Filter) =>
  (record: JournalRecord) =>
    isActor(record) &&
    (actor === undefined || record.actor === actor) &&
    (machine === undefined || record.machine === machine)

/** A word behind it is an actor unless it looks like the URL of a server. */
const WATCH_FLEET_FLAGS = FLEET_FLAGS.map(flag =>
  flag.name === 'fleet' ? { ...flag, optional: /^(?:nats|tls):\/\// } : flag,
)

/** A person who asks for nothing in particular on a terminal gets a view of it all. */
const isLive = ({ args, io, text, isOn }: CommandContext): boolean =>
  io.isTerminal() &&
  args.length === 0 &&
  !isOn('lines') &&
  !isOn('json') &&
  ['device', 'machine', 'after', 'output', 'fleet'].every(flag => text(flag) === undefined)

export const watch: Command = {
  path: ['watch'],
  text: 'unchanged',
  summary: 'print each transition of every execution as it happens, until a signal comes',
  details:
    'On a terminal: a live view of the devices, what runs on them and the last executions. Otherwise, and with an actor or\n' +
    'a flag: one line each: time, seq, actor, event, from -> to. With --json (or --output json) each line is a JSON object,\n' +
    '{seq, actor, machine, event, from, to, at}, and for emulators, sessions and refusals of the policy details.\n' +
    'Shows the transitions of all processes of this user. --after\n' +
    'continues where an earlier watch ended; --after 0 starts with the oldest record. With --fleet, those of all hosts of a\n' +
    'fleet are shown: a position of the fleet in the place of seq, which --after takes, and <actor>@<host>, which may be the\n' +
    'argument. With --json each object has position and host, too. --machine takes one of:\n' +
    `${WATCHED_NAMES.slice(0, 8).join(', ')},\n${WATCHED_NAMES.slice(8).join(', ')}.`,
  args: [
    {
      name: 'actor',
      summary: 'only this actor, such as device:emulator-5554 (or --device emulator-5554)',
      kind: 'actor',
    },
  ],
  flags: [
    { name: 'lines', summary: 'print lines on a terminal, too' },
    { name: 'after', value: 'seq', summary: 'start after this seq, or position (default: only new transitions)' },
    { name: 'machine', value: 'name', summary: 'of this kind, such as device; the kinds are listed above' },
    ...WATCH_FLEET_FLAGS,
  ],
  uses: ['device'],
  examples: [
    'svc watch',
    'svc watch device:emulator-5554 --json',
    'svc watch --after 0',
    'svc watch --fleet nats://nats1:4222',
  ],
  async run(call) {
    const { clock, io, signal } = call
    const filter = filterOf(call)
    const isJson = call.isOn('json') || call.text('output') === 'json'
    if (call.text('fleet') !== undefined) {
      return (await import('../fleet/watch-fleet.ts')).watchFleet(call, { filter, isJson })
    }
    if (isLive(call)) return (await import('../viewer/live-view.ts')).watchLive(call)
    const from = wholeNumber(call, 'after', { min: 0, max: Number.MAX_SAFE_INTEGER })
    const wanted = isWanted(filter)
    const journal = (await call.services()).journal()
    // Whoever reads the warning may go on: what they record from then on is shown.
    let after = from ?? journal.head()
    warnOfUnknown(journal, filter, call)
    // Waiting for records keeps no process alive by itself.
    const awake = clock.at(Number.POSITIVE_INFINITY, () => {})
    while (!signal.aborted) {
      const records = await nextRecords(journal, after, signal)
      const lines = records.filter(wanted).map(record => (isJson ? recordJson(record) : recordLine(record)))
      if (lines.length > 0 && !(await io.print(lines.join('\n')))) break
      after = records.at(-1)?.seq ?? after
    }
    awake.cancel()
    return { ok: true }
  },
}
