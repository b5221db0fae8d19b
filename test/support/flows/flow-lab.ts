/** Runs of flows in this process, on simulated phones: the services are the product's, the phones are looked at as it goes. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { walk } from '../../../src/contracts/device/ui-tree.ts'
import type { FlowAttempt, TestRun } from '../../../src/contracts/flows/test-run.ts'
import type { FlowsRequest } from '../../../src/service/flows/request.ts'
import type { SimulatedPhone } from '../../../src/simulator/device.ts'
import { scaledClock } from '../../../src/simulator/scaled-clock.ts'
import type { ScenarioApp } from '../../../src/simulator/scenario/app.ts'
import { parseScenario, type Scenario } from '../../../src/simulator/scenario/scenario.ts'
import { systemWorld } from '../../../src/start/world.ts'
import { type Lab, type LabOptions, secondSerial, startLab } from '../executions/lab.ts'

/** Scripts of flows run in a process of its own, which is built. */
const PROGRAM = resolve('dist/svc.cjs')

/** The phone at the end of a flow, or of a command. */
export interface Seen {
  flow: string
  texts: readonly string[]
  settings: ReadonlyMap<string, string>
  place: string | undefined
  /** The packages that run. */
  running: readonly string[]
  isAwake: boolean
  /** Of the runtime permissions of an app, by package and name. */
  permission(packageName: string, name: string): string | undefined
}

export interface FlowLabOptions extends LabOptions {
  /** The waits of the host take this part of their time. */
  hostScale?: number
}

export interface FlowLab extends Lab {
  phones: readonly SimulatedPhone[]
  /** Where screenshots and videos go that flows name. */
  output: string
  run(paths: readonly string[], options?: Partial<FlowsRequest>): Promise<SeenRun>
}

export interface SeenRun {
  run: TestRun
  /** The phone at the end of the last attempt of this flow. */
  endOf(flow: string): Seen & { phone: SimulatedPhone }
  /** What commands of this flow have left, in their order. */
  during(flow: string): readonly Seen[]
}

export const suiteScenario = (file: string): Scenario => {
  const parsed = parseScenario(JSON.parse(readFileSync(file, 'utf8')))
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.scenario
}

const textsOn = (phone: SimulatedPhone): string[] =>
  [...walk(phone.tree()?.roots ?? [])].map(({ node }) => node.text).filter(text => text !== '')

const lookAt = (flow: string, phone: SimulatedPhone, apps: readonly ScenarioApp[]): Omit<Seen, 'texts'> => {
  const states = new Map(
    apps.flatMap(app =>
      app.permissions.map(({ name }) => [`${app.package} ${name}`, phone.permissions?.state(app.package, name)]),
    ),
  )
  return {
    flow,
    permission: (packageName, name) => states.get(`${packageName} ${name}`),
    settings: new Map(phone.settings),
    place: phone.system.testProviders.get('gps')?.place,
    running: phone.packages().filter(name => phone.isRunning?.(name)),
    isAwake: phone.isAwake(),
  }
}

export const startFlowLab = async ({ hostScale = 1, ...options }: FlowLabOptions = {}): Promise<FlowLab> => {
  const apps = options.scenario?.apps ?? []
  const system = systemWorld()
  const world = { ...system, clock: scaledClock(system.clock, hostScale) }
  const lab = await startLab({ program: PROGRAM, world, ...options })
  const output = join(lab.home, 'output')
  mkdirSync(output)
  const phoneOf = (serial: string) => {
    const device = lab.fleet.devices.find(each => each.serial === serial || secondSerial(each.serial) === serial)
    if (!device) throw new Error(`there is no phone ${serial}`)
    return device.phone
  }
  return {
    ...lab,
    phones: lab.fleet.devices.map(({ phone }) => phone),
    output,
    async run(paths, more = {}) {
      const under = new Map<string, { name: string; phone: SimulatedPhone }>()
      const ends = new Map<string, Seen & { phone: SimulatedPhone }>()
      const during = new Map<string, Seen[]>()
      const runs = await lab.services.testRuns()
      const request: FlowsRequest = {
        paths: paths.map(path => resolve(path)),
        cwd: process.cwd(),
        caller: 'cli',
        outputFolder: output,
        ...more,
      }
      const begun = await runs.start(request, progress => {
        if (progress.type === 'attempt.begun') {
          under.set(progress.flowRunId, { name: progress.name, phone: phoneOf(progress.deviceId) })
          during.set(progress.name, [])
        }
        const { name, phone } = ('flowRunId' in progress && under.get(progress.flowRunId)) || {}
        if (name === undefined || !phone) return
        // A look at the screen counts as one of its reads, so there is none while the flow goes on.
        if (progress.type === 'command.ended') during.get(name)?.push({ ...lookAt(name, phone, apps), texts: [] })
        if (progress.type === 'attempt.ended')
          ends.set(name, { ...lookAt(name, phone, apps), texts: textsOn(phone), phone })
      })
      if (!begun.ok) throw new Error(begun.error.message)
      const run = await begun.ended
      return {
        run,
        endOf(flow) {
          const end = ends.get(flow)
          if (!end) throw new Error(`the flow ${flow} has not run${run.error ? `: ${run.error.message}` : ''}`)
          return end
        },
        during: flow => during.get(flow) ?? [],
      }
    },
  }
}

/** The last attempt of the flow with this name. */
export const attemptOf = ({ flows, error }: TestRun, name: string): FlowAttempt => {
  const attempt = flows.find(flow => flow.name === name)?.attempts.at(-1)
  if (!attempt) throw new Error(`there is no attempt of ${name}${error ? `: ${error.message}` : ''}`)
  return attempt
}
