/** The helper of one device: started when it is needed, asked one thing at a time, ended when nobody has needed it for a while. */
import type { CallOptions, Link } from '../../adb/link.ts'
import { LinkError } from '../../adb/link-error.ts'
import { OUTPUT_BYTES_MAX } from '../../adb/link-limits.ts'
import { commandLine } from '../../adb/quote.ts'
import {
  HELPER_IDLE_MS,
  HELPER_QUIT_MS,
  HELPER_SNAPSHOT_MS,
  HELPER_START_MS,
  HELPER_TOUCH_MS,
} from '../../contracts/limits.ts'
import { type Clock, pause, type Timer } from '../../runtime/clock.ts'
import type { UiTree } from '../engine/ui-tree.ts'
import type { DeviceShell } from '../shell/device-shell.ts'
import { type Asked, askHelper } from './ask.ts'
import { SNAPSHOT_HELPER } from './helper-apks.ts'
import { automationHolder } from './holders.ts'
import { askPhone, type Installed, type PhoneFacts } from './installed.ts'
import { restoreKeyboard, type Typing, typeByKeyboard } from './keyboard.ts'
import { FORCE_STOP, type HelperProcess, StartFailure, startHelper } from './process.ts'
import { type TouchPlan, touchPayload } from './touch-plan.ts'
import { type Display, readHelperTree } from './tree.ts'

/** It cannot be worked with, and nothing of what was asked has happened. */
export class HelperUnavailable extends Error {
  readonly code: 'OPERATOR_NOT_INSTALLED' | 'OPERATOR_START_FAILED'

  constructor(code: HelperUnavailable['code'], message: string) {
    super(message)
    this.name = 'HelperUnavailable'
    this.code = code
  }
}

/**
 * All that the driver wants of a helper; another one could take its place. Rejects with HelperUnavailable when nothing
 * was done, and with LinkError when what was asked may have been done.
 */
export interface DeviceHelper {
  /** Starts it unless it runs. */
  health(options: CallOptions): Promise<void>
  /** The screen; undefined while it has no tree to give. */
  tree(options: CallOptions): Promise<UiTree | undefined>
  /** Never done twice. `refused` by the system. */
  touch(plan: TouchPlan, options: CallOptions): Promise<'ok' | 'refused'>
  /** Whether the device has what `text` needs. */
  canTypeAnything(options: CallOptions): Promise<boolean>
  /** Types into what has the focus. Nothing says whether it was taken. */
  text(typing: Typing, shell: DeviceShell): Promise<void>
  isRunning(): boolean
  /** Ends it, so that others may have the screen. */
  stop(): Promise<void>
}

export interface HelperOptions {
  clock: Clock
  link: (options: CallOptions) => Promise<Link>
}

const LOOKS = 3
const LOOK_PAUSE_MS = 100
const IS_RUNNING = commandLine('pidof', SNAPSHOT_HELPER.packageName)
/** What a guard on the phone needs to end its helper once the link is lost. */
const GUARD_MS = 2_000
const UNLIMITED: Display = { width: 100_000, height: 100_000 }

const NOT_OURS: Readonly<Record<Exclude<Installed['kind'], 'ours' | 'newer'>, string>> = {
  missing: 'the helper of svc.uiautomator is not installed on the device',
  other: 'the helper on the device is not the one of this svc',
}

interface Running {
  link: Link
  process: HelperProcess
  facts: PhoneFacts
  /** Has given a tree since it was started. */
  hasSeen: boolean
}

