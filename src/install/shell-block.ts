/** The block in a shell's own file that loads the completion: put in, replaced and taken out with every other byte kept. */
const START = '# svc completion: start'
const END = '# svc completion: end'

/** After the end marker, as in the shared AGENTS.md: the text before the block had no end of line. */
const JOINED = ' '

interface Block {
  start: number
  end: number
}

const findBlock = (text: string): Block | undefined => {
  const start = text.startsWith(`${START}\n`) ? 0 : text.indexOf(`\n${START}\n`) + 1
  if (start === 0 && !text.startsWith(`${START}\n`)) return undefined
  const end = text.indexOf(`\n${END}`, start)
  return end < 0 ? undefined : { start, end: end + END.length + 1 }
}

export const withShellBlock = (text: string, line: string): string => {
  const block = `${START}\n${line}\n${END}`
  const found = findBlock(text)
  if (found) return text.slice(0, found.start) + block + text.slice(found.end)
  // Its last line has an end always: what is appended to the file later is no part of that comment.
  return text === '' || text.endsWith('\n') ? `${text}${block}\n` : `${text}\n${block}${JOINED}\n`
}

export const withoutShellBlock = (text: string): string => {
  const found = findBlock(text)
  if (!found) return text
  const before = text.slice(0, found.start)
  const wasJoined = text.startsWith(`${JOINED}\n`, found.end)
  const after = text.slice(found.end + (wasJoined ? JOINED.length : 0)).replace(/^\n/, '')
  return wasJoined && after === '' ? before.replace(/\n$/, '') : before + after
}
