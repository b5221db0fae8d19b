/** What is costly is made when it is first asked for, once, and whoever ends it does not have to make it. */
import { expect, test } from 'vitest'
import { once } from '../../src/runtime/once.ts'

test('it is made once, also where nothing came of it, and can be asked for without making it', () => {
  let made = 0
  const get = once(() => {
    made += 1
    return undefined
  })
  expect([get.made(), made]).toEqual([undefined, 0])
  get()
  get()
  expect(made).toBe(1)
  const thing = {}
  const kept = once(() => thing)
  expect([kept.made(), kept(), kept.made()]).toEqual([undefined, thing, thing])
})
