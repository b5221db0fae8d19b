/** The laws of a simulated fleet: those of every simulated host, and what each host says of the whole in the calm. */
import type { Violation } from '../../laws/laws.ts'
import { watchersHeardAll } from '../../laws/watch-law.ts'
import { judgeWorld } from '../laws/laws.ts'
import type { FleetWorld } from './trial.ts'

/** Law 7: in the calm the lists of every host are complete. */
const listsAreWhole = ({ look, serials, plan, story }: FleetWorld): Violation[] => {
  const known = [...new Set(story.receipts.map(({ executionId }) => executionId))]
  return look.lists.flatMap(({ host, devices, executions, unanswered }) => {
    const says = [
      ...(unanswered.length > 0 ? [`it could not ask ${unanswered.join(', ')}`] : []),
      ...(look.lists.length < plan.hosts ? [`only ${look.lists.length} hosts gave a list`] : []),
      ...serials
        .filter(serial => !devices.some(device => device.startsWith(`${serial}@`)))
        .map(serial => `its list of devices is without ${serial}: ${devices.join(', ')}`),
      ...known.filter(id => !executions.includes(id)).map(id => `its list of executions is without ${id}`),
    ]
    return says.map((one): Violation => ({ law: 7, about: host, says: one }))
  })
}

/** Law 5: who follows the log of the fleet hears what every journal has, once and in order. */
const logIsWhole = ({ ofLog, heads, story }: FleetWorld): Violation[] => {
  const isInTime = ({ seq, host }: { seq: number; host?: string }) => host !== undefined && seq <= (heads[host] ?? 0)
  const journals = story.journals
    .filter(({ host }) => host in ofLog.since)
    .map(({ host, transitions }) => ({ host, transitions: transitions.filter(isInTime) }))
  return watchersHeardAll({ watched: [{ ...ofLog, events: ofLog.events.filter(isInTime) }], journals })
}

/** The order in which hosts dispatched is not known by a clock that was set: then what phones saw has to do. */
const withClocksSet = (world: FleetWorld): FleetWorld => {
  const set = world.plan.faults.flatMap(fault => (fault.kind === 'clock-set' ? [`h${fault.host}`] : []))
  const ran = world.story.ran.map(one => (set.includes(one.host) ? { ...one, isWithdrawn: true } : one))
  return { ...world, story: { ...world.story, ran } }
}

export const judgeFleet = (world: FleetWorld): Violation[] => [
  ...judgeWorld(withClocksSet(world)),
  ...listsAreWhole(world),
  ...logIsWhole(world),
]
