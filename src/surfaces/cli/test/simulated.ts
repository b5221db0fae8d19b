/** `svc test --simulate`: phones of its own, which live as long as the run. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { messageOf } from '../../../runtime/message-of.ts'
import { readDump } from '../../../simulator/from-dump/read-dump.ts'
import { readScenario, type Scenario } from '../../../simulator/scenario/scenario.ts'
import { FLEET_MAX } from '../../../simulator/simulated-phones.ts'
import type { CommandParts } from '../../command-parts.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { wholeNumber } from '../flags/flag-values.ts'
import { scenarioOfDumps } from '../journal/from-dump.ts'

/** A folder that `svc skills record --scenario` wrote has this. */
const SCENARIO_FILE = 'scenario.json'
const DUMP = /\.(?:xml|json)$/i

const unreadable = (path: string, error: unknown) =>
  usage(`--simulate: ${path} cannot be read: ${messageOf(error)}`, {
    hint: 'A word behind --simulate is a scenario, or screens of a phone: put --simulate last for the phone as it comes.',
  })

const ofDumps = async (call: CommandContext, files: readonly string[]): Promise<Scenario> => {
  const { scenario, notes } = await scenarioOfDumps(call, files)
  for (const note of notes) call.io.note(note)
  return scenario
}

const ofFolder = async (call: CommandContext, path: string): Promise<Scenario> => {
  const names = (await readdir(resolve(call.cwd, path))).sort()
  if (names.includes(SCENARIO_FILE)) return ofFile(call, join(path, SCENARIO_FILE))
  const dumps = names.filter(name => DUMP.test(name))
  if (dumps.length === 0) throw usage(`--simulate: the folder ${path} has no ${SCENARIO_FILE} and no dumps of screens.`)
  return ofDumps(
    call,
    dumps.map(name => join(path, name)),
  )
}

const ofFile = async (call: CommandContext, path: string): Promise<Scenario> => {
  const text = await readFile(resolve(call.cwd, path), 'utf8').catch(error => {
    throw unreadable(path, error)
  })
  const read = readScenario(text)
  if (read.ok) return read.scenario
  if (readDump(text, undefined).ok) return ofDumps(call, [path])
  throw usage(`--simulate ${path}: ${read.error}`)
}

/** A scenario, a dump of a screen, or a folder with one or the other. */
const scenarioOf = async (call: CommandContext): Promise<Scenario | undefined> => {
  const path = call.text('simulate')
  if (path === undefined || path === '') return undefined
  const stats = await stat(resolve(call.cwd, path)).catch(error => {
    throw unreadable(path, error)
  })
  return stats.isDirectory() ? ofFolder(call, path) : ofFile(call, path)
}

export const startSimulated = async (
  call: CommandContext,
  work: (services: CommandParts, serials: readonly string[]) => Promise<CommandResult>,
): Promise<CommandResult> => {
  if (call.text('device') !== undefined) throw usage('Only one of --device and --simulate can be given.')
  const scenario = await scenarioOf(call)
  const range = { min: 1, max: FLEET_MAX }
  const count = wholeNumber(call, 'shard-split', range) ?? wholeNumber(call, 'shard-all', range) ?? 1
  const services = await call.services()
  const fleet = await services.simulate({ count, ...(scenario ? { scenario } : {}) })
  try {
    const serials = fleet.devices.map(({ serial }) => serial)
    services.alsoUse(serials)
    return await work(services, serials)
  } finally {
    await services.endExecutions()
    await fleet.close()
  }
}
