import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ACTION_TYPES } from '../../../src/contracts/executions/action.ts'
import {
  CLICK_TYPE_ALIASES,
  EXACT_TYPE_ALIASES,
  MATCHER_KEY_ALIASES,
  PARAM_KEY_ALIASES,
  TYPE_ALIASES,
} from '../../../src/contracts/executions/aliases.ts'
import { EXECUTION_BYTES } from '../../../src/contracts/limits/limits.ts'
import { canonicalType, normaliseExecution } from '../../../src/service/executions/validate.ts'
import { around, clicking, deepFrozen, FULL_ACTIONS, nested } from './payloads.ts'
import { acceptance, refusal } from './refusals.ts'

const EXACT = ['set_on_screen_log', 'clear_on_screen_log']
const snake = (key: string) => key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
const step = (type: unknown, params: unknown) => ({ id: 'a', type, params })
const paramsOf = (type: string, params: unknown) => {
  const { actions } = normaliseExecution(around(step(type, params))) as ReturnType<typeof around>
  return (actions[0] as ReturnType<typeof step>).params
}

describe('types', () => {
  test.each(Object.entries(TYPE_ALIASES))('%s is %s', (alias, type) => {
    for (const spelling of [alias, alias.toUpperCase(), ` ${alias}\n`]) expect(canonicalType(spelling)).toBe(type)
  })

  test.each(ACTION_TYPES.filter(type => !EXACT.includes(type)))('%s in any case', type => {
    for (const spelling of [type, type.toUpperCase(), `\t${type} `]) expect(canonicalType(spelling)).toBe(type)
  })

  test.each(Object.entries(EXACT_TYPE_ALIASES))('%s is %s, as written only', (alias, type) => {
    expect(canonicalType(alias)).toBe(type)
    expect(canonicalType(type)).toBe(type)
    for (const spelling of [alias, type].flatMap(name => [name.toUpperCase(), ` ${name}`, `${name} `])) {
      expect(canonicalType(spelling)).toBe(spelling)
      expect(refusal(around(step(spelling, { text: 'a' }))).details).toMatchObject({ path: 'actions.0.type' })
    }
  })

  test.each(['bogus', '', 'constructor', '__proto__', 'toString', null, 1, undefined, ['click']])('%j stays', type => {
    expect(canonicalType(type)).toBe(type)
  })
})

