/** The place that constructs: what the commands use, made when first asked for and ended in order. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CATALOGUE } from '../machines/catalogue.ts'
import { leaseByOf } from './adb/lease-key.ts'
import type { Links } from './adb/links.ts'
import { linksFrom } from './adb/links-from.ts'
import { serverAddress } from './adb/server-address.ts'
import type { DeviceRecord } from './contracts/device.ts'
import { lateFence } from './contracts/fence.ts'
import { DEVICES_LIST_MS, SHUTDOWN_GRACE_MS } from './contracts/limits.ts'
import { emulatorServices } from './emulator-services.ts'
import type { Emulators } from './emulators/emulators.ts'
import { isCancelRequested } from './executions/cancel-requests.ts'
import { createExecutor, type Executed, type UnplacedRequest } from './executions/execute.ts'
import { createExecutions } from './executions/executions.ts'
import { createExecutionPolicy } from './executions/policy.ts'
import { recordedReceipts } from './executions/receipts.ts'
import { recordedFence } from './executions/recorded-fence.ts'
import type { Executions, Receipts } from './executions/service.ts'
import type { FleetServices } from './fleet-services.ts'
import { createOperatorChoice, type OperatorChoice } from './operator/choose-operator.ts'
import { createOperator } from './operator/create-operator.ts'
import type { ScreenshotPolicy } from './operator/job.ts'
import { createOperatorChanges, type OperatorChanges } from './operator/operator-changes.ts'
import { createPolicies } from './policy/policies.ts'
import { createRecovery, settleRuns } from './recovery.ts'
import { type Clock, systemClock } from './runtime/clock.ts'
import { deadlinePort } from './runtime/deadline.ts'
import { homeOf, journalPath } from './runtime/home.ts'
import { createHost, type Host } from './runtime/host.ts'
import { type Ids, systemIds } from './runtime/ids.ts'
import { JournalError } from './runtime/journal/fault.ts'
import type { Journal } from './runtime/journal/journal.ts'
import { memoryJournal } from './runtime/journal/memory.ts'
import { openJournal } from './runtime/journal/sqlite.ts'
import { pruneIfDue } from './runtime/journal/upkeep.ts'
import { once } from './runtime/once.ts'
import { mayLive, thisProcess } from './runtime/processes.ts'
import { createTroubles } from './runtime/troubles.ts'
import { createServing, type Serving } from './serving.ts'
import { type SimulatorServices, simulatorServices } from './simulator/services.ts'
import { createDeviceGate } from './skills/run/device-gate.ts'
import { runLeftOvers } from './skills/run/end-orphans.ts'
import type { LiveRuns } from './skills/run/live-run.ts'
import { skillRunPorts } from './skills/run/ports.ts'
import type { Skills } from './skills/service.ts'
import { createSkills } from './skills/skills.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface ServicesOptions {
  env: Environment
  /** Relative paths of the caller start here. */
  cwd: string
  /** A line for a person. */
  note: (text: string) => void
  /** The program file of this svc, which skills call it by. */
  program?: string | undefined
  arch?: string
}

export interface Services extends Omit<Serving, 'stopKeeping'>, SimulatorServices {
  readonly clock: Clock
  readonly ids: Ids
  readonly env: Environment
  /** `~/.svc`, or SVC_HOME. */
  readonly home: string
  links(): Links
  operatorChoice(): OperatorChoice
  operatorChanges(): OperatorChanges
  journal(): Journal
  /** Opens the journal for reading, with no claim on the file; one that does not exist yet is created. */
  journalToRead(): Journal
  host(): Host
  executions(): Executions
  /** Reads receipts where nothing can be written too: on a full disk, in a directory that is read-only. */
  receipts(): Promise<Receipts>
  skills(): Skills
  emulators(): Emulators
  /** Screenshots of callers in `cwd` go here. */
  readonly screenshots: ScreenshotPolicy
  execute(request: UnplacedRequest): Promise<Executed>
  /** Every device in every state; rejects with LinkError ADB_NOT_FOUND or ADB_SERVER_FAILED. */
  listDevices(signal: AbortSignal): Promise<DeviceRecord[]>
  /** Takes no more of them, lets those in flight finish for a while, records the rest as interrupted: then all are answered. */
  endExecutions(): Promise<void>
  close(): Promise<void>
}

