/** The files of a run as reports refer to them: where they lie, and how a report beside them or elsewhere names them. */

import { lstat } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { FlowAttempt, TestRun } from '../../../contracts/flows/test-run.ts'
import { outputRootOf, writeOutput } from '../../../device/files/output-file.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import type { Element } from './xml.ts'

// Readers of JUnit open the file that an attachment mark names. Only files of the run are named so.

/** Texts of flows and apps begin no mark. */
export const withoutMarks = (text: string): string => text.replace(/\[(?=\[)/g, '[ ')

/** A path would end at such a sign, so a file with one in its path has its property alone. */
const ENDS_PATH = /[[\]|\p{Cc}]/u

export const attachmentMarks = (files: readonly Attachment[]): string[] =>
  files.flatMap(({ projectPath }) => (ENDS_PATH.test(projectPath) ? [] : [`[[ATTACHMENT|${projectPath}]]`]))

/** True for a property of a flow's header that would name a file. */
export const namesAttachment = (property: string): boolean => /attachment(_\d+)?$/i.test(property)

/** The output of an attempt ends in marks of its own, and is left as it is. */
const MARKED = 'system-out'

export const withoutMarksIn = ({ name, attributes, content }: Element): Element => ({
  name,
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, typeof value === 'string' ? withoutMarks(value) : value]),
  ),
  content:
    typeof content !== 'string' ? content.map(withoutMarksIn) : name === MARKED ? content : withoutMarks(content),
})

const TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.txt': 'text/plain',
  '.log': 'text/plain',
  '.xml': 'application/xml',
  '.json': 'application/json',
  '.html': 'text/html',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
}

export const contentTypeOf = (path: string): string => TYPES[extname(path).toLowerCase()] ?? 'application/octet-stream'

/** The files of the attempt come first, then those of its commands; each once. */
export const filesOf = ({ files = [], commands = [] }: FlowAttempt): string[] => [
  ...new Set([...files, ...commands.flatMap(command => command.files ?? [])]),
]

export interface RunFile {
  /** The run names it so, below its folder. */
  readonly path: string
  readonly file: string
  readonly size: number
}

export interface RunFiles {
  readonly found: ReadonlyMap<string, RunFile>
  /** Sentences on files that the run names and that cannot be attached. */
  readonly missing: readonly string[]
}

/** True for the folder itself, too. */
const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const lookAt = async (folder: string, path: string): Promise<RunFile | string> => {
  const file = resolve(folder, path)
  if (isAbsolute(path) || path.includes('\0') || !isBelow(folder, file)) return `${path} lies outside of ${folder}.`
  try {
    const stats = await lstat(file)
    return stats.isFile() ? { path, file, size: stats.size } : `${file} is not a regular file.`
  } catch (error) {
    return `${file} cannot be read: ${messageOf(error)}.`
  }
}

/** So many are named; of the others only the number is told. */
const MISSING_NAMED_MAX = 10

const missingSentences = (problems: readonly string[]): string[] => {
  const more = problems.length - MISSING_NAMED_MAX
  return [
    ...problems.slice(0, MISSING_NAMED_MAX).map(problem => `An attachment is left out: ${problem}`),
    ...(more > 0 ? [`${more} more attachments are left out: they cannot be read either.`] : []),
  ]
}

export const findRunFiles = async (run: TestRun): Promise<RunFiles> => {
  const paths = new Set(run.flows.flatMap(({ attempts }) => attempts.flatMap(filesOf)))
  const found = new Map<string, RunFile>()
  const problems: string[] = []
  for (const path of paths) {
    const seen = await lookAt(run.folder, path)
    if (typeof seen === 'string') problems.push(seen)
    else found.set(path, seen)
  }
  return { found, missing: missingSentences(problems) }
}

export interface Attachment {
  readonly name: string
  readonly contentType: string
  /** From the folder of the report. */
  readonly path: string
  /** From the folder of the caller; absolute where it lies elsewhere. */
  readonly projectPath: string
}

export type Attachments = ReadonlyMap<string, Attachment>

const withSlashes = (path: string) => path.replaceAll(sep, '/')

const attachmentAt = (file: string, reportFolder: string, cwd: string): Attachment => ({
  name: basename(file),
  contentType: contentTypeOf(file),
  path: withSlashes(relative(reportFolder, file)),
  projectPath: withSlashes(isBelow(cwd, file) ? relative(cwd, file) : file),
})

/** Beside `report.xml`: `report-files/<run>`. */
const folderBeside = (report: string, { testRunId }: TestRun) =>
  join(dirname(report), `${basename(report, extname(report))}-files`, testRunId)

/**
 * Files that lie below the folder of the caller or of the report are named where they are. Others would not travel with the
 * report: they are copied beside it.
 */
export const attachFiles = async (
  run: TestRun,
  { found }: RunFiles,
  { report, cwd }: { report: string; cwd: string },
): Promise<{ attachments: Attachments; notes: string[] }> => {
  const reportFolder = dirname(report)
  const isNear = isBelow(cwd, run.folder) || isBelow(reportFolder, run.folder)
  const folder = folderBeside(report, run)
  const attachments = new Map<string, Attachment>()
  const notes: string[] = []
  for (const { path, file } of found.values()) {
    const target = isNear ? file : join(folder, path)
    try {
      if (target !== file) {
        await writeOutput({ folder: outputRootOf(cwd, report), path: target, kind: 'file' }, { file })
      }
      attachments.set(path, attachmentAt(target, reportFolder, cwd))
    } catch (error) {
      notes.push(`An attachment is left out: ${file} cannot be copied to ${target}: ${messageOf(error)}.`)
    }
  }
  return { attachments, notes }
}
