/** The root of a command: constructs its services, each when first asked for, and ends them in order. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CATALOGUE } from '../../machines/catalogue.ts'
import { serverAddress } from '../contracts/device/addresses.ts'
import { DEVICES_LIST_MS, SHUTDOWN_GRACE_MS } from '../contracts/limits/limits.ts'
import { createForwards } from '../device/link/forwards/forwards.ts'
import { type Links, linksFrom } from '../device/link/links.ts'
import { leaseKeyKind } from '../device/link/select-device.ts'
import {
  createOperatorChanges,
  createOperatorChoice,
  type OperatorChanges,
} from '../device/operators/choose-operator.ts'
import { homeOf } from '../runtime/home.ts'
import { homeKey } from '../runtime/home-identity.ts'
import type { Host } from '../runtime/host.ts'
import { once } from '../runtime/once.ts'
import { deadlinePort } from '../runtime/port.ts'
import { createSecrets } from '../runtime/secrets.ts'
import { isCancelRequested } from '../service/executions/cancel-requests.ts'
import { createLearner, type Learner } from '../service/executions/evidence/learn.ts'
import { lazyFence, recordedFence } from '../service/executions/fence.ts'
import { reachDevice } from '../service/executions/prepare.ts'
import { createOperator } from '../service/executions/run/operator-port.ts'
import type { Parts } from '../service/parts.ts'
import { createUndoNotes } from '../service/reservations/undo-notes.ts'
import type { Service } from '../service/service.ts'
import { skillRunPorts } from '../service/skills/run/child-port.ts'
import { createDeviceGate } from '../service/skills/run/device-gate.ts'
import type { LiveRuns } from '../service/skills/run/live-run.ts'
import { createSkills } from '../service/skills/skills.ts'
import { viewerFolder } from '../service/traces/assets.ts'
import { createUndo, type Undo } from '../service/undo-left.ts'
import { simulatorServices } from '../simulator/services.ts'
import type { CommandParts } from '../surfaces/command-parts.ts'
import { buildIdentityOf } from '../surfaces/daemon/identity.ts'
import { emulatorParts } from './emulators.ts'
import { executionParts, receiptsOf } from './executions.ts'
import type { FleetParts } from './fleet.ts'
import { createFoundation, type FoundationOptions } from './foundation.ts'
import { hostRequests } from './host-requests.ts'
import { lateFlows, lateSessions } from './late-parts.ts'
import { recordingParts, reservationParts } from './phone-parts.ts'

export interface ServicesOptions extends Pick<FoundationOptions, 'env' | 'note' | 'world'> {
  /** The devices: those of the debug bridge unless told. */
  openLinks?: typeof linksFrom
  /** Relative paths of the caller start here. */
  cwd: string
  /** The program file of this svc, which skills call it by. */
  program?: string | undefined
  arch?: string
}

/** No surface asks for links; servers and benches do. */
export interface ProcessParts extends CommandParts {
  links(): Links
}

