/** From a phone as it is found to a helper that reads its screen: what must hold before, and who is in the way. */

import { HELPER_SNAPSHOT_MS } from '../../../contracts/limits/limits.ts'
import { type Clock, pause } from '../../../runtime/clock.ts'
import { commandLine } from '../../../runtime/text/quote.ts'
import { type CallOptions, type Link, LinkError } from '../../link/link.ts'
import { OUTPUT_BYTES_MAX } from '../../link/link-limits.ts'
import { SNAPSHOT_HELPER } from './helper-apks.ts'
import { type InstalledHelper, type PhoneFacts, readPhoneFacts } from './installed.ts'
import { restoreKeyboard } from './keyboard.ts'
import { FORCE_STOP, type HelperProcess, StartFailure, startHelper } from './process.ts'
import { requestFromHelper } from './protocol.ts'

/** Processes that take it, by their names. */
const KNOWN: Readonly<Record<string, string>> = {
  uiautomator: 'a uiautomator dump or test',
  'io.appium.uiautomator2.server': 'the Appium UiAutomator2 server',
  'com.github.uiautomator': 'the uiautomator server of openatx',
  'com.github.uiautomator.test': 'the uiautomator server of openatx',
}

const QUESTION = [
  commandLine('dumpsys', 'accessibility'),
  ...Object.keys(KNOWN).map(
    name => `${commandLine('pidof', name)} >/dev/null && ${commandLine('echo', `svc-runs:${name}`)}`,
  ),
].join('; ')

const HELD = /^\s*Ui Automation\[/m
const RUNS = /^svc-runs:(\S+)$/gm

/** Undefined when nobody holds it now. */
export const automationHolder = async (link: Link, options: CallOptions): Promise<string | undefined> => {
  const { stdout } = await link.shell(QUESTION, { ...options, maxBytes: OUTPUT_BYTES_MAX.state })
  if (!HELD.test(stdout)) return undefined
  const names = [...stdout.matchAll(RUNS)].map(([, name = '']) => `${KNOWN[name]} (${name})`)
  return names.length === 0 ? 'an unknown program' : names.join(', ')
}

/** The helper cannot be worked with, and nothing of what was asked has happened. */
export class HelperUnavailable extends Error {
  readonly code: 'OPERATOR_NOT_INSTALLED' | 'OPERATOR_START_FAILED'

  constructor(code: HelperUnavailable['code'], message: string) {
    super(message)
    this.name = 'HelperUnavailable'
    this.code = code
  }
}

export interface RunningHelper {
  link: Link
  process: HelperProcess
  facts: PhoneFacts
}

const NOT_OURS: Readonly<Record<Exclude<InstalledHelper['kind'], 'ours' | 'newer'>, string>> = {
  missing: 'the helper of svc.uiautomator is not installed on the device',
  other: 'the helper on the device is not the build that this svc has',
}

const IS_RUNNING = commandLine('pidof', SNAPSHOT_HELPER.packageName)
/** The time that a guard on the phone needs to end its helper once the link is lost. */
const GUARD_MS = 2_000
const GUARD_PAUSE_MS = 100

/**
 * One that was left behind is ended: by its guard, which the loss of its link has woken and which would hit the next one
 * as well, or else by us. While it still has UiAutomation, its host is there, and has nothing to do on a device that is ours.
 */
const endOther = async (link: Link, clock: Clock, options: CallOptions): Promise<void> => {
  const left = async () => (await link.shell(IS_RUNNING, { ...options, maxBytes: OUTPUT_BYTES_MAX.report })).stdout
  const isGuarded = (await automationHolder(link, options)) === undefined
  const until = clock.elapsed() + (isGuarded ? GUARD_MS : 0)
  while (clock.elapsed() < until && /\d/.test(await left())) await pause(clock, GUARD_PAUSE_MS, options.signal)
  await link.shell(FORCE_STOP, { ...options, maxBytes: OUTPUT_BYTES_MAX.report })
}

/** The port was bound; that it gets UiAutomation is seen when it is asked for the screen. */
const prove = async (link: Link, clock: Clock, process: HelperProcess, options: CallOptions): Promise<void> => {
  const deadline = Math.min(options.deadline, clock.now() + HELPER_SNAPSHOT_MS)
  const reply = await requestFromHelper(
    { link, clock, port: process.port, command: 'snapshot' },
    { ...options, deadline },
  )
  if (reply.kind !== 'done') throw new StartFailure(reply.reason)
  const { answer } = reply
  // A screen that is off, or between two windows, is read later.
  if (answer.ok || /IncompleteCapture/.test(answer.errorType)) return
  await process.kill()
  const holder = await automationHolder(link, options)
  throw new StartFailure(
    holder === undefined
      ? `the helper cannot read the screen: ${answer.message}`
      : `the only UiAutomation of the phone is held by ${holder}: stop that first`,
  )
}

const start = async (link: Link, clock: Clock, options: CallOptions): Promise<RunningHelper> => {
  const facts = await readPhoneFacts(link, options)
  const { kind } = facts.snapshot
  if (kind === 'missing' || kind === 'other') {
    throw new HelperUnavailable('OPERATOR_NOT_INSTALLED', NOT_OURS[kind])
  }
  if (facts.keyboardMark !== undefined) await restoreKeyboard(link, facts.keyboardMark, options)
  if (facts.isRunning) await endOther(link, clock, options)
  const process = await startHelper({ link, clock }, options)
  try {
    await prove(link, clock, process, options)
  } catch (error) {
    await process.kill()
    throw error
  }
  return { link, process, facts }
}

/** Rejects with HelperUnavailable, or with LinkError when the link is lost or the caller leaves. */
export const prepareHelper = async (link: Link, clock: Clock, options: CallOptions): Promise<RunningHelper> => {
  try {
    return await start(link, clock, options)
  } catch (error) {
    if (error instanceof StartFailure) throw new HelperUnavailable('OPERATOR_START_FAILED', error.message)
    if (error instanceof LinkError && error.code === 'LINK_TIMEOUT') {
      throw new HelperUnavailable('OPERATOR_START_FAILED', `the helper did not start in time: ${error.message}`)
    }
    throw error
  }
}
