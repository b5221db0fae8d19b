/** The results that are awaited from one device's log, and the last lines that were seen there. */
import type { Moment } from '../../runtime/clock.ts'
import { createAssembler, type Feed, type Finding, isWireResult } from '../wire/assembler.ts'
import type { Awaited } from '../wire/request.ts'
import type { WireResult } from '../wire/wire-result.ts'
import { type Deferred, deferred } from './deferred.ts'

/** `lost`: the device cannot be reached any more, so nobody can say what became of the request. */
export type Ending = WireResult | { kind: 'lost'; reason: string }

export interface Wait {
  awaited: Awaited
  /** When its request left; undefined as long as it has not. */
  since: Moment | undefined
  ended: Ending | undefined
  ending: Deferred<Ending>
}

const LINES_KEPT = 10
const LINE_CHARS_KEPT = 300

/** Keeps the last few lines, short enough for an error. */
export const createTail = () => {
  const lines: string[] = []
  return {
    lines: (): string[] => [...lines],
    add(line: string) {
      lines.push(line.slice(0, LINE_CHARS_KEPT))
      if (lines.length > LINES_KEPT) lines.shift()
    },
  }
}

export interface LogWaitsOptions {
  /** The last chunk of a result is there and another is not. */
  onGap: (wireId: string) => void
  /** A line of a result was damaged. */
  onDamage: (wireId: string) => void
}

export const createLogWaits = ({ onGap, onDamage }: LogWaitsOptions) => {
  const assembler = createAssembler()
  const waits = new Map<string, Wait>()

  const settle = (wireId: string, ending: Ending) => {
    const wait = waits.get(wireId)
    if (!wait) return
    wait.ended = ending
    wait.ending.resolve(ending)
    waits.delete(wireId)
  }
  const hear = (findings: readonly Finding[]) => {
    for (const { wireId, step } of findings) {
      if (isWireResult(step)) settle(wireId, step)
      else if (step.kind === 'gap') onGap(wireId)
      else onDamage(wireId)
    }
  }

  return {
    count: () => waits.size,
    add(awaited: Awaited): Wait {
      const wait: Wait = { awaited, since: undefined, ended: undefined, ending: deferred() }
      waits.set(awaited.wireId, wait)
      assembler.expect(awaited)
      return wait
    },
    remove(wireId: string) {
      waits.delete(wireId)
      assembler.forget(wireId)
    },
    /** When the oldest request that still has no result left for the device. */
    since: (): Moment | undefined => {
      const moments = [...waits.values()].flatMap(({ since }) => since ?? [])
      return moments.sort((a, b) => a.elapsed - b.elapsed)[0]
    },
    /** Opens the input for one reading of the log. */
    feed(onLine: (text: string) => void): { push(bytes: Uint8Array): void; end(): void } {
      const feed: Feed = assembler.feed(onLine)
      return { push: bytes => hear(feed.push(bytes)), end: () => hear(feed.end()) }
    },
    isComing: assembler.isComing,
    /** Nothing more will be read for it: a trace of it is a verdict, none leaves the wait as it is. */
    conclude(wireId: string) {
      if (!waits.has(wireId)) return
      const verdict = assembler.conclude(wireId)
      if (verdict) settle(wireId, verdict)
    },
    loseAll(reason: string) {
      for (const wireId of [...waits.keys()]) {
        assembler.forget(wireId)
        settle(wireId, { kind: 'lost', reason })
      }
    },
  }
}

export type LogWaits = ReturnType<typeof createLogWaits>
