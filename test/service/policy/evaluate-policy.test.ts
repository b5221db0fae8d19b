import { describe, expect, test } from 'vitest'
import { Action } from '../../../src/contracts/executions/action.ts'
import { type Policy, Policy as PolicySchema } from '../../../src/contracts/policy.ts'
import {
  actsOf,
  dependsOnPackage,
  evaluateForAnyApp,
  evaluatePolicy,
  type PolicyFacts,
} from '../../../src/service/policy/evaluate-policy.ts'
import { accept, complaints } from '../../contracts/parse.ts'

const facts: PolicyFacts = {
  action: 'click',
  caller: 'cli',
  devices: ['emulator-5554', 'EMU1'],
  package: 'com.example.bank',
  operator: 'svc.shell',
}

const policy = (...rules: object[]): Policy =>
  accept(PolicySchema, { rules: rules.map((rule, index) => ({ id: `r${index}`, ...rule })) }) as Policy

const percent = (x: number, y: number) => ({ x, y, unit: 'percent' })

const effectOf = (rule: object, more: Partial<PolicyFacts> = {}) =>
  evaluatePolicy(policy({ effect: 'deny', ...rule }), { ...facts, ...more }).effect

describe('a rule fits', () => {
  test.each<[object, boolean]>([
    [{}, true],
    [{ actions: ['click'] }, true],
    [{ actions: ['tap'] }, true],
    [{ actions: ['enter_text'] }, false],
    [{ actions: ['scroll*', 'c*k'] }, true],
    [{ devices: ['EMU1'] }, true],
    [{ devices: ['emulator-*'] }, true],
    [{ devices: ['emulator-5556'] }, false],
    [{ packages: ['com.example.*'] }, true],
    [{ packages: ['*bank'] }, true],
    [{ packages: ['com.*.bank.*'] }, false],
    [{ packages: ['com.example'] }, false],
    [{ operators: ['svc.shell'] }, true],
    [{ operators: ['com.svc.operator'] }, false],
    [{ callers: ['http', 'cli'] }, true],
    [{ callers: ['mcp'] }, false],
    [{ callers: ['*'] }, true],
    [{ skills: ['*'] }, true],
    [{ skills: ['com.*'] }, false],
    [{ actions: ['click'], devices: ['other'] }, false],
  ])('%j: %s', (rule, fits) => expect(effectOf(rule)).toBe(fits ? 'deny' : 'allow'))

  test('a skill by its id', () => {
    expect(effectOf({ skills: ['com.example.*'] }, { skill: 'com.example.pay' })).toBe('deny')
  })

  test('nothing by a list when the fact is not known', () => {
    expect(effectOf({ packages: ['com.*'] }, { package: undefined })).toBe('allow')
    expect(effectOf({ packages: ['*'] }, { package: undefined })).toBe('deny')
  })
})

describe('of several rules', () => {
  const [deny, confirm, allow] = [{ effect: 'deny' }, { effect: 'confirm' }, { effect: 'allow' }]

  test('denying beats confirming, which beats allowing, which beats the default', () => {
    expect(evaluatePolicy(policy(allow, confirm, deny), facts)).toEqual({ effect: 'deny', rule: 'r2' })
    expect(evaluatePolicy(policy(allow, confirm), facts)).toEqual({ effect: 'confirm', rule: 'r1' })
    expect(evaluatePolicy({ ...policy(allow), default: 'deny' }, facts)).toEqual({ effect: 'allow' })
    expect(evaluatePolicy({ ...policy(), default: 'deny' }, facts)).toEqual({ effect: 'deny', rule: 'default' })
  })

  test('what a person confirmed is allowed, and no more than that', () => {
    expect(evaluatePolicy({ ...policy(confirm), default: 'deny' }, facts, ['r0'])).toEqual({ effect: 'allow' })
    expect(evaluatePolicy(policy(confirm, confirm), facts, ['r0'])).toEqual({ effect: 'confirm', rule: 'r1' })
    expect(evaluatePolicy(policy(confirm, deny), facts, ['r0', 'r1'])).toEqual({ effect: 'deny', rule: 'r1' })
  })
})

