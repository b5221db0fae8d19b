/**
 * Runs inside the context of the scripts, as a bundle of its own: all that scripts get to see is made here, so that none of
 * it leads to the process.
 */

import type { EvaluationResult, EvaluationTask, SourceText } from '../messages.ts'
import { boundBuffers } from './buffers.ts'
import { createConsole } from './console.ts'
import { describeFailure } from './failure.ts'
import { createHttp } from './http.ts'
import { guardCall, type RealmHost } from './realm-host.ts'
import { createScope } from './scope.ts'

// Random numbers are the same whenever an evaluation is repeated.

export interface Random {
  seed(state: readonly [number, number, number, number]): void
  /** At least 0 and below 1. */
  next(): number
}

const UINT32 = 2 ** 32

/** The generator sfc32. */
const createRandom = (): Random => {
  let [a, b, c, counter] = [0, 0, 0, 1]
  return {
    seed(state) {
      ;[a, b, c, counter] = state
    },
    next() {
      const sum = (a + b + counter) | 0
      counter = (counter + 1) | 0
      a = b ^ (b >>> 9)
      b = (c + (c << 3)) | 0
      c = (c << 21) | (c >>> 11)
      c = (c + sum) | 0
      return (sum >>> 0) / UINT32
    },
  }
}

// `Date` as scripts have it begins at the time that came with the evaluation.

/** Replaces it in this realm; `now` is asked wherever the real one would look at the clock. */
const installClock = (now: () => number): void => {
  const Native = Date
  const { construct } = Reflect
  Native.now = now
  const Clocked = new Proxy(Native, {
    construct: (target, args: unknown[], newTarget) => construct(target, args.length === 0 ? [now()] : args, newTarget),
    apply: () => new Native(now()).toString(),
  })
  Native.prototype.constructor = Clocked
  globalThis.Date = Clocked
}

export { createInterceptors } from './interceptors.ts'

// Scripts may replace these.
const { parse, stringify } = JSON
const { ceil } = Math
const { isArray } = Array

const percent = (share: number) => `${ceil(share * 100)}%`

const jsonOf = (value: unknown): string | undefined => {
  try {
    return stringify(value)
  } catch {
    return undefined
  }
}

/** An empty list has a text, so that it is true; `String()` throws for what has no method to become one. */
const textOf = (value: unknown): string => {
  try {
    return isArray(value) && (value as unknown[]).length === 0 ? '[]' : String(value)
  } catch {
    return '[object]'
  }
}

export const createRealm = (host: RealmHost): (() => void) => {
  const random = createRandom()
  const log = guardCall(host.log)
  const { console, begin } = createConsole(line => log(stringify(line)))
  const elapsedMs = guardCall(host.elapsedMs)
  const loadFaker = guardCall(host.loadFaker)
  const syntaxProblem = guardCall(host.syntaxProblem)
  let begunAt = 0
  let faker: object | undefined
  const http = createHttp({
    request: guardCall(host.request),
    body: guardCall(host.body),
    env: name => scope.own(name),
  })
  const maestro: { platform: string; copiedText?: string | null } = { platform: 'android' }
  const json = (text: string) => parse(text)
  const relativePoint = (x: number, y: number) => `${percent(x)},${percent(y)}`
  Math.random = random.next
  installClock(() => begunAt + elapsedMs())
  boundBuffers(guardCall(host.bufferBytes))
  const scope = createScope({
    http: () => http,
    maestro: () => maestro,
    console: () => console,
    json: () => json,
    relativePoint: () => relativePoint,
    faker: () => {
      faker ??= loadFaker()(random.next)
      return faker
    },
  })
  const evaluateAll = ({ sources, env }: EvaluationTask): string => {
    const texts: string[] = []
    let value: unknown
    let running: SourceText | undefined
    try {
      for (const source of sources) {
        running = source
        scope.enter(env)
        value = scope.run(`${source.text}\n//# sourceURL=${source.label}`)
        texts[texts.length] = textOf(value)
      }
    } catch (error) {
      const failure: EvaluationResult = {
        ...describeFailure(error, () => (running === undefined ? '' : syntaxProblem(running.text))),
      }
      return stringify({ label: running?.label, ...failure })
    }
    const last = jsonOf(value)
    return `{"texts":${stringify(texts)}${last === undefined ? '' : `,"value":${last}`}}`
  }

  return () => {
    const task: EvaluationTask = parse(host.task())
    if (task.copied) maestro.copiedText = task.copied.text
    random.seed(task.seed)
    begunAt = task.now
    begin()
    host.answer(evaluateAll(task))
  }
}
