/** `am`: starts activities, sends broadcasts, stops apps, in the words of the real one. */
import { pause } from '../../../runtime/clock.ts'
import { type Command, type Context, fail, misuse } from '../command.ts'
import { die } from '../exception.ts'
import {
  FLAG_FROM_SHELL,
  FLAG_NEW_TASK,
  IntentUsage,
  type ParsedIntent,
  parseIntent,
  plainIntent,
  printIntent,
  shortComponent,
} from '../intent.ts'
import { instrument } from './instrument.ts'
import { withoutUser } from './properties.ts'

const START = {
  valued: ['--user', '--display', '-R', '-P', '--windowingMode', '--activityType', '--task', '--start-profiler'],
  on: ['-W', '-D', '-N', '-S', '--streaming', '--track-allocation'],
}
const BROADCAST = {
  valued: ['--user', '--receiver-permission', '--delivery-group-policy'],
  on: ['--async', '--allow-background-activity-starts', '--include-stopped-packages'],
}
const SERVICE = { valued: ['--user'], on: [] }
const FAILED_CODE = 1
/** The time until the first frame, in ms, and what the caller waits beside. */
const COLD_MS = 420
const HOT_MS = 85
const AROUND_MS = 6
const MINUS_ONE = 255

const notStarted = (intent: ParsedIntent): string => {
  if (intent.component === undefined) {
    return `Error: Activity not started, unable to resolve ${printIntent(intent, intent.flags | FLAG_NEW_TASK)}\n`
  }
  return `Error type 3\nError: Activity class {${intent.component}} does not exist.\n`
}

/** Up to Android 11 a start that failed ends with 0. */
const LYING_SDK = 30
const SHELL_PID = 4_711

const notExported = (intent: ParsedIntent) => ({
  verb: 'start',
  exception: 'java.lang.SecurityException',
  message: `Permission Denial: starting ${printIntent(intent, intent.flags | FLAG_NEW_TASK)} from null (pid=${SHELL_PID}, uid=2000) not exported from uid 10101`,
  at: [
    'com.android.server.wm.ActivityTaskSupervisor.checkStartAnyActivityPermission(ActivityTaskSupervisor.java:1120)',
  ],
})

const start: Command = async context => {
  const { phone, waits, signal, out, err } = context
  const intent = parseIntent(context.args, START)
  const isWaiting = intent.own.has('-W')
  const target = intent.packageName
  if (intent.own.has('-S') && target !== undefined) {
    await out(`Stopping: ${target}\n`)
    phone.forceStop(target)
  }
  await out(`Starting: ${printIntent(intent)}\n`)
  if (phone.mayStart?.(plainIntent(intent)) === false) return die(context, notExported(intent))
  const before = phone.foreground()
  const ran = target !== undefined && (phone.isRunning?.(target) ?? false)
  if (!phone.startActivity(plainIntent(intent))) {
    // The real one complains on stdout when it waits, and on stderr when it does not.
    await (isWaiting ? out : err)(notStarted(intent))
    return Number(phone.properties.get('ro.build.version.sdk')) <= LYING_SDK ? 0 : FAILED_CODE
  }
  const { packageName, activity } = phone.foreground()
  const isOnTop = packageName === before.packageName && activity === before.activity
  if (isOnTop) {
    await (isWaiting ? out : err)('Warning: Activity not started, its current task has been brought to the front\n')
  }
  if (!isWaiting) return 0
  const total = isOnTop ? 0 : ran ? HOT_MS : COLD_MS
  await pause(waits, total, signal)
  const lines = [
    'Status: ok',
    `LaunchState: ${isOnTop ? 'UNKNOWN (0)' : ran ? 'HOT' : 'COLD'}`,
    `Activity: ${shortComponent(packageName, activity)}`,
    `TotalTime: ${total}`,
    `WaitTime: ${total + AROUND_MS}`,
    'Complete',
  ]
  return out(lines.map(line => `${line}\n`).join(''))
}

const broadcast: Command = async ({ args, phone, out }) => {
  const intent = parseIntent(args, BROADCAST)
  await out(`Broadcasting: ${printIntent(intent, intent.flags | FLAG_FROM_SHELL)}\n`)
  if (phone.broadcast(plainIntent(intent)) === undefined) {
    await out(`Error: Target package not found: ${intent.packageName ?? ''}\n`)
    return FAILED_CODE
  }
  return out('Broadcast completed: result=0\n')
}

const service: Command = async context => {
  const intent = parseIntent(context.args, SERVICE)
  await context.out(`Starting service: ${printIntent(intent)}\n`)
  return fail(context, 'Error: Not found; no service started.', MINUS_ONE)
}

const forceStop: Command = context => {
  const [packageName] = withoutUser(context.args)
  if (packageName === undefined) return misuse(context, 'Argument required')
  context.phone.forceStop(packageName)
  return 0
}

/** An application in front is left alone, without a word about it. */
const killInBackground: Command = context => {
  const [packageName] = withoutUser(context.args)
  if (packageName === undefined) return misuse(context, 'Argument required')
  if (context.phone.foreground().packageName !== packageName) context.phone.forceStop(packageName)
  return 0
}

const currentUser: Command = ({ out }) => out('0\n')

const NOTHING: Command = () => 0

const SUBCOMMANDS: Readonly<Record<string, Command>> = {
  start,
  'start-activity': start,
  broadcast,
  startservice: service,
  'start-service': service,
  'start-foreground-service': service,
  'force-stop': forceStop,
  kill: killInBackground,
  'stop-app': forceStop,
  'kill-all': NOTHING,
  'get-current-user': currentUser,
  instrument,
  'wait-for-broadcast-idle': NOTHING,
}

const unknown = (context: Context, name: string) =>
  fail(
    context,
    name === '' ? 'Activity manager (activity) commands: no command given' : `Unknown command: ${name}`,
    MINUS_ONE,
  )

export const am: Command = async context => {
  const [name = '', ...args] = context.args
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined
  if (!subcommand) return unknown(context, name)
  try {
    return await subcommand({ ...context, args })
  } catch (error) {
    if (!(error instanceof IntentUsage)) throw error
    await context.err(`\nException occurred while executing '${name}':\n`)
    return fail(context, `java.lang.IllegalArgumentException: ${error.message}`, MINUS_ONE)
  }
}