test('a pattern of actions that fits no action is refused: it would never fit', () => {
  const rules = (...actions: string[]) => ({ rules: [{ id: 'r', effect: 'deny', actions }] })
  expect(complaints(PolicySchema, rules('tap*'))).toEqual(['rules.0.actions.0'])
  expect(accept(PolicySchema, rules('scroll*', '*', 'skill_*'))).toBeDefined()
})

test.each([
  ['double_tap', { coordinate: { x: 1, y: 2 } }, ['double_tap', 'click']],
  ['drag', { from: { coordinate: { x: 1, y: 2 } }, to: { coordinate: { x: 3, y: 4 } } }, ['drag', 'swipe', 'click']],
  ['pinch', { coordinate: { x: 1, y: 2 }, scale: 2 }, ['pinch']],
  ['hide_keyboard', {}, ['hide_keyboard', 'press_key']],
  ['erase_text', {}, ['erase_text', 'press_key']],
  ['add_media', { paths: ['a.png'] }, ['add_media', 'push_file']],
  ['expand_shade', { shade: 'notifications' }, ['expand_shade']],
  ['collapse_shade', {}, ['collapse_shade']],
  ['answer_dialog', { answer: 'accept' }, ['answer_dialog', 'click', 'read_text']],
  ['wait_for_idle', {}, ['wait_for_idle']],
])('%s is denied by name, and by what it does', (type, params, denying) => {
  const [act] = actsOf(accept(Action, { id: 'a', type, params }))
  if (!act) throw new Error('the action is no act')
  for (const action of denying) expect(effectOf({ actions: [action] }, act)).toBe('deny')
  expect(effectOf({ actions: ['open_app'] }, act)).toBe('allow')
})

test('what depends on the application in front is left open, and nothing else', () => {
  const open = policy({ effect: 'deny', packages: ['com.bank'] }, { effect: 'deny', actions: ['swipe'] })
  expect(dependsOnPackage(open, facts)).toBe(true)
  expect(evaluateForAnyApp(open, facts).effect).toBe('allow')
  expect(evaluateForAnyApp(open, { ...facts, action: 'swipe' }).effect).toBe('deny')
  expect(dependsOnPackage(policy({ effect: 'deny', packages: ['*'] }), facts)).toBe(false)
})

test.each([
  [{}, []],
  [{ arguments: { a: 1 }, activity: '.Main', clearState: false, stopFirst: false }, []],
  [{ stopFirst: true }, ['close_app']],
  [{ clearState: true }, ['clear_app', 'close_app']],
  [{ permissions: { camera: 'allow' } }, ['set_permission']],
])('open_app with %j needs leave for %j too', (params, expected) => {
  const acts = actsOf(accept(Action, { id: 'a', type: 'open_app', params: { applicationId: 'a.b', ...params } }))
  expect(acts.slice(1)).toEqual(expected.map(action => ({ action, contains: [], step: 'open_app' })))
})

test.each([
  ['between points that are near', { start: { x: 1, y: 1 }, end: { x: 5, y: 5 } }, true],
  ['between points that are far', { start: { x: 1, y: 1 }, end: { x: 5, y: 500 } }, false],
  ['between near shares', { start: percent(50, 50), end: percent(51, 50) }, true],
  ['between far shares', { start: percent(50, 50), end: percent(50, 90) }, false],
  ['of which nothing tells how far it goes', { start: percent(50, 50), end: { x: 1, y: 1 } }, true],
  ['across the screen', { direction: 'up' }, false],
])('a swipe %s is a tap: %j', (_name, params, isTap) => {
  const acts = actsOf(accept(Action, { id: 'a', type: 'swipe', params }))
  expect(acts.some(({ action }) => action === 'click')).toBe(isTap)
})
