/** Opens the input of the small Unix tools: the files named, or stdin when none is. */
import { FILES_BYTES_MAX, normalPath } from '../files.ts'
import type { Command, Context } from './command.ts'
import { type Flags, parseFlags } from './flags.ts'
import { bytesInput, type Input, readAll } from './io.ts'
import { badFlag, failOn } from './say.ts'

export const withFlags =
  (letters: Parameters<typeof parseFlags>[1], run: (context: Context, flags: Flags) => Promise<number>): Command =>
  context => {
    const flags = parseFlags(context.args, letters)
    return flags.bad ? badFlag(context, flags) : run(context, flags)
  }

/** Calls for each source; a file that is not there costs exit code 1. */
export const eachSource = async (
  context: Context,
  words: readonly string[],
  use: (source: Input, name: string) => Promise<void>,
): Promise<number> => {
  let code = 0
  for (const word of words.length === 0 ? ['-'] : words) {
    const content = word === '-' ? undefined : context.phone.files.read(normalPath(word, context.scope.cwd))?.content
    if (word === '-') await use(context.stdin, '-')
    else if (content) await use(bytesInput(content), word)
    else code = await failOn(context, word, 'No such file or directory')
  }
  return code
}

/** The same with the whole content at once. */
export const eachContent = (
  context: Context,
  words: readonly string[],
  use: (content: Buffer, name: string) => Promise<void>,
): Promise<number> =>
  eachSource(context, words, async (source, name) => use(await readAll(source, FILES_BYTES_MAX), name))
