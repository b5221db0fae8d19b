/** What a find and a click ask of the phone and of the journal: one look each, and one touch. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startWebDriverLab,
  type TestSession,
  VAULT,
  type WebDriverLab,
} from '../../../support/webdriver/webdriver-lab.ts'

let lab: WebDriverLab
let session: TestSession
beforeAll(async () => {
  lab = await startWebDriverLab()
  session = await lab.session({ 'appium:appPackage': VAULT })
})
afterAll(() => lab.close())

const requests = () => lab.lab.fleet.devices[0]?.phone.executions().length ?? 0
const recorded = (type: string) =>
  [...lab.lab.services.journal().records()].filter(({ event }) => event.type === type).length

const costOf = async (command: () => Promise<unknown>) => {
  const counts = () => ({
    requests: requests(),
    executions: recorded('execution.requested'),
    dispatches: recorded('execution.dispatched'),
  })
  const before = counts()
  await command()
  const after = counts()
  return {
    requests: after.requests - before.requests,
    executions: after.executions - before.executions,
    dispatches: after.dispatches - before.dispatches,
  }
}

test('a find is one look, a click is one execution of a look and a touch', async () => {
  const find = () => session.find('xpath', '//*[@text="Later"]')
  expect(await costOf(find)).toEqual({ requests: 1, executions: 1, dispatches: 1 })
  const button = await find()
  const click = () => session.post(`/element/${button}/click`)
  expect(await costOf(click)).toEqual({ requests: 2, executions: 1, dispatches: 2 })
  expect(await session.find('xpath', '//*[@text="Here at last"]')).toBeTypeOf('string')
})

test('a click on an element that has gone looks once and touches nothing', async () => {
  const button = await session.find('id', `${VAULT}:id/login`)
  await session.post(`/element/${await session.find('id', `${VAULT}:id/name`)}/value`, { text: 'ada' })
  await session.post(`/element/${await session.find('id', `${VAULT}:id/pin`)}/value`, { text: '1234' })
  await session.post(`/element/${button}/click`)
  let status = 0
  const click = async () => {
    status = (await session.post(`/element/${button}/click`)).status
  }
  expect(await costOf(click)).toEqual({ requests: 1, executions: 1, dispatches: 1 })
  expect(status).toBe(404)
})