describe('keys', () => {
  test.each([
    ['command_id', 'commandId'],
    ['task_id', 'taskId'],
    ['expected_format', 'expectedFormat'],
    ['timeout_ms', 'timeoutMs'],
  ])('of the payload: %s is %s', (alias, key) => {
    const { [key]: value, ...rest } = around(step('snapshot', {})) as Record<string, unknown>
    expect(normaliseExecution({ ...rest, [alias]: value })).toEqual({ ...rest, [key]: value })
    expect(normaliseExecution({ ...rest, [alias]: 'other', [key]: value })).toEqual({ ...rest, [key]: value })
  })

  const HOLDERS: Record<string, [type: string, value: unknown]> = {
    applicationId: ['open_app', 'com.example'],
    uri: ['open_uri', 'https://example.com'],
    matcher: ['click', { textEquals: 'a' }],
    text: ['enter_text', 'hello'],
    path: ['take_screenshot', 'a.png'],
    container: ['scroll', { role: 'list' }],
    labelMatcher: ['read_key_value_pair', { textEquals: 'a' }],
  }
  test.each(Object.entries(PARAM_KEY_ALIASES))('of params: %s is %s', (alias, key) => {
    const [type, value] = HOLDERS[key] ?? ['', null]
    expect(paramsOf(type, { [alias]: value })).toEqual({ [key]: value })
    expect(paramsOf(type, { [alias]: 'other', [key]: value })).toEqual({ [key]: value })
    expect(paramsOf(type, { [key]: value, [alias]: 'other' })).toEqual({ [key]: value })
  })

  test.each(Object.entries(MATCHER_KEY_ALIASES))('of a matcher: %s is %s', (alias, key) => {
    for (const holder of ['matcher', 'selector', 'within', 'container']) {
      const known =
        { matcher: 'matcher', selector: 'matcher', within: 'container', container: 'container' }[holder] ?? ''
      const params = { ...(known === 'matcher' ? {} : { matcher: { role: 'text' } }), [holder]: { [alias]: 'a' } }
      expect(paramsOf('read_text', params)).toMatchObject({ [known]: { [key]: 'a' } })
    }
    expect(paramsOf('click', { matcher: { [alias]: 'other', [key]: 'a' } })).toEqual({ matcher: { [key]: 'a' } })
  })

  test.each(Object.entries(CLICK_TYPE_ALIASES))('the clickType %s is %s', (alias, value) => {
    const matcher = { textEquals: 'a' }
    for (const clickType of [alias, alias.toUpperCase(), ` ${alias} `]) {
      expect(paramsOf('click', { matcher, clickType })).toEqual({ matcher, clickType: value })
      expect(paramsOf('scroll_and_click', { matcher, click_type: clickType })).toEqual({ matcher, clickType: value })
    }
  })

  test('of two aliases the first one counts', () => {
    expect(paramsOf('open_app', { app: 'first', package: 'second' })).toEqual({ applicationId: 'first' })
    expect(paramsOf('open_app', { package: 'second', app: 'first' })).toEqual({ applicationId: 'second' })
  })

  test('a key that no name of this action could stand for keeps its name', () => {
    expect(paramsOf('sleep', { app: 'a', durationMs: 1 })).toEqual({ app: 'a', durationMs: 1 })
    expect(refusal(around(step('sleep', { app: 'a', durationMs: 1 }))).details).toMatchObject({ invalidKeys: ['app'] })
    expect(paramsOf('click', { matcher: { value: 'a', text_equals: 'b' } })).toEqual({
      matcher: { value: 'a', textEquals: 'b' },
    })
  })

  test.each([
    ['show_toast', { value: 'Hi' }],
    ['set_on_screen_log', { value: 'Hi' }],
    ['set_on_screen_log', { text: 'Hi', text_color: '#FFFFFF' }],
    ['on_screen_log_set', { text: 'Hi', ttl_ms: 1_000 }],
  ])('%s knows no aliases: %j', (type, params) => {
    expect(paramsOf(type, params)).toEqual(params)
    expect(refusal(around(step(type, params))).details).toHaveProperty('invalidKeys')
  })

  test('no aliases on the action itself', () => {
    expect(refusal(around({ id: 'a', type: 'sleep', args: { durationMs: 1 } })).details).toMatchObject({
      path: 'actions.0',
      invalidKeys: ['args'],
    })
  })
})

/** Every key that has another spelling, in one of them. */
const respelt = (value: unknown, pick: (spellings: string[]) => string, isParam = false): unknown => {
  if (Array.isArray(value)) return value.map(item => respelt(item, pick, isParam))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => {
      const spellings = [key, ...(/[A-Z]/.test(key) ? [snake(key)] : [])]
      const aliases = Object.entries(PARAM_KEY_ALIASES).flatMap(([alias, name]) => (name === key ? [alias] : []))
      return [isParam ? pick([...spellings, ...aliases]) : key, respelt(child, pick, isParam || key === 'params')]
    }),
  )
}

const aliased = FULL_ACTIONS.filter(({ type }) => !/toast|on_screen_log/.test(type))

test('payloads in other spellings are the canonical ones', () => {
  const canonical = acceptance(around(...aliased))
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), picks => {
      const pick = (spellings: string[]) => spellings[(picks.next().value as number) % spellings.length] ?? ''
      const { command_id, ...rest } = { command_id: 'cmd-1', ...around(...aliased) }
      const input = { ...rest, actions: respelt(rest.actions, pick), command_id }
      expect(acceptance(deepFrozen(input))).toEqual(canonical)
    }),
    { numRuns: 100 },
  )
})

