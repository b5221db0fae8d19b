/** Single-letter options as the small Unix tools take them: bundled, with values attached or following, anywhere. */

export interface Flags {
  has(letter: string): boolean
  value(letter: string): string | undefined
  rest: readonly string[]
  /** An option that the command does not know, or that lacks its value. */
  bad: string | undefined
}

export const parseFlags = (
  args: readonly string[],
  { on = '', valued = '' }: { on?: string; valued?: string },
): Flags => {
  const given = new Map<string, string>()
  const rest: string[] = []
  let bad: string | undefined
  let plain = false
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    if (plain || word === '-' || !word.startsWith('-')) {
      rest.push(word)
      continue
    }
    if (word === '--') {
      plain = true
      continue
    }
    for (let at = 1; at < word.length; at++) {
      const letter = word[at] ?? ''
      if (valued.includes(letter)) {
        const value = word.slice(at + 1) || args[++index]
        if (value === undefined) bad ??= letter
        else given.set(letter, value)
        break
      }
      if (on.includes(letter)) given.set(letter, '')
      else bad ??= letter
    }
  }
  return { has: letter => given.has(letter), value: letter => given.get(letter), rest, bad }
}
