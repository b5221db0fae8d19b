/** A rule of the operator protocol as data, and the one runner that asks an operator app for it. */
import type { OperatorCapability, OperatorRequest } from '../../../contracts/device/operator.ts'
import type { Answer, CheckBench, Sent, Wire } from './bench.ts'
import { Breach, LeftOut } from './breach.ts'
import type { CheckRequestOptions, WrittenAction } from './check-request.ts'
import { type Judge, success } from './judges.ts'
import { lookUntil, lookWhenStill, openSettings, type SeenScreen } from './settings-screen.ts'
import { inSession, type SocketSession } from './socket-session.ts'

interface Rule {
  /** In kebab-case; the same for ever, so that results can be compared. */
  id: string
  /** The rule as one sentence, for the documentation. */
  rule: string
  /** How the operator app is asked for it. */
  asks: string
  /** Left out for an app whose greeting does not announce it. */
  needs?: OperatorCapability
}

export interface Ask extends CheckRequestOptions {
  actions: readonly WrittenAction[]
  /** The number of another segment of the execution that the request before belongs to. */
  segment?: number
  /** Makes the payload that is sent in place of the request. */
  payload?: (request: OperatorRequest) => string
  /** `success()` where none is named. */
  judge?: Judge
}

/** One action, and how its answer is judged. */
export const ask = (type: string, params: object, judge: Judge): Ask => ({ actions: [{ type, params }], judge })

/** This must show on the screen after the requests. */
interface Effect {
  /** True for a screen on which the action took effect. */
  isSeen(screen: SeenScreen): boolean
  /** Begins a sentence with the claim of the app. */
  claim: string
  /** The command line that does the same without the app. */
  line: string
  remedy: string
}

export interface RequestVector extends Rule {
  /** The settings are opened first, and with `resting` the screen is looked at until it rests. */
  on?: 'settings' | 'resting settings'
  /** All in one session of the socket; by broadcast and log where it is missing. */
  over?: 'socket'
  /** In their order, each with the screen at the beginning. */
  requests: readonly Ask[] | ((screen: SeenScreen) => readonly Ask[])
  /** All requests are sent before the first answer is awaited. */
  together?: true
  effect?: (before: SeenScreen, answers: readonly Answer[]) => Effect
  /** Says what came; the word of the last judge where it is missing. */
  held?: string | ((answers: readonly Answer[], screen: SeenScreen) => string)
}

/** A rule that more belongs to than requests and their answers: `run`, and `talk` in a session of its own, say what came; they throw a Breach or a LeftOut. */
export type Vector =
  | RequestVector
  | (Rule & { run(bench: CheckBench): Promise<string> })
  | (Rule & { talk(session: SocketSession, bench: CheckBench): Promise<string> })

const NO_SCREEN: SeenScreen = { packageName: '', tree: { roots: [] } as never, nodes: [] }

/**
 * The screen must show the effect. Where it does not, the host performs the action itself: the claim is false only when
 * the effect shows then, and on a phone where it never shows the check proves nothing.
 */
export const demandEffect = async (bench: CheckBench, { isSeen, claim, line, remedy }: Effect): Promise<void> => {
  if (await lookUntil(bench, isSeen)) return
  await bench.shell(line)
  if (await lookUntil(bench, isSeen))
    throw new Breach(`${claim}, and the screen stayed as it was; \`${line}\` changed it. ${remedy}`)
  throw new LeftOut(`The screen of this phone does not change by \`${line}\`, so that the action cannot be seen.`)
}

/** Asks in order, and gives the answers and the word of the last judge. */
const askAll = async (bench: CheckBench, wire: Wire, asks: readonly Ask[], together: boolean) => {
  const answers: Answer[] = []
  const sent: { ask: Ask; one: Sent }[] = []
  let word: string | undefined
  let commandId = ''
  const judgeSent = async () => {
    for (const { ask, one } of sent.splice(0)) {
      const answer = await wire.answerTo(one)
      word = (ask.judge ?? success())(answer)
      answers.push(answer)
    }
  }
  for (const ask of asks) {
    const { actions, segment, payload, judge: _, ...options } = ask
    const sameExecution = segment === undefined ? {} : { commandId: commandId.replace(/\d+$/, String(segment)) }
    const request = bench.request(actions, { ...options, ...sameExecution })
    commandId = request.commandId
    sent.push({ ask, one: await wire.send(request, payload?.(request)) })
    if (!together) await judgeSent()
  }
  await judgeSent()
  return { answers, word }
}

const demandCapability = async ({ capabilities }: SocketSession, needed: OperatorCapability) => {
  if (capabilities.includes(needed)) return
  throw new LeftOut(`The greeting of the app does not name the capability ${needed}; it is optional.`)
}

/** Says what came; throws a Breach or a LeftOut. */
export const runVector = async (vector: Vector, bench: CheckBench): Promise<string> => {
  const { needs } = vector
  if (needs !== undefined) await inSession(bench, session => demandCapability(session, needs))
  if ('talk' in vector) return inSession(bench, session => vector.talk(session, bench))
  if ('run' in vector) return vector.run(bench)
  const { on, over, requests, together = false, effect, held } = vector
  const opened = on === undefined ? NO_SCREEN : await openSettings(bench)
  const screen = on === 'resting settings' ? await lookWhenStill(bench) : opened
  const asks = typeof requests === 'function' ? requests(screen) : requests
  const askOver = (wire: Wire) => askAll(bench, wire, asks, together)
  const { answers, word = '' } = await (over === 'socket' ? inSession(bench, askOver) : askOver(bench))
  if (effect) await demandEffect(bench, effect(screen, answers))
  return typeof held === 'function' ? held(answers, screen) : (held ?? word)
}
