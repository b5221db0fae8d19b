/** `svc executions trace` and `svc executions timeline`: what happened in an execution or a skill run, as a file and as text. */
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { STATE_FILE_MODE } from '../../contracts/limits.ts'
import type { Trace } from '../../contracts/viewer.ts'
import { loadAssets, viewerFolder } from '../../viewer/assets.ts'
import { traceOfExecution, traceOfRun } from '../../viewer/trace.ts'
import { traceHtml } from '../../viewer/trace-html.ts'
import { type Call, CommandError, type CommandResult, usage } from '../command.ts'
import { programFile } from '../program-file.ts'
import { timelineText } from './timeline-text.ts'

const traceFor = async (call: Call): Promise<Trace> => {
  const [id = ''] = call.args
  const services = await call.services()
  const receipt = await (await services.receipts()).receipt(id)
  const journal = services.journal()
  const trace = receipt ? traceOfExecution(journal, receipt) : traceOfRun(journal, id)
  if (trace) return trace
  throw new CommandError('EXECUTION_NOT_FOUND', `No execution and no skill run has the id "${id}".`, {
    details: { executionId: id },
    hint: 'Receipts are kept for 7 days. List them with svc executions list.',
  })
}

const reasonOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? String(error)

export const exportTrace = async (call: Call): Promise<CommandResult> => {
  const named = call.text('to')
  if (named === undefined || named.trim() === '') throw usage('--to is missing: name the HTML file to write.')
  const folder = viewerFolder(programFile())
  if (folder === undefined)
    throw new CommandError('INTERNAL_ERROR', 'The page of the viewer is missing: run npm run build.')
  const to = resolve(call.cwd, named)
  const trace = await traceFor(call)
  const { html } = await traceHtml((await call.services()).journal(), trace, loadAssets(folder))
  try {
    writeFileSync(to, html, { flag: 'wx', mode: STATE_FILE_MODE })
  } catch (error) {
    if (reasonOf(error) === 'EEXIST') throw usage(`${to} already exists: choose a new file.`)
    throw usage(`${to} cannot be written: ${reasonOf(error)}.`)
  }
  return { ok: true, output: { exported: true, kind: trace.kind, id: trace.id, to, bytes: Buffer.byteLength(html) } }
}

export const showTimeline = async (call: Call): Promise<CommandResult> => {
  const trace = await traceFor(call)
  if (call.isOn('json') || call.text('output') === 'json') return { ok: true, output: { trace } }
  await call.io.print(timelineText(trace, call.io.isTerminal() ? call.io.columns() : Number.POSITIVE_INFINITY))
  return { ok: true }
}
