/** Bodies of all requests together stay within one bound, and their bytes are free again. */
import { expect, test } from 'vitest'
import { createBodyRoom } from '../../../src/surfaces/http/routes/webdriver.ts'

test('a body beyond the room is refused and gives back what it took, and those that end make room', () => {
  const room = createBodyRoom(100)
  const [one, other, third] = [room(), room(), room()]
  expect(one.take(60)).toBe(true)
  expect(other.take(30)).toBe(true)
  expect(other.take(30)).toBe(false)
  expect([one.isRefused(), other.isRefused()]).toEqual([false, true])
  expect(third.take(40)).toBe(true)
  expect(third.take(1)).toBe(false)
  one.giveBack()
  one.giveBack()
  expect(room().take(100)).toBe(true)
  expect(room().take(1)).toBe(false)
})
