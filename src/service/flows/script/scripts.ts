/** The JavaScript of one run of a flow: `output` and what scripts keep in it live as long as the run. */
import { createHash } from 'node:crypto'
import type { Clock } from '../../../runtime/clock.ts'
import { once } from '../../../runtime/once.ts'
import { createEffects, type KeptResponses } from './evaluation-effects.ts'
import { type OpenFile, openAnyFile } from './form-body.ts'
import type { EvaluationTask } from './messages.ts'
import { dispatcherWithin, OPEN_REACH, type Reach } from './reachable.ts'
import { readResult, sourceLabel } from './read-result.ts'
import { type ScriptAnswer, ScriptFailure, type ScriptPlace, type ScriptProblem, type Traces } from './script-answer.ts'
import { type ScriptProcess, startScriptProcess } from './script-process.ts'
import { nameWithoutValue, splitTemplate } from './template.ts'

export interface FlowScriptsOptions {
  /** The id of the run of the flow: the same one gives the same random numbers to the same evaluations. */
  readonly seed: string
  readonly clock: Clock
  /** The built program of the scripts' process, as `scriptProgram` finds it. */
  readonly program: string | undefined
  /** Says whether a repeated script makes the same request: a keyed digest, for requests hold what can be guessed. */
  readonly digestOf: (request: string) => string
  /** For files that a script sends; without it a script may send any file. */
  readonly openFile?: OpenFile | undefined
  /** Where requests may go; anywhere without it. */
  readonly reach?: Reach | undefined
  readonly timeoutMs?: number | undefined
  readonly memoryMb?: number | undefined
}

export interface FlowScripts {
  /**
   * The value of the last expression. Evaluations run one after the other. Rejects when the process of the scripts cannot
   * run, or ended for no fault of the script.
   */
  evaluate(source: string, at: ScriptPlace): Promise<ScriptAnswer>
  /**
   * The pieces of the text, each `${...}` replaced by the text of its value; `\${` is literal. They may be long together:
   * a value can stand in a text thousands of times. Throws a ScriptFailure where a script fails.
   */
  fillIn(text: string, at: ScriptPlace): Promise<readonly string[]>
  /** Sets `maestro.copiedText` for the next evaluations. */
  setCopiedText(text: string | null): void
  /** Ends the process, whatever it is doing. */
  end(): Promise<void>
}

export const SCRIPT_MS_MAX = 60_000
export const SCRIPT_MEMORY_MB = 64
const WAITING_MAX = 1_000
/** A request fails so long before its script would, so that the script can handle it. */
const REQUEST_MARGIN_MS = 500
/** The process ends by itself so long after its host should have ended it. */
const ABANDONED_MS = 5_000

const PLAIN_NAME = /^\s*([A-Za-z_$][\w$]*)\s*$/
/** These are the script's own, whatever the environment says. */
const NOT_FROM_ENV = ['output', 'http', 'faker', 'maestro', 'json', 'relativePoint', 'console', 'globalThis', 'eval']

/** The value of a name of the environment needs no process. */
const fromEnv = (script: string, env: Readonly<Record<string, string>>): string | undefined => {
  const [, name] = PLAIN_NAME.exec(script) ?? []
  return name !== undefined && !NOT_FROM_ENV.includes(name) && Object.hasOwn(env, name) ? env[name] : undefined
}

type Outcome = ({ texts: readonly string[]; value?: unknown } & Traces) | ScriptProblem