export const createServices = ({ env, cwd, note, program, arch = process.arch }: ServicesOptions): Services => {
  const clock = systemClock()
  const ids = systemIds()
  const home = homeOf(env)
  const server = serverAddress(env)
  const leaseBy = leaseByOf(env)
  const screenshots = { relativeTo: cwd, newFilesIn: join(home, 'screenshots') }

  const links = once(() => linksFrom({ env, clock }))
  const troubles = createTroubles({ clock, note })
  const path = journalPath(home)
  const isRecorded = env.SVC_JOURNAL !== 'off'
  /** A server has a thread that waits for the disk; commands do it themselves. */
  let isServer = false
  const kept = { path, alive: mayLive, clock, troubles }
  const journal = once(() => (isRecorded ? openJournal({ ...kept, isKept: isServer }) : memoryJournal(kept)))
  let fleet: FleetServices | undefined
  const alone = recordedFence(() => journal())
  const fence = lateFence(() => fleet?.member.fence ?? alone)
  const policies = once(() => createPolicies({ env, home, journal: journal(), clock, note }))
  const operator = once(() =>
    createOperator({ clock, journal: journal(), links, program, fence, isCancelRequested, ...policies() }),
  )
  const skillRuns: LiveRuns = new Map()
  const avds = once(() => emulatorServices({ env, arch, home, clock, ids, leaseBy, links, host, journal }))
  const host = once((): Host => {
    const holder = { ...thisProcess(), instance: ids.instance() }
    const ports = {
      device: { operator: operator().port, deadline: deadlinePort(clock) },
      'skill-run': skillRunPorts({ runs: skillRuns, clock }),
      ...avds().ports,
      ...fleet?.member.ports,
    }
    const endLeftOvers = runLeftOvers(journal())
    return createHost({ journal: journal(), clock, definitions: CATALOGUE, ports, holder, endLeftOvers, troubles })
  })
  const operatorChanges = once(() => createOperatorChanges({ journal: journal(), clock }))
  // Doctor chooses without opening a journal, which may be damaged or not there.
  const newestChange: OperatorChanges['newest'] = async (link, call) =>
    journal.made() && operatorChanges().newest(link, call)
  const operatorChoice = once(() => createOperatorChoice({ clock, changes: { newest: newestChange } }))
  let settling: Promise<unknown> | undefined
  const executions = once(() => {
    settling = settleRuns(host())
    const parts = { host: host(), journal: journal(), clock, ids }
    const policy = createExecutionPolicy(policies())
    const executor = createExecutor({
      ...parts,
      links: links(),
      leaseBy,
      operatorChoice: operatorChoice(),
      policy,
      fence,
    })
    return createExecutions({ ...parts, executor })
  })

  const readOnlyJournal = once(() => openJournal({ ...kept, readOnly: true }))
  const receipts = once(async (): Promise<Receipts> => {
    try {
      return executions()
    } catch (error) {
      if (!(error instanceof JournalError) || !['full', 'read-only'].includes(error.reason)) throw error
      const recorded = recordedReceipts(readOnlyJournal())
      note(`the journal cannot be written (${error.reason}): receipts may be out of date`)
      return recorded
    }
  })

  const ended = once(async () => {
    await fleet?.member.leave()
    await host.made()?.stop({ graceMs: SHUTDOWN_GRACE_MS })
  })
  const skills = once(() =>
    createSkills({
      host: host(),
      runs: skillRuns,
      clock,
      ids,
      policy: policies().forSkills,
      checkDevice: createDeviceGate({ links: links(), clock, leaseBy, operatorChoice: operatorChoice() }),
      env,
      cwd,
      home,
      program,
    }),
  )

  const emulators = once(() => avds().create())
  const recover = createRecovery({ host, emulators, note })

  const serving = createServing({
    clock,
    env,
    note,
    program,
    path: isRecorded ? path : undefined,
    home,
    recover,
    async joinFleet(options, facts) {
      const { createFleetServices } = await import('./fleet-services.ts')
      const monitors = (env.SVC_FLEET_MONITOR ?? '').split(',').flatMap(url => (url.trim() ? [url.trim()] : []))
      fleet = createFleetServices({ ...options, ...facts, clock, ids, leaseBy, links, host, journal, note, monitors })
      return fleet
    },
    begin(isKept) {
      isServer = isKept
      const made = { journal: journal(), executions: executions(), skills: skills(), emulators: emulators() }
      return { ...made, clock, troubles, listDevices: services.listDevices, screenshots }
    },
  })

  const services: Services = {
    clock,
    ids,
    env,
    home,
    links,
    operatorChoice,
    operatorChanges,
    journal,
    journalToRead: () => (isRecorded && !journal.made() && existsSync(path) ? readOnlyJournal() : journal()),
    host,
    executions,
    receipts,
    skills,
    emulators,
    screenshots,
    execute: request => executions().execute({ screenshots, ...request }),
    async listDevices(signal) {
      const { devices, problem } = await links().list({ deadline: clock.now() + DEVICES_LIST_MS, signal })
      if (problem) note(`${problem.code}: ${problem.message}; only the devices of SVC_TCP_DEVICES are listed`)
      return devices
    },
    ...simulatorServices({ clock, server, links }),
    serve: serving.serve,
    serveSocket: serving.serveSocket,
    serveMcp: serving.serveMcp,
    endExecutions: ended,
    async close() {
      await settling
      await ended()
      await fleet?.close()
      await operator.made()?.close()
      await links.made()?.close()
      serving.stopKeeping()
      const opened = journal.made()
      if (opened && isRecorded && !isServer) await pruneIfDue({ journal: opened, path, clock })
      opened?.close()
      readOnlyJournal.made()?.close()
    },
  }
  return services
}
