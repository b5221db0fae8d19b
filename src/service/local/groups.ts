/** The requests of each group that is loaded when one of them is first asked: most commands ask one request in all. */
import type { Service, ServiceId } from '../service.ts'

export const GROUPS = {
  files: ['files.list'],
  apps: ['apps.list', 'apps.get', 'apps.frames', 'apps.memory'],
  settings: ['settings.get'],
  logs: ['logs.read', 'notifications.list'],
  forwards: ['forwards.list', 'forwards.add', 'forwards.remove', 'reverses.list', 'reverses.add', 'reverses.remove'],
  skills: ['skills.list', 'skills.get', 'skills.run'],
  emulators: [
    'emulators.list',
    'emulators.running',
    'emulators.get',
    'emulators.create',
    'emulators.start',
    'emulators.stop',
    'emulators.delete',
    'emulators.provision',
  ],
  recordings: ['recording.start', 'recording.status', 'recording.stop', 'recordings.get'],
  leases: ['leases.create', 'leases.list', 'leases.extend', 'leases.end'],
  testRuns: ['testRuns.start', 'testRuns.list', 'testRuns.get', 'testRuns.cancel'],
  actors: [
    'actors.list',
    'actors.get',
    'actors.history',
    'actors.records',
    'actors.recordBody',
    'skillRuns.trace',
    'skillRuns.traceFile',
    'viewer.actors',
    'viewer.executions',
    'viewer.deviceScreen',
    'executions.trace',
    'executions.traceFile',
  ],
} as const satisfies Readonly<Record<string, readonly ServiceId[]>>

export type Group = keyof typeof GROUPS
/** Answers the requests of a group. */
export type Requests<G extends Group> = Pick<Service, (typeof GROUPS)[G][number]>
