/** From the bytes of a device log to the results that are awaited: any number at once, from any number of readings of one log. */
import { type Assembly, createAssembly, type Step } from './assembly.ts'
import { type Line, lineCutter } from './lines.ts'
import type { Awaited } from './request.ts'
import type { WireResult } from './wire-result.ts'

export interface Finding {
  wireId: string
  step: Step
}

/** One reading of the log: the live one, or one that looks back. */
export interface Feed {
  push(bytes: Uint8Array): Finding[]
  /** The reading has ended, perhaps inside a line. */
  end(): Finding[]
}

export interface Assembler {
  expect(awaited: Awaited): void
  forget(wireId: string): void
  feed(onLine?: (text: string) => void): Feed
  /** Some of its chunks are there, and more may follow. */
  isComing(wireId: string): boolean
  /** The verdict on a result for which nothing more will be read. */
  conclude(wireId: string): WireResult | undefined
}

export const isWireResult = (step: Step): step is WireResult => step.kind === 'envelope' || step.kind === 'malformed'

/** A result that has its verdict is forgotten: whatever else comes for it changes nothing. */
export const createAssembler = (): Assembler => {
  const assemblies = new Map<string, Assembly>()

  const findingsIn = (lines: readonly Line[], onLine?: (text: string) => void): Finding[] => {
    const findings: Finding[] = []
    for (const line of lines) {
      onLine?.(line.text)
      for (const [wireId, assembly] of assemblies) {
        const step = assembly.take(line)
        if (!step) continue
        if (isWireResult(step)) assemblies.delete(wireId)
        findings.push({ wireId, step })
      }
    }
    return findings
  }

  return {
    expect(awaited) {
      assemblies.set(awaited.wireId, createAssembly(awaited))
    },
    forget(wireId) {
      assemblies.delete(wireId)
    },
    feed(onLine) {
      const cutter = lineCutter()
      return {
        push: bytes => findingsIn(cutter.push(bytes), onLine),
        end: () => findingsIn(cutter.end(), onLine),
      }
    },
    isComing: wireId => assemblies.get(wireId)?.isComing() ?? false,
    conclude(wireId) {
      const verdict = assemblies.get(wireId)?.conclude()
      assemblies.delete(wireId)
      return verdict
    },
  }
}