describe('what is not an execution', () => {
  test.each([null, 1, 'text', true, [], undefined])('%j stays', input => expect(normaliseExecution(input)).toBe(input))

  test.each([
    { actions: null },
    { actions: [null, 1, [], 'click', {}] },
    { actions: [{ type: 'click', params: [] }] },
    { actions: [{ type: 'click', params: { matcher: [] } }] },
  ])('%j stays', input => expect(normaliseExecution(input)).toEqual(input))

  test('depth does not matter', () => {
    const deep = around(step('tap', { selector: nested(100_000, inner => ({ inner })) }), nested(100_000))
    const { actions } = normaliseExecution(deep) as { actions: [{ type: string; params: object }] }
    expect(actions[0].type).toBe('click')
    expect(actions[0].params).toHaveProperty('matcher')
  })
})

const matcher = { textEquals: 'OK' }
const openingStep = (type: unknown, params?: unknown) => ({
  id: 'open-it',
  type,
  ...(params === undefined ? {} : { params }),
})

describe('accepted', () => {
  test('every type with all its params', () => {
    // One by one: together they may be more than an execution takes.
    for (const action of FULL_ACTIONS) expect(acceptance(around(action))).toEqual(around(action))
    expect(new Set(FULL_ACTIONS.map(({ type }) => type))).toEqual(new Set(ACTION_TYPES))
  })

  test('defaults are filled in, the input is left as it is', () => {
    const input = deepFrozen(clicking({ selector: matcher }))
    expect(acceptance(input).actions).toEqual([openingStep('click', { matcher, clickType: 'default' })])
  })

  test('an accepted execution is accepted again, unchanged', () => {
    const once = acceptance(
      around(openingStep('tap', { node: matcher }), openingStep('scroll'), openingStep('press', { selector: matcher })),
    )
    expect(acceptance(once)).toEqual(once)
  })
})

describe('size', () => {
  const filler = (texts: number, length: number) =>
    Array(texts).fill(openingStep('show_toast', { text: 'x'.repeat(length) }))
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
  const sized = (bytes: number) => {
    const base = around(
      ...filler(48, 2_000),
      openingStep('show_toast', { text: 'x' }),
      openingStep('show_toast', { text: 'x' }),
    )
    const missing = bytes - bytesOf(base)
    const last = [missing - Math.floor(missing / 2), Math.floor(missing / 2)].map(more => filler(1, 1 + more)[0])
    return { ...base, actions: [...base.actions.slice(0, 48), ...last] }
  }

  test('up to 102,400 bytes are accepted', () => {
    expect(bytesOf(sized(EXECUTION_BYTES))).toBe(102_400)
    acceptance(sized(EXECUTION_BYTES))
  })

  test('one more is PAYLOAD_TOO_LARGE', () => {
    expect(refusal(sized(EXECUTION_BYTES + 1))).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'the execution is 102401 bytes of JSON, over the limit of 102400 bytes',
      details: { path: 'execution', limit: 102_400, bytes: 102_401 },
    })
  })

  test('bytes of UTF-8 count, not characters', () => {
    const wide = around(...Array(11).fill(openingStep('show_toast', { text: 'ü'.repeat(2_048) })))
    acceptance(wide)
    expect(refusal({ ...wide, actions: Array(30).fill(wide.actions[0]) }).code).toBe('PAYLOAD_TOO_LARGE')
  })

  test('a character counts as it is written, with its escape', () => {
    const padded = (units: number) => ({ ...around(), padding: '\u0001'.repeat(units) })
    expect(bytesOf(padded(17_100))).toBeGreaterThan(EXECUTION_BYTES)
    expect(refusal(padded(17_100)).code).toBe('PAYLOAD_TOO_LARGE')
    expect(refusal(padded(16_000)).code).toBe('EXECUTION_VALIDATION_FAILED')
  })

  test.each([
    ['a huge text', around(openingStep('show_toast', { text: 'x'.repeat(5_000_000) }))],
    ['a huge key', { ['k'.repeat(5_000_000)]: 1 }],
    ['a huge list', { ...around(), actions: Array(1_000_000).fill(0) }],
  ])('%s is refused without being measured', (_, input) => {
    expect(refusal(input)).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { path: 'execution', limit: 102_400 } })
  })
})
