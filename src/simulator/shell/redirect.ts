/** Redirects a command's streams: `<`, `>`, `>>` and `2>&1` to the phone's files, `<<` to text of the command line. */
import { FILES_BYTES_MAX, normalPath } from '../files.ts'
import type { PhoneFiles } from '../phone-parts.ts'
import { type Expansion, expandText } from './expand.ts'
import { bytesInput, discard, emptyInput, type Io, type Output, StreamEnded } from './io.ts'
import { storeFile } from './store.ts'
import type { Redirect } from './syntax.ts'

export interface Redirected {
  io: Io
  /** Writes the files out; the reason when one of them cannot be. */
  close(): string | undefined
}

/** A failure to open, as the shell words it. */
export class RedirectError extends Error {}

const fileOutput = (files: PhoneFiles, path: string, earlier: Uint8Array) => {
  const chunks = [earlier]
  let size = earlier.length
  const write: Output = async bytes => {
    size += bytes.length
    if (size > FILES_BYTES_MAX) throw new StreamEnded()
    chunks.push(bytes)
  }
  return { write, close: () => storeFile(files, path, Buffer.concat(chunks)) }
}

export const redirectIo = async (list: readonly Redirect[], io: Io, expansion: Expansion): Promise<Redirected> => {
  const { files, scope } = expansion
  const outputs: (Output | undefined)[] = [undefined, io.stdout, io.stderr]
  const closing: (() => string | undefined)[] = []
  let stdin = io.stdin

  for (const { fd, how, target: word } of list) {
    const target = await expandText(word, expansion)
    if (how === 'copy') {
      const source = outputs[Number(target)]
      if (fd !== 0 && !source) throw new RedirectError(`${target}: bad file descriptor`)
      outputs[fd] = source
      continue
    }
    if (how === 'text') {
      stdin = target === '' ? emptyInput : bytesInput(Buffer.from(target))
      continue
    }
    const path = normalPath(target, scope.cwd)
    if (how === 'read') {
      const content = path === '/dev/null' ? new Uint8Array() : files.read(path)?.content
      if (!content) throw new RedirectError(`can't open ${target}: No such file or directory`)
      stdin = content.length === 0 ? emptyInput : bytesInput(content)
      continue
    }
    if (fd < 1 || fd > 2) throw new RedirectError(`${fd}: bad file descriptor`)
    if (path === '/dev/null') {
      outputs[fd] = discard
      continue
    }
    const earlier = how === 'append' ? files.read(path)?.content : undefined
    const refused = storeFile(files, path, earlier ?? new Uint8Array())
    if (refused) throw new RedirectError(`can't create ${target}: ${refused}`)
    const output = fileOutput(files, path, earlier ?? new Uint8Array())
    closing.push(output.close)
    outputs[fd] = output.write
  }

  const [, stdout = discard, stderr = discard] = outputs
  return {
    io: { ...io, stdin, stdout, stderr },
    close: () => closing.map(close => close()).find(reason => reason !== undefined),
  }
}