export const createFlowScripts = (options: FlowScriptsOptions): FlowScripts => {
  const {
    seed,
    clock,
    digestOf,
    openFile = openAnyFile,
    timeoutMs = SCRIPT_MS_MAX,
    memoryMb = SCRIPT_MEMORY_MB,
  } = options
  let child: ScriptProcess | undefined
  let line: Promise<unknown> = Promise.resolve()
  let waiting = 0
  let ordinal = 0
  let copied: EvaluationTask['copied']
  let over: Pick<ScriptProblem, 'kind' | 'problem'> | undefined
  const ended = new AbortController()
  const kept: KeptResponses = { requests: 0, chars: 0 }
  const dispatcher = once(() => dispatcherWithin(options.reach ?? OPEN_REACH))

  const seedOf = (evaluation: number): EvaluationTask['seed'] => {
    const digest = createHash('sha256').update(`${evaluation}:${seed}`).digest()
    return [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8), digest.readInt32LE(12)]
  }

  const startedChild = (): ScriptProcess => {
    const { program } = options
    if (program === undefined) throw new Error('The program for the scripts of flows is missing. Install svc again.')
    child ??= startScriptProcess({ program, flowRunId: seed, memoryMb, clock })
    return child
  }

  const evaluateAll = async (sources: readonly string[], at: ScriptPlace): Promise<Outcome> => {
    ended.signal.throwIfAborted()
    if (over) return { ok: false, ...over, logs: [], effects: [] }
    const firstLine = at.isFile ? 1 : at.line
    const label = sourceLabel(at.file, firstLine)
    const deadline = clock.elapsed() + timeoutMs
    const evaluation = new AbortController()
    const { calls, logs, effects, readings, repeatedRequests, throwRefusal } = createEffects(at, {
      openFile,
      digestOf,
      dispatcher,
      kept,
      leftMs: () => deadline - clock.elapsed() - REQUEST_MARGIN_MS,
      signal: AbortSignal.any([ended.signal, evaluation.signal]),
    })
    const task: EvaluationTask = {
      type: 'evaluate',
      sources: sources.map(text => ({ text, label })),
      env: at.env,
      copied,
      now: at.now ?? clock.now(),
      seed: seedOf(ordinal++),
      readings,
      repeatedRequests,
      endsAfterMs: timeoutMs + ABANDONED_MS,
    }
    copied = undefined
    try {
      const end = await startedChild().evaluate(task, timeoutMs, calls)
      throwRefusal()
      if ('result' in end) return { ...readResult(end.result, at.file), logs, effects }
      const limit = end.ended === 'timeout' ? `within ${timeoutMs / 1_000} s` : `with ${memoryMb} MB of memory`
      const fact = `The script in ${at.file}, line ${firstLine}, did not end ${limit}`
      over = { kind: end.ended, problem: `${fact}, and \`output\` is lost: no more scripts of this flow can run.` }
      return { ok: false, kind: end.ended, problem: `${fact}.`, file: at.file, line: firstLine, logs, effects }
    } finally {
      evaluation.abort()
    }
  }

  const inLine = async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting >= WAITING_MAX) throw new Error(`More than ${WAITING_MAX} scripts of a flow wait for their turn.`)
    waiting++
    const turn = line.then(work)
    line = turn.catch(() => {})
    try {
      return await turn
    } finally {
      waiting--
    }
  }

  return {
    evaluate: (source, at) =>
      inLine(async () => {
        const outcome = await evaluateAll([source], at)
        if ('ok' in outcome) return outcome
        const { texts, value, logs, effects } = outcome
        const text = texts[0] ?? ''
        return { ok: true, value, text, logs, effects }
      }),
    async fillIn(text, at) {
      if (!text.includes('${')) return [text]
      const pieces = splitTemplate(text)
      const known = pieces.map(piece =>
        'text' in piece ? piece.text : piece.script.trim() && fromEnv(piece.script, at.env),
      )
      const scripts = pieces.flatMap((piece, index) =>
        'script' in piece && known[index] === undefined ? [piece.script] : [],
      )
      if (scripts.length === 0) return known.map(piece => piece ?? '')
      const outcome = await inLine(() => evaluateAll(scripts, at))
      if ('ok' in outcome) throw new ScriptFailure(outcome)
      for (const [index, script] of scripts.entries()) {
        const name = nameWithoutValue(script, outcome.texts[index], at.env)
        if (name !== undefined) at.onUndefined?.(name)
      }
      const values = outcome.texts.values()
      return known.map(piece => piece ?? values.next().value ?? '')
    },
    setCopiedText(text) {
      copied = { text }
    },
    async end() {
      ended.abort(new Error('The scripts of this flow were ended.'))
      await child?.end()
    },
  }
}
