/** The process in which targets are fuzzed, one after the other; it ends with a reader that hangs, and its parent goes on. */
import { randomOf } from '../long/trial/random.ts'
import { DEFECT, readCorpus, writeCorpus } from './corpus.ts'
import { startCoverage } from './coverage.ts'
import { distil, KEPT } from './distil.ts'
import { type FuzzReport, fuzzTarget } from './fuzz-target.ts'
import { listenForUnhandled } from './guarded-read.ts'
import { writePresent } from './present-input.ts'
import { TARGETS } from './targets/catalogue.ts'

export interface WorkerTask {
  targets: readonly string[]
  seconds: number
  seed: number
  present: string
  /** Inputs of an earlier process that reached new code, in base64, by target; with them, nothing is fuzzed but chosen. */
  candidates?: Readonly<Record<string, readonly string[]>>
}

export type WorkerSaid =
  | { kind: 'begins'; target: string }
  | {
      kind: 'done'
      target: string
      inputs: number
      accepted: number
      candidates: readonly string[]
      defects: readonly { kind: string; message: string; input: string }[]
    }
  | { kind: 'kept'; target: string; inputs: number; bytes: number }

const MS_PER_S = 1_000

const inBase64 = (inputs: readonly Buffer[]): string[] => inputs.map(input => input.toString('base64'))

const doneOf = ({ target, inputs, accepted, candidates, defects }: FuzzReport): WorkerSaid => ({
  kind: 'done',
  target,
  inputs,
  accepted,
  candidates: inBase64(candidates.filter(({ length }) => length <= KEPT.largest)),
  defects: defects.map(({ kind, message, input }) => ({ kind, message, input: input.toString('base64') })),
})

/** Runs what the parent has asked for, and tells it by `say`. */
export const work = async (task: WorkerTask, say: (said: WorkerSaid) => Promise<void>): Promise<void> => {
  listenForUnhandled()
  const present = writePresent(task.present)
  const coverage = startCoverage()
  for (const name of task.targets) {
    const target = TARGETS.find(each => each.name === name)
    if (!target) throw new Error(`there is no target ${name}`)
    await say({ kind: 'begins', target: name })
    const kept = readCorpus(name)
    if (task.candidates) {
      const old = kept.flatMap(each => (each.name.startsWith(DEFECT) ? [] : [each.input]))
      const all = [...old, ...(task.candidates[name] ?? []).map(each => Buffer.from(each, 'base64'))]
      const chosen = await distil(target, all, coverage, present.begin)
      writeCorpus(name, chosen)
      await say({
        kind: 'kept',
        target: name,
        inputs: chosen.length,
        bytes: chosen.reduce((sum, each) => sum + each.length, 0),
      })
      continue
    }
    const end = performance.now() + task.seconds * MS_PER_S
    const report = await fuzzTarget({
      target,
      kept: kept.map(({ input }) => input),
      random: randomOf(task.seed, TARGETS.indexOf(target)),
      isOver: () => performance.now() >= end,
      coverage,
      begin: present.begin,
    })
    await say(doneOf(report))
  }
  coverage.close()
  present.close()
}
