/** Ten sessions on ten phones at once: each logs in on its own phone, and an eleventh client is told who has them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { elementIdIn, startWebDriverLab, VAULT, type WebDriverLab } from '../support/webdriver/webdriver-lab.ts'

const PHONES = 10
const ROUNDS = 5

let lab: WebDriverLab
beforeAll(async () => {
  lab = await startWebDriverLab({ count: PHONES })
})
afterAll(() => lab.close())

const logIn = async (): Promise<string> => {
  const session = await lab.session({ 'appium:appPackage': VAULT })
  await session.post('/timeouts', { implicit: 10_000 })
  const act = async (using: string, value: string, what: string, body = {}) => {
    const answer = await session.post(`/element/${await session.find(using, value)}/${what}`, body)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.value))
  }
  for (let round = 0; round < ROUNDS; round++) {
    await act('id', `${VAULT}:id/name`, 'clear')
    await act('id', `${VAULT}:id/name`, 'value', { text: 'ada' })
    await act('id', `${VAULT}:id/pin`, 'clear')
    await act('id', `${VAULT}:id/pin`, 'value', { text: '1234' })
    await act('accessibility id', 'log in', 'click')
    const welcome = elementIdIn(await session.post('/element', { using: 'id', value: `${VAULT}:id/welcome` }))
    expect((await session.get(`/element/${welcome}/text`)).value).toBe('Welcome, Ada')
    await session.post('/back')
  }
  return session.capabilities['appium:deviceUDID']
}

test('each has a phone of its own', async () => {
  const phones = await Promise.all(Array.from({ length: PHONES }, logIn))
  expect([...phones].sort()).toEqual([...lab.serials].sort())
  const late = await lab.create()
  expect(late.value.error).toBe('session not created')
  expect(late.value.data.details.holders).toHaveLength(PHONES)
}, 300_000)
