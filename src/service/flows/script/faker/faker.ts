/** `faker` as scripts know it: the names of Datafaker over English data, in a bundle that is loaded when a script names it. */

import { base, en, Faker } from '@faker-js/faker'
import { nearest } from '../../../../runtime/text/nearest-word.ts'
import { plainProviders } from './plain-names.ts'
import { dataProviders, type Method, type Provider, personProviders, placeProviders } from './providers.ts'
import { textProviders } from './text-providers.ts'

const DIGITS = '0123456789'

/** Texts made from a pattern. */
const patternsOf = ({ helpers, string }: Faker) => {
  const letters = (text: string, isUpper: boolean) =>
    text.replace(/\?/g, () => string.alpha({ casing: isUpper ? 'upper' : 'lower' }))
  const digits = (text: string) => text.replace(/#/g, () => string.fromCharacters(DIGITS))
  return {
    /** Each `#` becomes a digit. */
    numerify: (text: unknown) => digits(String(text)),
    /** Each `?` becomes a letter. */
    letterify: (text: unknown, isUpper = false) => letters(String(text), isUpper === true),
    bothify: (text: unknown, isUpper = false) => letters(digits(String(text)), isUpper === true),
    examplify: (text: unknown) =>
      String(text)
        .replace(/[A-Z]/g, () => string.alpha({ casing: 'upper' }))
        .replace(/[a-z]/g, () => string.alpha({ casing: 'lower' }))
        .replace(/\d/g, () => string.fromCharacters(DIGITS)),
    regexify: (pattern: unknown) => helpers.fromRegExp(pattern instanceof RegExp ? pattern : String(pattern)),
  }
}

/** Asked of every object by the language itself. */
const LANGUAGE = ['then', 'toJSON', 'toString', 'valueOf', 'constructor', 'prototype', '__proto__']

/** A name that does not exist is an error that says which one is nearest, and not `undefined`. */
const guardNames = <T extends object>(methods: T, owner: string): T =>
  new Proxy(Object.freeze(methods), {
    get(target, name) {
      if (typeof name === 'symbol' || Object.hasOwn(target, name) || LANGUAGE.includes(name)) {
        return Reflect.get(target, name)
      }
      const names = Object.keys(target)
      const near = nearest(name, names)
      throw new TypeError(
        `${owner} has no ${name}. ${near ? `The nearest is ${near}.` : `It has ${names.join(', ')}.`}`,
      )
    },
  })

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

/** `faker.expression('#{name.firstName} #{number.numberBetween \'1\',\'9\'}')`. */
const evaluateExpression = (text: string, providers: Readonly<Record<string, Provider>>): string =>
  text.replace(DIRECTIVE, (_, name: string, method: string, args: string) => {
    const found: Method = find(find(providers, name, 'faker'), method, `faker.${name}()`)
    const values = [...args.matchAll(ARGUMENT)].map(([, value = '']) =>
      /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value,
    )
    return String(found(...(values as never[])))
  })

export const createFaker = (next: () => number): object => {
  const source = new Faker({ locale: [en, base], randomizer: { next, seed: () => {} } })
  const providers: Record<string, Provider> = plainProviders(source)
  for (const more of [personProviders, placeProviders, textProviders, dataProviders])
    for (const [name, methods] of Object.entries(more(source))) providers[name] = { ...providers[name], ...methods }
  const functions = {
    ...patternsOf(source),
    expression: (text: unknown) => evaluateExpression(String(text), providers),
  }
  const methods = Object.fromEntries(
    Object.entries(providers).map(([name, provider]) => {
      const guarded = guardNames(provider, `faker.${name}()`)
      return [name, () => guarded]
    }),
  )
  return guardNames({ ...methods, ...functions }, 'faker')
}
