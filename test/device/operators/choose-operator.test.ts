import { expect, test } from 'vitest'
import type { Action } from '../../../src/contracts/executions/action.ts'
import { createOperatorChoice } from '../../../src/device/operators/choose-operator.ts'
import { type OperatorTraits, traitsOf } from '../../../src/device/operators/traits.ts'
import { type Answer, scriptedLink } from '../../support/device/scripted-link.ts'
import { manualClock } from '../../support/manual-clock.ts'

const options = { deadline: Number.POSITIVE_INFINITY }
const INSTALLED = 'package:/data/app/com.svc.operator-1/base.apk\n'
const ABSENT: Answer = { exitCode: 1 }
const helperThat = (ready: boolean): OperatorTraits => ({
  ...traitsOf('svc.uiautomator'),
  isReady: async () => ready,
})

const setup = (
  answers: Answer[],
  helper = helperThat(false),
  changes = { newest: async () => undefined as number | undefined },
) => {
  const clock = manualClock()
  const link = scriptedLink(() => (answers.length > 1 ? answers.shift() : answers[0]))
  const choice = createOperatorChoice({
    clock,
    ranked: [traitsOf('com.svc.operator'), helper, traitsOf('svc.shell')],
    changes,
  })
  return {
    clock,
    link,
    choose: (on = link, actions: readonly Action[] = []) => choice.choose(on, options, actions),
    forget: () => choice.forget(link),
  }
}

test.each<[string, Answer, OperatorTraits, string]>([
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

const TOAST: Action = { id: 'a', type: 'show_toast', params: { text: 'hi', duration: 'short' } }
const typed = (text: string): Action => ({
  id: 'a',
  type: 'enter_text',
  params: { text, matcher: { role: 'textfield' }, append: false, clear: false, submit: false },
})

test.each<[string, Action, string]>([
  ['a toast', TOAST, 'com.svc.operator'],
  ['a text that keys cannot type', typed('grün'), 'com.svc.operator'],
  ['a text that keys can type', typed('green'), 'svc.shell'],
])('%s asks again only where the remembered svc.shell cannot do it', async (_name, action, chosen) => {
  const { choose } = setup([ABSENT, INSTALLED])
  expect(await choose()).toBe('svc.shell')
  expect(await choose(undefined, [action])).toBe(chosen)
})

test('an operator app that was missed is asked for again', async () => {
  const { choose, forget } = setup([INSTALLED, ABSENT], helperThat(true))
  expect(await choose()).toBe('com.svc.operator')
  forget()
  expect(await choose()).toBe('svc.uiautomator')
})

test('a device that svc has changed is asked again, at once and once', async () => {
  let seq: number | undefined
  const { choose, link } = setup([ABSENT, INSTALLED], helperThat(false), { newest: async () => seq })
  expect(await choose()).toBe('svc.shell')
  seq = 7
  expect([await choose(), await choose()]).toEqual(['com.svc.operator', 'com.svc.operator'])
  expect(link.commands).toHaveLength(2)
})
