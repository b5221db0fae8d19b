/**
 * The XPath expressions that simulated pages know: steps with tags, and tests of attributes, texts and positions. The package `xpath` would
 * need each page as a document of DOM nodes, and compares the names of tags as XML does.
 */

export interface XPathElement<E> {
  tag: string
  attributes: ReadonlyMap<string, string>
  children: readonly E[]
}

interface Step<E> {
  /** Anywhere below, or a child. */
  isDeep: boolean
  tag: string
  tests: ((element: E, position: number, last: number) => boolean)[]
}

/** In the words of a browser. */
export class InvalidXPath extends Error {
  constructor(expression: string) {
    super(
      `Failed to execute 'evaluate' on 'Document': The string '${expression}' is not a valid XPath expression of a simulated page.`,
    )
    this.name = 'InvalidXPath'
  }
}

const STEP = /^(\.?\/\/|\.?\/|)(\*|[a-zA-Z][\w-]*)/
const PREDICATE = /^\[\s*((?:"[^"]*"|'[^']*'|[^\]"'])*)\s*\]/
const VALUE = `(@[\\w-]+|text\\(\\)|\\.|normalize-space\\((?:\\.|text\\(\\))?\\))`
const TEXT = `(?:"([^"]*)"|'([^']*)')`
const EQUALS = new RegExp(`^${VALUE}\\s*=\\s*${TEXT}$`)
const CONTAINS = new RegExp(`^(contains|starts-with)\\(\\s*${VALUE}\\s*,\\s*${TEXT}\\s*\\)$`)
const HAS = /^@([\w-]+)$/

export const xPath = <E extends XPathElement<E>>(
  expression: string,
  text: { own(element: E): string; whole(element: E): string },
): ((root: E, isDocument: boolean) => E[]) => {
  const valueBy = (name: string) => (element: E) => {
    if (name.startsWith('@')) return element.attributes.get(name.slice(1)) ?? ''
    const content = name.includes('text()') ? text.own(element) : text.whole(element)
    return name.startsWith('normalize-space') ? content.replace(/\s+/g, ' ').trim() : content
  }
  const testOf = (written: string): Step<E>['tests'][number] => {
    const both = written.split(/\s+and\s+(?=(?:[^"']|"[^"]*"|'[^']*')*$)/)
    if (both.length > 1) {
      const tests = both.map(testOf)
      return (...args) => tests.every(test => test(...args))
    }
    if (/^\d+$/.test(written)) return (_, position) => position === Number(written)
    if (written === 'last()') return (_, position, last) => position === last
    const has = HAS.exec(written)?.[1]
    if (has !== undefined) return element => element.attributes.has(has)
    const [, of, double, single] = EQUALS.exec(written) ?? []
    if (of !== undefined) return element => valueBy(of)(element) === (double ?? single)
    const [, how, name, part, other] = CONTAINS.exec(written) ?? []
    if (name === undefined) throw new InvalidXPath(expression)
    const wanted = part ?? other ?? ''
    return element =>
      how === 'contains' ? valueBy(name)(element).includes(wanted) : valueBy(name)(element).startsWith(wanted)
  }
  const stepsOf = (): Step<E>[] => {
    const steps: Step<E>[] = []
    let rest = expression.trim()
    while (rest !== '') {
      const [all, axis = '', tag = ''] = STEP.exec(rest) ?? []
      if (all === undefined || (axis === '' && steps.length > 0)) throw new InvalidXPath(expression)
      rest = rest.slice(all.length)
      const step: Step<E> = { isDeep: axis.endsWith('//'), tag: tag.toLowerCase(), tests: [] }
      for (let found = PREDICATE.exec(rest); found; found = PREDICATE.exec(rest)) {
        step.tests.push(testOf((found[1] ?? '').trim()))
        rest = rest.slice(found[0].length)
      }
      steps.push(step)
    }
    if (steps.length === 0) throw new InvalidXPath(expression)
    return steps
  }
  const steps = stepsOf()
  const isRelative = !expression.trim().startsWith('/')

  const below = (element: E): E[] => element.children.flatMap(child => [child, ...below(child)])
  const taken = ({ isDeep, tag, tests }: Step<E>, parent: Pick<E, 'children'>): E[] => {
    let found = parent.children.filter(child => tag === '*' || child.tag === tag)
    for (const test of tests) found = found.filter((child, at, all) => test(child, at + 1, all.length))
    return isDeep ? [...found, ...parent.children.flatMap(child => taken({ isDeep, tag, tests }, child))] : found
  }
  return (root, isDocument) => {
    let found: Pick<E, 'children'>[] = [isDocument || !isRelative ? { children: [root] } : root]
    for (const step of steps) found = [...new Set(found.flatMap(each => taken(step, each)))]
    const wanted = new Set<unknown>(found)
    return [root, ...below(root)].filter(each => wanted.has(each))
  }
}
