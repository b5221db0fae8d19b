/** A name that does not exist is an error that says which one is nearest, and not `undefined`. */
import { nearest } from '../../../../runtime/text/nearest-word.ts'

/** Asked of every object by the language itself. */
const LANGUAGE = ['then', 'toJSON', 'toString', 'valueOf', 'constructor', 'prototype', '__proto__']

export const guardNames = <T extends object>(methods: T, owner: string): T =>
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
