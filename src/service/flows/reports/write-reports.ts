/** Writes the reports of a run, each whole or not at all, and says beforehand whether that can be done. */
import { access, constants, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { ErrorObject } from '../../../contracts/failures/error.ts'
import type { TestRun } from '../../../contracts/flows/test-run.ts'
import { isWithinRoots } from '../../../device/files/file-roots.ts'
import { outputRootOf, writeOutput } from '../../../device/files/output-file.ts'
import { codeOf } from '../../../runtime/message-of.ts'
import { systemProblem } from '../../../runtime/system-problem.ts'
import { attachFiles, findRunFiles, type RunFiles } from './attachments.ts'
import { ctrfReport } from './ctrf.ts'
import { htmlReport, type ReportPage } from './html.ts'
import { gatherContent, type ReadTrace } from './html-content.ts'
import { junitReport } from './junit.ts'

export const REPORT_FORMATS = ['junit', 'ctrf', 'html'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

const DEFAULT_NAMES: Readonly<Record<ReportFormat, string>> = {
  junit: 'report.xml',
  ctrf: 'report.json',
  html: 'report.html',
}

export interface WantedReport {
  readonly format: ReportFormat
  /** Absolute, or relative to `cwd`. */
  readonly file?: string | undefined
}

export interface ReportFolders {
  /** The folder that the run was asked for in. */
  readonly cwd: string
  /** Holds the reports that no file is named for. */
  readonly outputFolder: string
}

export interface ReportDeps extends ReportFolders {
  readonly now: number
  readonly version: string
  /** Asked for an HTML report only. */
  loadPage(): Promise<ReportPage>
  readonly readTrace: ReadTrace
}

export type WrittenReport =
  | { readonly format: ReportFormat; readonly file: string; readonly ok: true; readonly notes: readonly string[] }
  | { readonly format: ReportFormat; readonly file: string; readonly ok: false; readonly error: ErrorObject }

export const reportFile = ({ format, file }: WantedReport, { cwd, outputFolder }: ReportFolders): string =>
  file === undefined ? resolve(cwd, outputFolder, DEFAULT_NAMES[format]) : resolve(cwd, file)

const refusal = (file: string, reason: string): ErrorObject => ({
  code: 'INVALID_PATH',
  message: `The report cannot be written to ${file}: ${reason}.`,
  hint: 'Name a file in a folder that this user may write to.',
})

/** The folder itself, or the nearest one around it that is there. */
const nearestFolder = async (folder: string): Promise<string> => {
  try {
    await stat(folder)
    return folder
  } catch (error) {
    const parent = dirname(folder)
    if (codeOf(error) !== 'ENOENT' || parent === folder) throw error
    return nearestFolder(parent)
  }
}

/** A link that leads elsewhere could have been put there by whoever wrote the flows. */
const isInside = async (real: string, cwd: string, file: string): Promise<boolean> =>
  isWithinRoots(real, [outputRootOf(cwd, file)])

const pathProblem = async (path: string | undefined, file: string, cwd: string): Promise<ErrorObject | undefined> => {
  if (path?.trim() === '' || file.includes('\0')) return refusal(JSON.stringify(path), 'the path is blank or has a NUL')
  if (path?.endsWith('/')) return refusal(file, 'the path ends in a slash and names a folder')
  try {
    const found = await stat(file).catch(error => {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    })
    if (found?.isDirectory()) return refusal(file, 'it is a folder')
    if (found && !found.isFile()) return refusal(file, 'it is not a regular file')
    const folder = await nearestFolder(dirname(file))
    if (!(await stat(folder)).isDirectory()) return refusal(file, `${folder} is not a folder`)
    const real = await realpath(found ? file : folder)
    const isMissing = !found && outputRootOf(cwd, file) === dirname(file)
    if (!isMissing && !(await isInside(real, cwd, file)))
      return refusal(file, `a link leads out of ${outputRootOf(cwd, file)}`)
    await access(folder, constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return refusal(file, `it ${systemProblem(error).said}`)
  }
}

/** To be asked before a run begins: why its reports could not be written; undefined when they can. */
export const reportProblem = async (
  wanted: readonly WantedReport[],
  folders: ReportFolders,
): Promise<ErrorObject | undefined> => {
  const files = new Set<string>()
  for (const each of wanted) {
    const file = reportFile(each, folders)
    if (files.has(file)) return refusal(file, 'two reports name this file')
    files.add(file)
    const problem = await pathProblem(each.file, file, folders.cwd)
    if (problem) return problem
  }
  return undefined
}

/** A draft beside its place is renamed, so that a reader sees the old report or the new one. */
const writeWhole = async (path: string, text: string, cwd: string): Promise<void> => {
  const folder = outputRootOf(cwd, path)
  // A link to a report stays a link.
  const real = await realpath(path).catch(() => undefined)
  const root = real === undefined ? folder : await realpath(folder)
  await writeOutput({ folder: root, path: real ?? path, kind: 'file' }, text)
}

interface Rendered {
  text: string
  notes: readonly string[]
}

const render = async (
  run: TestRun,
  { format, file }: { format: ReportFormat; file: string },
  files: RunFiles,
  deps: ReportDeps,
): Promise<Rendered> => {
  const { cwd } = deps
  const { attachments, notes } = await attachFiles(run, files, { report: file, cwd })
  if (format === 'html') {
    const content = await gatherContent(run, { cwd, files, attachments, readTrace: deps.readTrace })
    return {
      text: htmlReport(content, await deps.loadPage(), cwd),
      notes: [...notes, ...content.report.omitted],
    }
  }
  const missing = [...files.missing, ...notes]
  if (format === 'ctrf') return { text: ctrfReport(run, { ...deps, attachments }), notes: missing }
  const junit = junitReport(run, { cwd, attachments })
  return { text: junit.text, notes: [...missing, ...junit.notes] }
}

/** A report that cannot be written leaves the others as they are. */
export const writeReports = async (
  run: TestRun,
  wanted: readonly WantedReport[],
  deps: ReportDeps,
): Promise<WrittenReport[]> => {
  const files = wanted.length === 0 ? { found: new Map(), missing: [] } : await findRunFiles(run)
  const written: WrittenReport[] = []
  for (const each of wanted) {
    const { format } = each
    const file = reportFile(each, deps)
    const problem = await pathProblem(each.file, file, deps.cwd)
    if (problem) {
      written.push({ format, file, ok: false, error: problem })
      continue
    }
    try {
      const { text, notes } = await render(run, { format, file }, files, deps)
      await writeWhole(file, text, deps.cwd)
      written.push({ format, file, ok: true, notes })
    } catch (error) {
      written.push({ format, file, ok: false, error: refusal(file, systemProblem(error).said) })
    }
  }
  return written
}
