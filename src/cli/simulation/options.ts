/** What the flags of `svc simulate` ask for, with the files that they name. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { PORT_MAX } from '../../contracts/limits.ts'
import { FLEET_MAX, FLEET_STATES, type FleetOptions } from '../../simulator/fleet.ts'
import { OPERATOR_WAYS } from '../../simulator/scenario/device.ts'
import { type Fault, parseFaults } from '../../simulator/scenario/fault.ts'
import { readScenario, type Scenario } from '../../simulator/scenario/scenario.ts'
import { type Call, usage } from '../command.ts'
import { didYouMean } from '../did-you-mean.ts'
import { wholeNumber } from '../numbers.ts'

const oneOf = <const T extends string>(call: Call, flag: string, known: readonly T[]): T | undefined => {
  const text = call.text(flag)
  const found = known.find(each => each === text)
  if (text !== undefined && found === undefined) {
    throw usage(`--${flag} is one of ${known.join(', ')}, not "${text}".${didYouMean(text, known)}`)
  }
  return found
}

const contentOf = async (call: Call, flag: string): Promise<string | undefined> => {
  const path = call.text(flag)
  if (path === undefined) return undefined
  try {
    return await readFile(resolve(call.cwd, path), 'utf8')
  } catch (error) {
    throw usage(`--${flag}: ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const scenarioOf = async (call: Call): Promise<Scenario | undefined> => {
  const content = await contentOf(call, 'scenario')
  if (content === undefined) return undefined
  const parsed = readScenario(content)
  if (!parsed.ok) throw usage(`--scenario ${call.text('scenario')}: ${parsed.error}`)
  return parsed.scenario
}

const faultsOf = async (call: Call): Promise<Fault[] | undefined> => {
  const content = await contentOf(call, 'faults')
  if (content === undefined) return undefined
  let json: unknown
  try {
    json = JSON.parse(content)
  } catch (error) {
    throw usage(`--faults ${call.text('faults')} is no JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  const parsed = parseFaults(json)
  if (!parsed.ok) throw usage(`--faults ${call.text('faults')}: ${parsed.error}`)
  return parsed.faults
}

/** Leaves out what was not given, so that the defaults of the fleet hold. */
const given = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

export const fleetOptions = async (call: Call): Promise<Omit<FleetOptions, 'clock'>> => {
  const count = wholeNumber(call, 'count', { min: 1, max: FLEET_MAX })
  const port = wholeNumber(call, 'port', { min: 1, max: PORT_MAX })
  if ((port ?? 1) + (count ?? 1) - 1 > PORT_MAX) throw usage(`There are no ${count} ports from ${port} on.`)
  return given({
    count,
    port,
    scenario: await scenarioOf(call),
    faults: await faultsOf(call),
    state: oneOf(call, 'state', FLEET_STATES),
    operator: oneOf(call, 'operator', OPERATOR_WAYS),
  })
}
