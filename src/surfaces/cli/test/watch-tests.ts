/** `svc test --watch`: runs the flows, and again those that a change touches, until a signal comes. */
import { resolve } from 'node:path'
import { placePrefix } from '../../../contracts/flows/problem-place.ts'
import type { Verdict } from '../../../contracts/flows/test-run.ts'
import { type CheckedFlows, validateFlows } from '../../../service/flows/language/check-flows.ts'
import { flowLibrary } from '../../../service/flows/language/flow-library.ts'
import { hostFlowFiles } from '../../../service/flows/language/host-flow-files.ts'
import type { Problem } from '../../../service/flows/language/problem.ts'
import type { FlowsRequest } from '../../../service/flows/request.ts'
import type { CommandContext, CommandResult } from '../command.ts'
import { counted } from '../text/layout.ts'
import { createFileWatch } from './file-watch.ts'

type Run = (onlyNames: readonly string[]) => Promise<Verdict | null>

/** Each read anew: the files may have changed. */
const check = ({ paths = [], includeTags = [], excludeTags = [], config, cwd }: FlowsRequest): Promise<CheckedFlows> =>
  validateFlows(flowLibrary(hostFlowFiles), {
    paths: paths.map(path => resolve(cwd, path)),
    includeTags,
    excludeTags,
    configFile: config === undefined ? undefined : resolve(cwd, config),
  })

const problemLine = (problem: Problem): string =>
  `${placePrefix(problem)}${problem.message}${problem.hint === undefined ? '' : ` ${problem.hint}`}`

/** The names of the flows to run again; all of them where it cannot be told. */
export const touchedFlows = (
  { flows, configFile }: Pick<CheckedFlows, 'flows' | 'configFile'>,
  changed: readonly string[],
  known: ReadonlySet<string>,
): string[] => {
  const isConfig = configFile !== undefined && changed.includes(configFile)
  return flows
    .filter(({ name, files }) => isConfig || !known.has(name) || files.some(file => changed.includes(file)))
    .map(({ name }) => name)
}

export const watchTests = async (call: CommandContext, request: FlowsRequest, run: Run): Promise<CommandResult> => {
  const { io, clock, signal } = call
  const files = createFileWatch(clock)
  const paths = (request.paths ?? []).map(path => resolve(request.cwd, path))
  let known: ReadonlySet<string> = new Set()
  /** Since the last run; a flow that could not be run is still to be run. */
  let changed: string[] = []
  let verdict: Verdict | null = null
  let isBroken = false

  /** Where a file is broken, nothing runs before it is repaired. */
  const runTouched = async (): Promise<void> => {
    const checked = await check(request)
    const { flows, problems, configFile } = checked
    const read = [...flows.flatMap(flow => flow.files), ...problems.map(({ file }) => file).filter(file => file !== '')]
    await files.follow([...new Set([...read, ...(configFile === undefined ? [] : [configFile])])], paths)
    isBroken = problems.length > 0
    if (isBroken) {
      for (const problem of problems) io.note(problemLine(problem))
      io.note(`Nothing runs before ${problems.length === 1 ? 'it is' : 'they are'} corrected.`)
      verdict = 'failed'
      return
    }
    const names = touchedFlows(checked, changed, known)
    changed = []
    known = new Set(flows.map(({ name }) => name))
    if (names.length === 0) return
    const ended = await run(names)
    if (!signal.aborted) verdict = ended
  }

  try {
    while (!signal.aborted) {
      await runTouched()
      if (signal.aborted) break
      io.note(`Watching ${counted(known.size, 'flow')}; a change runs again what it touches, and Ctrl-C ends.`)
      changed.push(...(await files.changed(signal, isBroken)))
    }
  } finally {
    files.close()
  }
  return { ok: true, expectsSignal: true, ...(verdict === 'passed' ? {} : { exits: 1 as const }) }
}
