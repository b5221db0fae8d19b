/** `svc emulators`: asks the driver, and tells a person how far a change has come. */
import * as v from 'valibot'
import {
  AvdCreateRequest,
  AvdName,
  type ConfiguredAvd,
  ProvisionRequest,
  type RunningEmulator,
  StartRequest,
} from '../../../contracts/device/avd.ts'
import { defined } from '../../../contracts/json/json.ts'
import type { JournalRecord } from '../../../contracts/records/journal.ts'
import { pause, readClock, sinceMs } from '../../../runtime/clock.ts'
import type { Journal } from '../../../runtime/journal/journal.ts'
import { eachRecord } from '../../../runtime/transitions.ts'
import type { Answered, Emulators } from '../../../service/emulators/emulators.ts'
import { progressText } from '../../../service/emulators/progress-text.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { fieldsText, listText } from '../text/answer.ts'
import { headline, lines } from '../text/layout.ts'
import { type Page, SIGNS } from '../text/page.ts'
import { safe } from '../text/visible.ts'

/** In a pipe every tenth percent is enough. */
const LINE_PERCENT = 10
const REDRAW_MS = 1_000

export const showProgress = (call: CommandContext, journal: Journal) => {
  const { io, clock } = call
  const isTerminal = process.stderr.isTTY === true
  const begun = readClock(clock)
  const over = new AbortController()
  let actor: string | undefined
  let text = ''
  let linePercent = 0
  let subscription: { close(): void } | undefined

  const draw = () => {
    const columns = process.stderr.columns || 80
    const line = `${text} (${Math.round(sinceMs(clock, begun) / 1_000)} s)`
    io.show(`\r\u001b[K${line.slice(0, columns - 1)}`)
  }
  const take = (record: JournalRecord) => {
    const message = progressText(record)
    if (message === undefined || message === text) return
    if (isTerminal) {
      text = message
      return draw()
    }
    const { percent } = record.event
    if (typeof percent === 'number' && percent < 100 && percent < linePercent + LINE_PERCENT) return
    linePercent = typeof percent === 'number' ? percent : 0
    text = message
    io.note(message)
  }
  const isOurs = (record: JournalRecord): boolean =>
    record.actor === actor || (actor?.startsWith('provision:') === true && record.actor.startsWith('emulator:'))

  const redraw = async () => {
    while (!over.signal.aborted) {
      await pause(clock, REDRAW_MS, over.signal)
      if (!over.signal.aborted && text !== '') draw()
    }
  }

  return {
    /** The actor that does the work; those that it asks are shown, too. */
    watch(watched: string) {
      actor = watched.includes(':') ? watched : `provision:${watched}`
      subscription = journal.subscribe(
        eachRecord(record => {
          if (isOurs(record)) take(record)
        }),
        { after: journal.head() },
      )
      if (isTerminal) void redraw()
    },
    end() {
      subscription?.close()
      over.abort()
      if (isTerminal && text !== '') io.show('\r\u001b[K')
    },
  }
}

const outcome = <T extends { note?: string }>({ io }: CommandContext, answered: Answered<T>): CommandResult => {
  if (!answered.ok) return { ok: false, output: answered.error }
  if (answered.value.note !== undefined) io.note(answered.value.note)
  return { ok: true, output: { ok: true, ...answered.value } }
}

const FLAGS: Readonly<Record<string, string>> = {
  apiLevel: '--api-level',
  deviceProfile: '--device-profile',
  storageSize: '--storage-size',
  abi: '--abi',
  name: 'The name of the AVD',
}

const judged = <const S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> => {
  const result = v.safeParse(schema, input, { abortEarly: true })
  if (result.success) return result.output
  const [{ message, path }] = result.issues
  const field = String(path?.[0]?.key ?? 'name')
  throw usage(`${FLAGS[field] ?? field} ${message}.`, { details: { field } })
}

const nameOf = (call: CommandContext): string => judged(AvdName, call.args[0])

const startFields = (call: CommandContext) => ({
  wipe: call.isOn('wipe') ? true : undefined,
  window: call.isOn('no-window') ? false : undefined,
})

const levelOf = (text: string | undefined): number | string | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : text

type Work<T extends object> = (emulators: Emulators) => Promise<Answered<T>>

const look = async <T extends object>(call: CommandContext, work: Work<T>): Promise<CommandResult> =>
  outcome(call, await work((await call.services()).emulators()))

type Change<T extends object> = (emulators: Emulators, watch: (actor: string) => void) => Promise<Answered<T>>

/**
 * First cleans up changes that an earlier process left half done; for this AVD the request itself does that. An
 * interruption ends the waiting at once; the emulator goes on.
 */
const change = async <T extends object>(
  call: CommandContext,
  work: Change<T>,
  avdName?: string,
): Promise<CommandResult> => {
  const services = await call.services()
  const emulators = services.emulators()
  const host = services.host()
  await host.recover()
  for (const line of await emulators.repair({ resume: false, except: avdName })) call.io.note(line)
  const progress = showProgress(call, services.journal())
  const leave = () => {
    progress.end()
    call.log.error('Interrupted. An emulator that was started goes on; svc emulators start joins it.')
    void host.stop({ graceMs: 0 })
  }
  call.signal.addEventListener('abort', leave, { once: true })
  if (call.signal.aborted) leave()
  try {
    return outcome(call, await work(emulators, progress.watch))
  } finally {
    call.signal.removeEventListener('abort', leave)
    progress.end()
  }
}

