/** One provider of `faker`: what `faker.name()` returns. */

/** A script may hand a method anything. */
export type Method = (...args: never[]) => unknown
export type Provider = Readonly<Record<string, Method>>
