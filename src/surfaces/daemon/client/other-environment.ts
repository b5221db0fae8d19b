/** Why a daemon of another environment is left alone, and the command that starts it anew with the caller's. */
import { quote } from '../../../runtime/text/quote.ts'

const POLICY = 'SVC_POLICY'
/** Begins the reason why such a daemon is passed by. */
const STARTED = 'the daemon was started'

const variablesIn = (environment: string): ReadonlyMap<string, string> =>
  new Map(
    environment.split('\n').flatMap(line => {
      const equals = line.indexOf('=')
      return equals < 0 ? [] : [[line.slice(0, equals), line.slice(equals + 1)]]
    }),
  )

const policyIn = (file: string | undefined) => (file === undefined ? 'the policy of its home' : `the policy ${file}`)

/** `device` is the raw one of the daemon, empty for the default daemon. */
export const restartCommand = (device: string): string =>
  ['svc daemon restart', ...(device === '' ? [] : ['--device', quote(device)])].join(' ')

export interface DaemonDifference {
  /** A clause without a full stop. */
  problem: string
  /** Starts the daemon anew with the environment of the caller. */
  command: string
}

export const daemonDifference = (theirs: string, ours: string, device: string): DaemonDifference => {
  const [before, now] = [variablesIn(theirs), variablesIn(ours)]
  const names = [...new Set([...before.keys(), ...now.keys()])]
  const differing = names.filter(name => before.get(name) !== now.get(name))
  const others = differing.filter(name => name !== POLICY).sort()
  const policy = now.get(POLICY)
  const isPolicy = differing.includes(POLICY)
  const reasons = [
    ...(others.length > 0 ? [`with other values of ${others.join(', ')}`] : []),
    ...(isPolicy ? [`with ${policyIn(before.get(POLICY))}, not ${policyIn(policy)}`] : []),
  ]
  const command = [
    restartCommand(device),
    ...(isPolicy && policy !== undefined ? ['--policy', quote(policy)] : []),
  ].join(' ')
  return { problem: `${STARTED} ${reasons.join(', and ')}`, command }
}

export const otherEnvironment = (...daemon: Parameters<typeof daemonDifference>): string => {
  const { problem, command } = daemonDifference(...daemon)
  return `${problem}; to give it yours: ${command}`
}

export const isOtherEnvironment = (notice: string): boolean => notice.startsWith(STARTED)
