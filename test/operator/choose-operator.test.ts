import { expect, test } from 'vitest'
import { createOperatorChoice, type Helper } from '../../src/operator/choose-operator.ts'
import { manualClock } from '../support/manual-clock.ts'
import { type Answer, scriptedLink } from '../support/scripted-link.ts'

const options = { deadline: Number.POSITIVE_INFINITY }
const INSTALLED = 'package:/data/app/com.svc.operator-1/base.apk\n'
const ABSENT: Answer = { exitCode: 1 }
const helperThat = (ready: boolean): Helper => ({ operatorPackage: 'svc.uiautomator', isReady: async () => ready })

const setup = (answers: Answer[], helper = helperThat(false)) => {
  const clock = manualClock()
  const link = scriptedLink(() => (answers.length > 1 ? answers.shift() : answers[0]))
  const choose = createOperatorChoice(clock, helper)
  return { clock, link, choose: (on = link) => choose(on, options) }
}

test.each<[string, Answer, Helper, string]>([
  ['the operator app', INSTALLED, helperThat(true), 'com.svc.operator'],
  ['the helper', ABSENT, helperThat(true), 'svc.uiautomator'],
  ['a helper that does not fit', ABSENT, helperThat(false), 'svc.shell'],
  [
    'a package manager that does not answer',
    { exitCode: 1, stderr: "cmd: Can't find service: package" },
    helperThat(true),
    'com.svc.operator',
  ],
])('%s', async (_name, answer, helper, chosen) => {
  expect(await setup([answer], helper).choose()).toBe(chosen)
})

test('the operator app is asked for once per link', async () => {
  const { link, clock, choose } = setup([INSTALLED])
  for (let time = 0; time < 3; time++) {
    await choose()
    clock.advance(3_600_000)
  }
  expect(link.commands).toEqual(['pm path com.svc.operator'])
  const other = scriptedLink(() => INSTALLED)
  await choose(other)
  expect(other.commands).toHaveLength(1)
})

test('a better one that is installed later is found', async () => {
  const { link, clock, choose } = setup([ABSENT, INSTALLED])
  expect([await choose(), await choose()]).toEqual(['svc.shell', 'svc.shell'])
  expect(link.commands).toHaveLength(1)
  clock.advance(31_000)
  expect(await choose()).toBe('com.svc.operator')
})