const changeOne = <T extends object>(
  call: CommandContext,
  work: (emulators: Emulators, name: string) => Promise<Answered<T>>,
) => {
  const name = nameOf(call)
  const changeNamed: Change<T> = (emulators, watch) => {
    watch(`emulator:${name}`)
    return work(emulators, name)
  }
  return change(call, changeNamed, name)
}

export const list = (call: CommandContext) => look(call, emulators => emulators.list(call.signal))
export const running = (call: CommandContext) => look(call, emulators => emulators.running(call.signal))
export const get = (call: CommandContext) => {
  const name = nameOf(call)
  return look(call, emulators => emulators.get(name, call.signal))
}

export const create = (call: CommandContext) => {
  const request = judged(
    AvdCreateRequest,
    defined({
      name: call.args[0],
      apiLevel: levelOf(call.text('api-level')),
      abi: call.text('abi'),
      deviceProfile: call.text('device-profile'),
      playStore: call.isOn('no-play-store') ? false : undefined,
      storageSize: call.text('storage-size'),
    }),
  )
  return change(call, (emulators, watch) => emulators.create(request, name => watch(`emulator:${name}`)))
}

export const start = (call: CommandContext) => {
  const request = judged(StartRequest, defined(startFields(call)))
  return changeOne(call, (emulators, name) => emulators.start(name, request))
}

export const stop = (call: CommandContext) => changeOne(call, (emulators, name) => emulators.stop(name))

const remove = (call: CommandContext) => changeOne(call, (emulators, name) => emulators.delete(name))

export { remove as delete }

export const provision = (call: CommandContext) => {
  const request = judged(
    ProvisionRequest,
    defined({ storageSize: call.text('storage-size'), abi: call.text('abi'), ...startFields(call) }),
  )
  return change(call, (emulators, watch) => emulators.provision(request, watch))
}

interface Support {
  supported: boolean
  unsupportedReasons: readonly string[]
}

const SUPPORT = {
  supported: ({ supported, unsupportedReasons }: Support) =>
    supported ? `${SIGNS.ok} yes` : `${SIGNS.warning} ${unsupportedReasons.join(', ').replaceAll('_', ' ') || 'no'}`,
}
const HIDDEN = ['ok', 'type', 'exists', 'unsupportedReasons']

export const avdsText = (page: Page, { avds }: { avds: readonly ConfiguredAvd[] }): string =>
  listText(page, avds, {
    none: 'There is no AVD. Make one: svc emulators create',
    as: { ...SUPPORT, running: ({ running }) => (running ? `${SIGNS.ok} running` : 'stopped') },
    without: HIDDEN,
    first: ['name', 'running', 'supported'],
  })

export const runningEmulatorsText = (page: Page, { devices }: { devices: readonly RunningEmulator[] }): string =>
  listText(page, devices, {
    none: 'No emulator runs. Bring one up: svc emulators provision',
    as: { ...SUPPORT, booted: ({ booted }) => (booted ? `${SIGNS.ok} booted` : `${SIGNS.warning} not booted`) },
    without: HIDDEN,
  })

const avdFields = (page: Page, avd: ConfiguredAvd): string =>
  fieldsText(page, avd, { as: SUPPORT, without: [...HIDDEN, 'name', 'running', 'note'] })

export const avdText = (page: Page, avd: ConfiguredAvd): string => {
  if (!avd.exists) return headline(page, 'failed', safe`There is no AVD ${avd.name}.`)
  const state = avd.running ? 'is running' : 'is stopped'
  return lines(headline(page, 'ok', safe`The AVD ${avd.name} ${state}.`), avdFields(page, avd))
}

export const avdCreatedText = (page: Page, avd: ConfiguredAvd): string =>
  lines(
    headline(page, 'ok', safe`Made the AVD ${avd.name}. Start it: svc emulators start ${avd.name}`),
    avdFields(page, avd),
  )

interface Ready {
  avdName: string
  serial: string
  booted: boolean
  created?: boolean
  started?: boolean
}

export const emulatorReadyText = (page: Page, { avdName, serial, booted, created, started }: Ready): string => {
  const how = created ? 'Made and started' : started === false ? 'Already running:' : 'Started'
  const end = booted ? '' : '; it has not booted yet'
  return headline(page, booted ? 'ok' : 'warning', safe`${how} ${avdName} as ${serial}${end}.`)
}

export const emulatorStoppedText = (page: Page, { avdName }: { avdName: string }): string =>
  headline(page, 'ok', safe`Stopped ${avdName}.`)

export const emulatorDeletedText = (page: Page, { avdName }: { avdName: string }): string =>
  headline(page, 'ok', safe`Deleted the AVD ${avdName} and its data.`)
