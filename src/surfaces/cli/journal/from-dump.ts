/** `svc simulate from-dump` at work: files of dumps in, a scenario out. */
import { constants } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { DUMP_CHARS_MAX, DUMP_FILES_MAX } from '../../../contracts/limits/limits.ts'
import { messageOf } from '../../../runtime/message-of.ts'
import { type DumpFile, scenarioFromFiles } from '../../../simulator/from-dump/from-dump.ts'
import { type CommandContext, type CommandResult, usage } from '../command.ts'
import { isOutputFormat } from '../flags/flag-values.ts'
import { fieldsText } from '../text/answer.ts'
import { headline, lines } from '../text/layout.ts'
import type { Page } from '../text/page.ts'
import { safe } from '../text/visible.ts'

/** A character takes up to four bytes. */
const BYTES_MAX = 4 * DUMP_CHARS_MAX

/** A pipe without a writer is opened at once, and then refused. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK

/** Reads a regular file, which may be no larger than a dump. */
const contentOf = async (path: string, writtenPath: string): Promise<string> => {
  const file = await open(path, FLAGS).catch((error: unknown) => {
    throw usage(`${writtenPath} cannot be read: ${messageOf(error)}`)
  })
  try {
    if (!(await file.stat()).isFile()) throw usage(`${writtenPath} is not a file.`)
    const chunks: Buffer[] = []
    for await (const chunk of file.createReadStream({ end: BYTES_MAX, autoClose: false })) chunks.push(chunk)
    const content = Buffer.concat(chunks)
    if (content.length > BYTES_MAX)
      throw usage(`${writtenPath} is larger than ${BYTES_MAX} bytes: too large for a dump.`)
    return content.toString('utf8')
  } finally {
    await file.close()
  }
}

const write = async (path: string, writtenPath: string, text: string, force: boolean) => {
  try {
    await writeFile(path, text, { flag: force ? 'w' : 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      throw usage(`${writtenPath} already exists.`, { hint: 'Choose a new file, or add --force to overwrite it.' })
    }
    throw usage(`${writtenPath} cannot be written: ${messageOf(error)}`)
  }
}

/** Bounds on one line; no text of the scenario has a line feed of its own in JSON. */
export const readable = (scenario: unknown): string =>
  JSON.stringify(scenario, null, 2).replace(
    /\[\n\s+(-?\d+(?:,\n\s+-?\d+)*)\n\s+\]/g,
    (_, numbers: string) => `[${numbers.replace(/\s+/g, ' ')}]`,
  )

/** `json`, `pretty` and `text` are ways to print. */
const fileOf = (call: CommandContext): string | undefined => {
  const output = call.text('output')
  return isOutputFormat(output) ? undefined : output
}

/** The scenario of screens that were seen on a device. */
export const scenarioOfDumps = async (call: CommandContext, paths: readonly string[]) => {
  if (paths.length > DUMP_FILES_MAX) throw usage(`At most ${DUMP_FILES_MAX} dumps are taken at once.`)
  const files: DumpFile[] = []
  for (const path of paths) {
    files.push({ name: basename(path, extname(path)), path, text: await contentOf(resolve(call.cwd, path), path) })
  }
  const made = scenarioFromFiles(files, call.text('package'))
  if (!made.ok) throw usage(`${made.problem}.`)
  return made
}

export const runFromDump = async (call: CommandContext): Promise<CommandResult> => {
  const { written, notes } = await scenarioOfDumps(call, call.args)
  const text = readable(written)
  const output = fileOf(call)
  for (const note of notes) call.io.note(note)
  if (output === undefined) {
    await call.io.print(text)
    return { ok: true }
  }
  const path = resolve(call.cwd, output)
  await write(path, output, `${text}\n`, call.isOn('force'))
  const screens = written.apps.flatMap(({ screens }) => Object.keys(screens))
  return { ok: true, output: { written: path, apps: written.apps.map(app => app.package), screens } }
}

interface Written {
  written: string
  apps: readonly string[]
  screens: readonly string[]
}

export const scenarioText = (page: Page, { written, apps, screens }: Written): string =>
  lines(headline(page, 'ok', safe`Wrote the scenario ${written}`), fieldsText(page, { apps, screens }))