export const createServices = (options: ServicesOptions): ProcessParts => {
  const { env, cwd, note, program, arch = process.arch, openLinks = linksFrom } = options
  const home = homeOf(env)
  const foundation = createFoundation({ ...options, home })
  const { world, path, troubles, open } = foundation
  const { clock, ids } = world
  const server = serverAddress(env)
  const leaseBy = leaseKeyKind(env)
  const screenshots = { relativeTo: cwd, newFilesIn: join(home, 'screenshots'), ownerOnlyIn: home }
  const parcelsFolder = join(home, 'parcels')

  let only: readonly string[] | undefined
  const links = once(() => openLinks({ env: only ? { ...env, SVC_TCP_DEVICES: only.join(',') } : env, clock }))
  /** A server has a thread that waits for the disk; commands do it themselves. */
  let hasThread = false
  /** A server holds forwards until it ends; a command would take them with it at once. */
  let runsOn = false
  const journal = once(() => open({ hasUpkeep: hasThread }))
  let fleet: FleetParts | undefined
  const alone = recordedFence(() => journal())
  const fence = lazyFence(() => fleet?.member.fence ?? alone)
  const secrets = createSecrets(once(() => homeKey(home, 'secrets of flows')))
  const policies = once(() => foundation.policies(journal()))
  const operator = once(() => {
    const parts = { journal: journal(), links, program, fence, isCancelRequested, secrets, learner: () => learner() }
    return createOperator({ ...world, ...parts, ...policies() })
  })
  const learner = once((): Learner => {
    const { askPhone, askRequest } = operator()
    return createLearner({ host: host(), journal: journal(), clock, fence, askPhone, askRequest })
  })
  const skillRuns: LiveRuns = new Map()
  const avds = once(() => emulatorParts({ env, arch, home, clock, ids, leaseBy, links, host, journal }))
  const mayRecord: Parameters<typeof recordingParts>[0]['mayRecord'] = recording => policies().forRecordings(recording)
  const recorder = once(() => recordingParts({ home, clock, ids, leaseBy, links, host, journal, mayRecord }))
  const leases = reservationParts({ clock, ids, leaseBy, mayLive: world.mayLive, host: () => host(), journal })
  let ofFleet: Service | undefined
  const overService = {
    ...{ clock, ids, note, journal, program },
    host: () => host(),
    service: async (): Promise<Service> => ofFleet ?? service(),
    undo: (): Undo => undo(),
  }
  const undo = once((): Undo => createUndo({ ...overService, notes: createUndoNotes({ journal: journal(), clock }) }))
  const flows = lateFlows({
    ...overService,
    home,
    secrets,
    policy: () => policies().load(),
    flowScripts: world.flowScripts,
  })
  const sessions = lateSessions(overService)
  const host = once((): Host => {
    const ports = {
      device: { operator: operator().port, deadline: deadlinePort(clock) },
      'skill-run': skillRunPorts({ runs: skillRuns, clock }),
      ...avds().ports,
      ...recorder().ports,
      ...leases.ports,
      ...flows.ports,
      ...sessions.ports,
      ...fleet?.member.ports,
    }
    return foundation.host(journal(), { definitions: CATALOGUE, ports })
  })
  const operatorChanges = once(() => createOperatorChanges({ journal: journal(), clock }))
  // Doctor chooses without opening a journal, which may be damaged or not there.
  const newestChange: OperatorChanges['newest'] = async (link, call) =>
    journal.made() && operatorChanges().newest(link, call)
  const operatorChoice = once(() => createOperatorChoice({ clock, changes: { newest: newestChange } }))
  let settling: Promise<unknown> | undefined
  const executions = once(() => {
    // A skill whose host is gone must not go on beside a command; the next command settles the rest.
    settling = host()
      .recover({ machine: 'skill-run' })
      .catch(() => {})
    const shared = { host: host(), journal: journal(), clock, ids, links: links(), leaseBy, fence }
    return executionParts({
      ...shared,
      learner: learner(),
      operatorChoice: operatorChoice(),
      policies: policies(),
      mayLive: world.mayLive,
    })
  })

  const readOnlyJournal = once(() => open({ readOnly: true }))
  const receipts = once(async () => receiptsOf(executions, { journal: readOnlyJournal, note }))

  const ended = once(async () => {
    await fleet?.member.leave()
    await host.made()?.stop({ graceMs: SHUTDOWN_GRACE_MS })
  })
  const skills = once(() =>
    createSkills({
      ...{ clock, ids, env, cwd, home, program },
      host: host(),
      journal: journal(),
      runs: skillRuns,
      policy: policies().forSkills,
      checkDevice: createDeviceGate({ links: links(), clock, leaseBy, operatorChoice: operatorChoice() }),
      system: world.children,
    }),
  )

  const emulators = once(() => avds().create())
  const recordings = once(() => recorder().create())
  const { reservations } = leases
  const openDevice: Parts['openDevice'] = (deviceId, call) => reachDevice(links(), deviceId, call)
  const listDevices: Parts['listDevices'] = async signal => {
    const { devices, problem } = await links().list({ deadline: clock.now() + DEVICES_LIST_MS, signal })
    if (problem) note(`${problem.code}: ${problem.message}; only the devices of SVC_TCP_DEVICES are listed`)
    return devices
  }
  const forwards = once(() =>
    createForwards({
      clock,
      link: (serial, call) => links().get(serial, call),
      server: links().server?.()?.forwards,
      mayHold: () => runsOn,
      note,
    }),
  )
  const service = once(async (): Promise<Service> => {
    const { createLocal } = await import('../service/local/local.ts')
    return createLocal(parts).service
  })
  const serverRoot = once(async () => {
    const { createServerRoot } = await import('./server.ts')
    return createServerRoot({
      ...{ parts, world, program, path, leaseBy },
      onJoined(joined) {
        fleet = joined
      },
      useFleetService(over) {
        ofFleet = over
      },
      useSessionService: sessions.served.useSessionService,
      runOn(withThread) {
        hasThread = withThread
        runsOn = true
        links().track()
      },
    })
  })

  const basics = { clock, note, journal, openDevice, listDevices, version: __SVC_VERSION__ }
  const parts: ProcessParts = {
    ...basics,
    troubles,
    secrets,
    undo,
    parcelsFolder,
    operatorPackage: undefined,
    get buildIdentity() {
      return buildIdentityOf(program)
    },
    get viewerFolder() {
      return viewerFolder(program)
    },
    ids,
    env,
    home,
    links,
    service,
    journalToRead: () => (path !== undefined && !journal.made() && existsSync(path) ? readOnlyJournal() : journal()),
    host,
    executions,
    receipts,
    skills,
    emulators,
    forwards,
    recordings,
    reservations,
    alsoUse(serials) {
      if (links.made()) throw new Error('the devices are listed already')
      only = serials
    },
    testRuns(over) {
      ofFleet = over ?? ofFleet
      return flows.testRuns()
    },
    webDriver: sessions.served.webDriver,
    screenshots,
    ...simulatorServices({ clock, server, links }),
    ...hostRequests({ ...basics, env, ids, leaseBy, program, links, host, operatorChoice, operatorChanges }),
    serve: async options => (await serverRoot()).serve(options),
    serveSocket: async options => (await serverRoot()).serveSocket(options),
    serveMcp: async options => (await serverRoot()).serveMcp(options),
    endExecutions: ended,
    async close() {
      await settling
      await ended()
      await fleet?.close()
      await sessions.close()
      await operator.made()?.close()
      forwards.made()?.close()
      await links.made()?.close()
      ;(await serverRoot.made())?.stop()
      const opened = journal.made()
      if (opened && !hasThread) await foundation.prune(opened)
      secrets.close()
      opened?.close()
      readOnlyJournal.made()?.close()
    },
  }
  return parts
}
