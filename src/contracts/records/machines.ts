/** The machines whose actors the contract speaks of. The journal also keeps streams that are not actors. */
export const MACHINE_NAMES = [
  'device',
  'dispatch',
  'daemon',
  'emulator',
  'provision',
  'recording',
  'reservation',
  'flow-run',
  'test-run',
  'membership',
  'ownership',
  'session',
  'skill-run',
] as const

/** The denials of the policy: a log with one state and without a chart, which watchers see like any other actor. */
export const POLICY_LOG = 'policy'

/** The values of the column `machine` for actors that a watcher sees. */
export const WATCHED_NAMES: readonly string[] = [...MACHINE_NAMES, POLICY_LOG]

/** Other logs (seen screens, refused calls, requests to cancel) are the service's own notes and no transitions. */
export const isActor = ({ machine }: { machine: string }): boolean => WATCHED_NAMES.includes(machine)

/** False for logs such as the policy's, which have one state and no statechart. */
export const hasChart = ({ machine }: { machine: string }): boolean => MACHINE_NAMES.some(name => name === machine)