export const createHelper = ({ clock, link: openLink }: HelperOptions): DeviceHelper => {
  let running: Running | undefined
  let idle: Timer | undefined
  let turn: Promise<unknown> = Promise.resolve()

  /** One at a time, in the order in which they were asked for. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }
  const alive = () => (running && !running.process.ended.aborted && !running.link.lost.aborted ? running : undefined)
  const within = (options: CallOptions, ms: number): CallOptions => ({
    ...options,
    deadline: Math.min(options.deadline, clock.now() + ms),
  })
  /** Waits until the phone has ended it, so that this does not hit the next one. */
  const discard = async () => {
    const last = running
    running = undefined
    await last?.process.kill()
  }
  const rest = () => {
    idle?.cancel()
    idle = clock.at(clock.now() + HELPER_IDLE_MS, () => void stop(), { idle: true })
  }

  /** The port was bound; that it gets UiAutomation is seen when it is asked for the screen. */
  const refuseHeld = async ({ link, process }: Running, options: CallOptions): Promise<void> => {
    const asked = await askHelper(
      { link, clock, port: process.port, command: 'snapshot' },
      within(options, HELPER_SNAPSHOT_MS),
    )
    if (asked.kind !== 'answer') {
      throw new StartFailure(asked.kind === 'lost' ? asked.reason : 'the helper started and does not listen')
    }
    const { answer } = asked
    if (answer.ok || /IncompleteCapture/.test(answer.errorType)) return
    await discard()
    const holder = await automationHolder(link, options)
    throw new StartFailure(
      holder === undefined
        ? `the helper cannot read the screen: ${answer.message}`
        : `UiAutomation, of which a phone has one, is held by ${holder}: end that first`,
    )
  }

  /** One that was left behind is ended: by its guard, which a lost link has woken, or else by us. */
  const endOther = async (link: Link, options: CallOptions): Promise<void> => {
    const left = async () => (await link.shell(IS_RUNNING, { ...options, maxBytes: OUTPUT_BYTES_MAX.report })).stdout
    const until = clock.elapsed() + GUARD_MS
    while (clock.elapsed() < until && /\d/.test(await left())) await pause(clock, LOOK_PAUSE_MS, options.signal)
    await link.shell(FORCE_STOP, { ...options, maxBytes: OUTPUT_BYTES_MAX.report })
  }

  const start = async (options: CallOptions): Promise<Running> => {
    const link = await openLink(options)
    const facts = await askPhone(link, options)
    const { kind } = facts.snapshot
    if (kind === 'missing' || kind === 'other') {
      throw new HelperUnavailable('OPERATOR_NOT_INSTALLED', `${NOT_OURS[kind]}; run svc operator install`)
    }
    if (facts.keyboardMark !== undefined) await restoreKeyboard(link, facts.keyboardMark, options)
    if (facts.isRunning) await endOther(link, options)
    const process = await startHelper({ link, clock }, options)
    running = { link, process, facts, hasSeen: false }
    await refuseHeld(running, options)
    return running
  }

  const ensure = async (options: CallOptions): Promise<Running> => {
    const known = alive()
    if (known) return known
    await discard()
    const bounds = within(options, HELPER_START_MS)
    try {
      return await start(bounds)
    } catch (error) {
      await discard()
      if (error instanceof StartFailure) throw new HelperUnavailable('OPERATOR_START_FAILED', error.message)
      if (error instanceof LinkError && error.code === 'LINK_TIMEOUT') {
        throw new HelperUnavailable('OPERATOR_START_FAILED', `the helper did not start in time: ${error.message}`)
      }
      throw error
    }
  }

  const askNow = async (command: 'snapshot' | 'gesture', ms: number, options: CallOptions, payload?: string) => {
    const { link, process } = await ensure(options)
    const question = { link, clock, port: process.port, command, ...(payload === undefined ? {} : { payload }) }
    try {
      const asked = await askHelper(question, within(options, ms))
      if (asked.kind !== 'answer') await discard()
      return asked
    } catch (error) {
      // It may still be at work on that, and would keep the next one waiting.
      await discard()
      throw error
    } finally {
      rest()
    }
  }

  /** One that had ended unseen is started once more: nothing was sent to it. */
  const ask = async (...asking: Parameters<typeof askNow>): Promise<Asked> => {
    const asked = await askNow(...asking)
    return asked.kind === 'unsent' ? askNow(...asking) : asked
  }

  /** A snapshot may be repeated, so whatever went wrong is no more than a look without a tree. */
  const look = async (options: CallOptions): Promise<UiTree | undefined> => {
    const asked = await ask('snapshot', HELPER_SNAPSHOT_MS, options).catch((error: unknown) => {
      if (error instanceof LinkError && error.code === 'LINK_TIMEOUT' && clock.now() < options.deadline)
        return undefined
      throw error
    })
    if (asked?.kind !== 'answer') return undefined
    if (!asked.answer.ok) {
      if (/not connected|already registered/i.test(asked.answer.message)) await discard()
      return undefined
    }
    const read = readHelperTree(asked.answer.xml, running?.facts.display ?? UNLIMITED)
    if (!read.ok) return undefined
    if (running) running.hasSeen = true
    return read.tree
  }

  const tree = async (options: CallOptions): Promise<UiTree | undefined> => {
    for (let looks = 1; ; looks++) {
      const seen = await look(options)
      if (seen || clock.now() + LOOK_PAUSE_MS >= options.deadline) return seen
      if (looks > LOOKS) return undefined
      if (looks === LOOKS) {
        // A session that has given trees and gives none any more may be the one at fault: a new one looks last.
        if (running && !running.hasSeen) return undefined
        await discard()
      } else await pause(clock, LOOK_PAUSE_MS, options.signal)
      options.signal?.throwIfAborted()
    }
  }

  const touch = async (plan: TouchPlan, options: CallOptions): Promise<'ok' | 'refused'> => {
    const asked = await ask('gesture', plan.durationMs + HELPER_TOUCH_MS, options, touchPayload(plan))
    if (asked.kind === 'unsent')
      throw new HelperUnavailable('OPERATOR_START_FAILED', 'the helper started and does not listen')
    if (asked.kind === 'lost') throw new LinkError('DEVICE_LINK_LOST', asked.reason)
    return asked.answer.ok ? 'ok' : 'refused'
  }

  const end = async () => {
    idle?.cancel()
    const last = alive()
    running = undefined
    if (!last) return
    const { link, process } = last
    const options = { deadline: clock.now() + HELPER_QUIT_MS }
    const ended = new Promise<true>(resolve =>
      process.ended.addEventListener('abort', () => resolve(true), { once: true }),
    )
    const asked = await askHelper({ link, clock, port: process.port, command: 'quit' }, options).catch(() => undefined)
    const left = new AbortController()
    const isOver =
      asked?.kind === 'answer' &&
      (await Promise.race([ended, pause(clock, HELPER_QUIT_MS, left.signal).then(() => false)]))
    left.abort()
    if (!isOver) await process.kill()
  }
  const stop = () => inTurn(end)

  return {
    health: options => inTurn(async () => void (await ensure(options).finally(rest))),
    tree: options => inTurn(() => tree(options)),
    touch: (plan, options) => inTurn(() => touch(plan, options)),
    canTypeAnything: options =>
      inTurn(async () => (await ensure(options).finally(rest)).facts.keyboard.kind === 'ours'),
    text: (typing, shell) => typeByKeyboard(shell, typing),
    isRunning: () => alive() !== undefined,
    stop,
  }
}
