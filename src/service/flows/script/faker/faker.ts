/** `faker` as scripts know it: the names of Datafaker over English data, in a bundle that is loaded when a script names it. */
import { base, en, Faker } from '@faker-js/faker'
import { dataProviders } from './data-providers.ts'
import { evaluateExpression } from './expression.ts'
import { guardNames } from './guard-names.ts'
import { patternsOf } from './patterns.ts'
import { personProviders } from './person-providers.ts'
import { placeProviders } from './place-providers.ts'
import { plainProviders } from './plain-names.ts'
import type { Provider } from './provider.ts'
import { textProviders } from './text-providers.ts'

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
