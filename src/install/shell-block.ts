/** The block in a shell's own file that loads the completion: put in, replaced and taken out with every other byte kept. */
const START = '# svc completion: start'
const END = '# svc completion: end'

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
  // As in the shared AGENTS.md: an end of line after the block says that there was one before it.
  return text === '' || text.endsWith('\n') ? `${text}${block}\n` : `${text}\n${block}`
}

export const withoutShellBlock = (text: string): string => {
  const found = findBlock(text)
  if (!found) return text
  const before = text.slice(0, found.start)
  const after = text.slice(found.end)
  return after === '' ? before.replace(/\n$/, '') : before + after.replace(/^\n/, '')
}
