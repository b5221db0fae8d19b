/** One life of a process of a simulated host: the real services, over a world of its own. */
import { join } from 'node:path'
import { LinkError } from '../../../src/device/link/link.ts'
import { linksOver } from '../../../src/device/link/links.ts'
import type { ProcessIdentity } from '../../../src/runtime/processes/processes.ts'
import type { Service } from '../../../src/service/service.ts'
import type { ChildSystem } from '../../../src/service/skills/run/child-system.ts'
import { createServices } from '../../../src/start/command.ts'
import type { Network, World } from '../../../src/start/world.ts'
import { ownedClock, ownedIds, type Wall } from '../clock.ts'
import type { PhoneHost } from '../phone/phone.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import type { Disk } from './disk.ts'

export interface Life {
  readonly owner: Owner
  readonly identity: ProcessIdentity
  readonly services: ReturnType<typeof createServices>
  service(): Promise<Service>
  /** Begins what it does besides waiting to be asked. */
  begin?(): void
}

const LISTING_MS = { min: 1, max: 6 }
/** There can be no such folder, not even for root: a policy, a home's files and pictures are not part of this world. */
const NOWHERE = '/proc/simulated'

/** The skills of a host, and the system in which their children live. */
export interface SimulatedSkills {
  registry: string
  /** Until then its processes settle what others have left, every few seconds as a server does. */
  sweptUntil: number
  systemFor(process: Owner, identity: ProcessIdentity): ChildSystem
}

export interface LifeOptions {
  scheduler: Scheduler
  name: string
  pid: number
  wall: Wall
  disk: Disk
  phones: readonly PhoneHost[]
  isAlive(process: ProcessIdentity): boolean
  /** When the process with that pid began; undefined where none runs. */
  startOf(pid: number): string | undefined
  /** Without it no skills are run. */
  skills?: SimulatedSkills | undefined
  /** True for a phone that is connected now; all of them unless told. */
  sees?(phone: PhoneHost): boolean
  network?: Network | undefined
  /** Without it the scripts of flows cannot run. */
  scriptsOf?: ((owner: Owner) => NonNullable<World['flowScripts']>) | undefined
  /** Its home, where files of it are part of the world. */
  home?: string | undefined
  /** Made unless given. */
  owner?: Owner
  /** Where its files are; without it there can be none. */
  homes?: string | undefined
}

/** Loaded ahead: to load code takes real time, in which a world stands still. */
export const loadServices = async (): Promise<void> => {
  await import('../../../src/service/local/local.ts')
  await import('../../../src/service/local/skills.ts')
  await import('../../../src/service/local/recordings.ts')
  await import('../../../src/service/local/leases.ts')
}

export const startLife = (options: LifeOptions): Life => {
  const {
    scheduler,
    name,
    pid,
    wall,
    disk,
    phones,
    isAlive,
    startOf,
    skills,
    network,
    scriptsOf,
    home,
    homes = NOWHERE,
    sees = () => true,
  } = options
  const owner = options.owner ?? scheduler.owner(name)
  const clock = ownedClock(scheduler, owner, wall)
  const identity: ProcessIdentity = { pid, started: `simulated:${pid}` }
  const sources = new Map(
    phones.flatMap(phone => {
      const source = phone.source(owner, clock)
      return phone.serials.map(serial => [serial, source] as const)
    }),
  )
  const world: World = {
    clock,
    ids: ownedIds(owner.random),
    random: owner.random.next,
    self: () => identity,
    bootId: () => `boot ${disk.powerCuts}`,
    mayLive: isAlive,
    draftOwners: { self: () => identity, startOf },
    openJournal: () => disk.journalFor(owner, clock),
    ...(skills ? { children: skills.systemFor(owner, identity) } : {}),
    ...(network ? { network } : {}),
    ...(scriptsOf ? { flowScripts: scriptsOf(owner) } : {}),
  }
  const openLinks = () =>
    linksOver({
      clock,
      source: {
        direct: [],
        listed: () =>
          new Promise(resolve => {
            scheduler.post(owner, owner.random.int(LISTING_MS.min, LISTING_MS.max), 'has a listing', () => {
              const here = phones.filter(phone => scheduler.now() >= phone.awayUntil && sees(phone))
              const serials = here.flatMap(phone => phone.serials)
              resolve({ devices: serials.map(serial => ({ serial, state: 'device' })) })
            })
          }),
        open(serial, stop, onStage) {
          const source = sources.get(serial)
          if (!source || !phones.some(phone => phone.serials.includes(serial) && sees(phone)))
            return Promise.reject(new LinkError('DEVICE_OFFLINE', `there is no ${serial}`))
          return source.open(serial, stop, onStage)
        },
      },
    })

  const env = {
    HOME: join(homes, disk.owner.name),
    PATH: '',
    SVC_JOURNAL: 'off',
    ...(home === undefined ? {} : { SVC_HOME: home }),
    ...(skills ? { SVC_SKILLS_REGISTRY: skills.registry } : {}),
  }
  const services = createServices({ env, cwd: NOWHERE, note: () => {}, world, openLinks, arch: 'x64' })
  return { owner, identity, services, service: async () => services.service() }
}
