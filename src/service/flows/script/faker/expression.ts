/** `faker.expression('#{name.firstName} #{number.numberBetween \'1\',\'9\'}')`. */
import { nearest } from '../../../../runtime/text/nearest-word.ts'
import type { Method, Provider } from './provider.ts'

const DIRECTIVE = /#\{\s*([A-Za-z]\w*)\.(\w+)\s*((?:'[^']*'\s*,?\s*)*)\}/g
const ARGUMENT = /'([^']*)'/g

const folded = (name: string) => name.toLowerCase().replaceAll('_', '')

/** Written in camel case, or with underscores, as the data of Datafaker has them. */
const find = <T>(from: Readonly<Record<string, T>>, name: string, owner: string): T => {
  const known = Object.keys(from).find(each => folded(each) === folded(name))
  const found = known === undefined ? undefined : from[known]
  if (found !== undefined) return found
  const near = nearest(name, Object.keys(from))
  throw new TypeError(`${owner} has no ${name}.${near ? ` The nearest is ${near}.` : ''}`)
}

export const evaluateExpression = (text: string, providers: Readonly<Record<string, Provider>>): string =>
  text.replace(DIRECTIVE, (_, name: string, method: string, args: string) => {
    const found: Method = find(find(providers, name, 'faker'), method, `faker.${name}()`)
    const values = [...args.matchAll(ARGUMENT)].map(([, value = '']) =>
      /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value,
    )
    return String(found(...(values as never[])))
  })
