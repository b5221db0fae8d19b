/** The helper of one device: started when it is needed, asked one thing at a time, ended when nobody has needed it for a while. */

import type { UiTree } from '../../../contracts/device/ui-tree.ts'
import {
  HELPER_IDLE_MS,
  HELPER_QUIT_MS,
  HELPER_SNAPSHOT_MS,
  HELPER_START_MS,
  HELPER_TOUCH_MS,
} from '../../../contracts/limits/limits.ts'
import { type Clock, pause, type Timer } from '../../../runtime/clock.ts'
import { inSlices } from '../../../runtime/yielding.ts'
import { type CallOptions, type Link, LinkError } from '../../link/link.ts'
import type { DeviceShell } from '../shell/device-shell.ts'
import { type KeyboardTyping, typeByKeyboard } from './keyboard.ts'
import { HelperUnavailable, prepareHelper, type RunningHelper } from './prepare-helper.ts'
import { type HelperReply, requestFromHelper } from './protocol.ts'
import { type TouchPlan, touchPayload } from './touch-plan.ts'
import { type Display, readingHelperTree } from './tree.ts'

/**
 * All that the driver wants of a helper; another one could take its place. Rejects with HelperUnavailable when nothing
 * was done, and with LinkError when what was asked may have been done.
 */
export interface DeviceHelper {
  /** Starts it unless it runs, and sees that it reads the screen. */
  health(options: CallOptions): Promise<void>
  /** The screen; undefined while it has no tree to give. */
  tree(options: LookOptions): Promise<UiTree | undefined>
  /** Never done twice. */
  touch(plan: TouchPlan, options: CallOptions): Promise<TouchResult>
  /** True when the device has everything that `text` needs. */
  canTypeAnything(options: CallOptions): Promise<boolean>
  /** Types into what has the focus. Nothing says whether it was taken. */
  text(typing: KeyboardTyping, shell: DeviceShell): Promise<void>
  /** Ends it, so that others may have the screen. */
  stop(): Promise<void>
}

export interface LookOptions extends CallOptions {
  /** After this it looks no further; a look that has begun goes on, for breaking it off would end the helper. */
  until?: number
}

/** Done, or refused by the system. */
type TouchResult = { ok: true } | { ok: false; reason: string }

const LOOKS = 3
const LOOK_PAUSE_MS = 100
/** Its UiAutomation is gone, and it keeps the broken one. */
const DISCONNECTED = /not connected|already registered/i
const UNLIMITED: Display = { width: 100_000, height: 100_000 }

export const createHelper = ({
  clock,
  link: openLink,
}: {
  clock: Clock
  link: (options: CallOptions) => Promise<Link>
}): DeviceHelper => {
  let running: RunningHelper | undefined
  /** True once the running helper has given a tree. */
  let hasSeen = false
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

  const ensure = async (options: CallOptions): Promise<RunningHelper> => {
    const known = alive()
    if (known) return known
    await discard()
    const link = await openLink(options)
    running = await prepareHelper(link, clock, within(options, HELPER_START_MS))
    hasSeen = false
    rest()
    return running
  }

  const askNow = async (command: 'snapshot' | 'gesture', ms: number, options: CallOptions, payload?: string) => {
    const { link, process } = await ensure(options)
    const question = { link, clock, port: process.port, command, ...(payload === undefined ? {} : { payload }) }
    try {
      const reply = await requestFromHelper(question, within(options, ms))
      if (reply.kind !== 'done') await discard()
      return reply
    } catch (error) {
      // The helper may still be at work on that, and would keep the next one waiting.
      await discard()
      throw error
    } finally {
      rest()
    }
  }

  /** One that had ended unseen is started once more: nothing was sent to it. */
  const ask = async (...asking: Parameters<typeof askNow>): Promise<HelperReply> => {
    const reply = await askNow(...asking)
    return reply.kind === 'not sent' ? askNow(...asking) : reply
  }

  /** A snapshot may be repeated, so whatever went wrong is no more than a look without a tree. */
  const look = async (options: CallOptions): Promise<UiTree | undefined> => {
    const reply = await ask('snapshot', HELPER_SNAPSHOT_MS, options).catch((error: unknown) => {
      if (error instanceof LinkError && error.code === 'LINK_TIMEOUT' && clock.now() < options.deadline)
        return undefined
      throw error
    })
    if (reply?.kind !== 'done') return undefined
    if (!reply.answer.ok) {
      if (DISCONNECTED.test(reply.answer.message)) await discard()
      return undefined
    }
    const reading = readingHelperTree(reply.answer.xml, running?.facts.display ?? UNLIMITED)
    const read = await inSlices(reading, { clock, signal: options.signal })
    if (!read.ok) return undefined
    hasSeen = true
    return read.tree
  }

  const tree = async ({ until = Number.POSITIVE_INFINITY, ...options }: LookOptions): Promise<UiTree | undefined> => {
    for (let looks = 1; ; looks++) {
      const seen = await look(options)
      if (seen || clock.now() + LOOK_PAUSE_MS >= Math.min(options.deadline, until)) return seen
      // A session that has given trees and gives none any more may be the one at fault: a new one looks last.
      if (looks > LOOKS || (looks === LOOKS && running && !hasSeen)) return undefined
      if (looks === LOOKS) await discard()
      else await pause(clock, LOOK_PAUSE_MS, options.signal)
      options.signal?.throwIfAborted()
    }
  }

  const touch = async (plan: TouchPlan, options: CallOptions): Promise<TouchResult> => {
    const reply = await ask('gesture', plan.durationMs + HELPER_TOUCH_MS, options, touchPayload(plan))
    if (reply.kind === 'unknown') throw new LinkError('DEVICE_LINK_LOST', reply.reason)
    if (reply.kind === 'not sent') throw new HelperUnavailable('OPERATOR_START_FAILED', reply.reason)
    const { answer } = reply
    if (answer.ok) return { ok: true }
    if (DISCONNECTED.test(answer.message)) await discard()
    return { ok: false, reason: answer.message }
  }

  const end = async () => {
    idle?.cancel()
    const last = alive()
    running = undefined
    if (!last) return
    const { link, process } = last
    const left = new AbortController()
    const ended = new Promise<true>(resolve =>
      process.ended.addEventListener('abort', () => resolve(true), { once: true }),
    )
    const call = { deadline: clock.now() + HELPER_QUIT_MS }
    const reply = await requestFromHelper({ link, clock, port: process.port, command: 'quit' }, call).catch(
      () => undefined,
    )
    const isOver =
      reply?.kind === 'done' &&
      (await Promise.race([ended, pause(clock, HELPER_QUIT_MS, left.signal).then(() => false)]))
    left.abort()
    if (!isOver) await process.kill()
  }
  const stop = () => inTurn(end)

  return {
    health: options => inTurn(async () => void (await ensure(options))),
    tree: options => inTurn(() => tree(options)),
    touch: (plan, options) => inTurn(() => touch(plan, options)),
    canTypeAnything: options => inTurn(async () => (await ensure(options)).facts.keyboard.kind === 'ours'),
    text: (typing, shell) => typeByKeyboard(shell, typing),
    stop,
  }
}
