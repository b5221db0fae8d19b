/** Runs groups, branches and loops. A loop is bounded, and lets others have their turn. */
import { setImmediate as nextTask } from 'node:timers/promises'
import { type Io, StreamEnded } from './io.ts'
import { copyScope, type Scope } from './scope.ts'
import type { Compound, For, If, List, While, Word } from './syntax.ts'

/** The limit of all loops of one command line together, which ends endless loops. */
export const ROUNDS_MAX = 10_000
/** After so many rounds everybody else has a turn. */
const ROUNDS_AT_ONCE = 64
const TOO_MANY_CODE = 1

interface CompoundRunner {
  runList(list: List, scope: Scope, io: Io): Promise<number>
  words(words: readonly Word[], scope: Scope, io: Io): Promise<string[]>
  complain(io: Io, message: string): Promise<void>
}

/** Prepares each round of a loop; false when the loop is over. */
const mayGoOn = async (scope: Scope, io: Io, runner: CompoundRunner): Promise<boolean> => {
  if (io.signal.aborted && !scope.ignoresHangup) throw new StreamEnded()
  if (scope.ended !== undefined) return false
  if (scope.leaving) {
    const { how, loops } = scope.leaving
    scope.leaving = loops > 1 ? { how, loops: loops - 1 } : undefined
    if (how === 'break' || loops > 1) return false
  }
  const { rounds } = io
  if (!rounds) return true
  rounds.left -= 1
  if (rounds.left % ROUNDS_AT_ONCE === 0) await nextTask()
  if (rounds.left >= 0) return true
  await runner.complain(io, `a loop was ended: this shell takes ${ROUNDS_MAX} rounds`)
  scope.ended = TOO_MANY_CODE
  return false
}

const inLoop = async (scope: Scope, run: () => Promise<number>): Promise<number> => {
  scope.loops += 1
  try {
    return await run()
  } finally {
    scope.loops -= 1
  }
}

const runIf = async ({ branches, otherwise }: If, scope: Scope, io: Io, runner: CompoundRunner): Promise<number> => {
  for (const { test, body } of branches) {
    const status = await runner.runList(test, scope, io)
    if (scope.ended !== undefined || scope.leaving) return status
    if (status === 0) return runner.runList(body, scope, io)
  }
  return otherwise ? runner.runList(otherwise, scope, io) : 0
}

const runFor = async ({ name, words, body }: For, scope: Scope, io: Io, runner: CompoundRunner): Promise<number> => {
  const values = words ? await runner.words(words, scope, io) : scope.positional.slice(1)
  return inLoop(scope, async () => {
    let status = 0
    for (const value of values) {
      if (!(await mayGoOn(scope, io, runner))) return scope.ended ?? status
      scope.variables.set(name, value)
      status = await runner.runList(body, scope, io)
    }
    // The last round may have been left by `break` or `continue`, of this loop or of one around it.
    if (scope.leaving) await mayGoOn(scope, io, runner)
    return scope.ended ?? status
  })
}

const runWhile = ({ test, body, untilSuccess }: While, scope: Scope, io: Io, runner: CompoundRunner): Promise<number> =>
  inLoop(scope, async () => {
    let status = 0
    while (await mayGoOn(scope, io, runner)) {
      const isSuccess = (await runner.runList(test, scope, io)) === 0
      if (scope.leaving) continue
      if (scope.ended !== undefined || isSuccess === untilSuccess) break
      status = await runner.runList(body, scope, io)
    }
    return scope.ended ?? status
  })

export const runCompound = (command: Compound, scope: Scope, io: Io, runner: CompoundRunner): Promise<number> => {
  if (command.kind === 'if') return runIf(command, scope, io, runner)
  if (command.kind === 'for') return runFor(command, scope, io, runner)
  if (command.kind === 'while') return runWhile(command, scope, io, runner)
  return runner.runList(command.list, command.own ? copyScope(scope) : scope, io)
}
