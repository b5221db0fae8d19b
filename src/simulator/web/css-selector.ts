/**
 * The css selectors that simulated pages know: tags, `#id`, `.class`, `[attribute=value]`, descendants, children and lists. An engine of npm
 * would need an adapter to these elements, which is as long.
 */

export interface StyledElement {
  tag: string
  attributes: ReadonlyMap<string, string>
  parent: StyledElement | undefined
}

type Test = (element: StyledElement) => boolean

interface Compound {
  tests: Test[]
  /** How the one before it is related: somewhere around it, or its parent. */
  relation: ' ' | '>'
}

const PART =
  /^(?:([a-z][\w-]*|\*)|#([\w-]+)|\.([\w-]+)|\[\s*([\w-]+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*)?\])/i
const RELATION = /^\s*>\s*|^\s+/

/** In the words of a browser, whose selectors are more than these. */
export class InvalidSelector extends Error {
  constructor(selector: string) {
    super(
      `Failed to execute 'querySelector' on 'DocumentFragment': '${selector}' is not a valid selector of a simulated page.`,
    )
    this.name = 'InvalidSelector'
  }
}

const testOf = ([, tag, id, className, name, ...values]: RegExpExecArray): Test => {
  if (tag !== undefined) return element => tag === '*' || element.tag === tag.toLowerCase()
  if (id !== undefined) return ({ attributes }) => attributes.get('id') === id
  if (className !== undefined)
    return ({ attributes }) => (attributes.get('class') ?? '').split(/\s+/).includes(className)
  const value = values.find(each => each !== undefined)
  return ({ attributes }) => (value === undefined ? attributes.has(name ?? '') : attributes.get(name ?? '') === value)
}

const compoundsOf = (selector: string, whole: string): Compound[] => {
  const compounds: Compound[] = []
  let rest = selector.trim()
  let relation: Compound['relation'] = ' '
  while (rest !== '') {
    const tests: Test[] = []
    for (let part = PART.exec(rest); part; part = PART.exec(rest)) {
      // A tag comes first.
      if (part[1] !== undefined && tests.length > 0) throw new InvalidSelector(whole)
      tests.push(testOf(part))
      rest = rest.slice(part[0].length)
    }
    if (tests.length === 0) throw new InvalidSelector(whole)
    compounds.push({ tests, relation })
    const between = RELATION.exec(rest)?.[0]
    if (rest === '') break
    if (between === undefined) throw new InvalidSelector(whole)
    relation = between.includes('>') ? '>' : ' '
    rest = rest.slice(between.length)
    if (rest === '') throw new InvalidSelector(whole)
  }
  if (compounds.length === 0) throw new InvalidSelector(whole)
  return compounds
}

const matchesAt = (element: StyledElement, compounds: readonly Compound[], at: number): boolean => {
  const compound = compounds[at]
  if (!compound?.tests.every(test => test(element))) return false
  if (at === 0) return true
  for (let around = element.parent; around; around = around.parent) {
    if (matchesAt(around, compounds, at - 1)) return true
    if (compound.relation === '>') return false
  }
  return false
}

/** Commas in quoted values stay. */
const listOf = (selector: string): string[] => selector.split(/,(?=(?:[^"']|"[^"]*"|'[^']*')*$)/)

/** Throws InvalidSelector. */
export const cssSelector = (selector: string): ((element: StyledElement) => boolean) => {
  const alternatives = listOf(selector).map(each => compoundsOf(each, selector))
  return element => alternatives.some(compounds => matchesAt(element, compounds, compounds.length - 1))
}
