/** Turns the row of an action type into tests: its least params, their defaults, and what is refused where. */
import { describe, expect, test } from 'vitest'
import { Action } from '../../../src/contracts/executions/action.ts'
import { accept, complaints } from '../parse.ts'

type Params = Record<string, unknown>

export interface Row {
  type: string
  /** The least that is accepted; null for an action whose params may be left out. */
  least: Params | null
  /** The params that reach the device when the least is given. */
  filled: Params | null
  integers?: Record<string, [min: number, max: number]>
  decimals?: Record<string, [min: number, max: number]>
  booleans?: string[]
  texts?: Record<string, [min: number, max: number]>
  choices?: Record<string, string[]>
  matchers?: string[]
  retries?: boolean
  required?: string[]
  accepted?: Params[]
  rejected?: [params: unknown, at: string][]
}

const NUL = 'a\0b'
const LONE_HIGH = 'a\ud83d'
const LONE_LOW = '\ude00a'
const STRAY = 0.001

const of = (row: Row, params: unknown) => ({ id: 'step-1', type: row.type, params })
const without = (params: Params, key: string) => Object.fromEntries(Object.entries(params).filter(([k]) => k !== key))

const tests = (row: Row) => {
  const least = row.least ?? {}
  const takes = (key: string, value: unknown) => {
    const { params } = accept(Action, of(row, { ...least, [key]: value }))
    expect(params).toHaveProperty([key])
  }
  const refuses = (params: unknown, at: string) => expect(complaints(Action, of(row, params))).toContain(at)
  const refusesValue = (key: string, value: unknown) => refuses({ ...least, [key]: value }, `params.${key}`)

  test('the least is accepted, and defaults are filled in', () => {
    expect(accept(Action, of(row, least))).toEqual(of(row, row.filled ?? {}))
    const bare = { id: 'step-1', type: row.type }
    if (row.least !== null) expect(complaints(Action, bare)).toContain('params')
    else expect(accept(Action, bare)).toEqual(row.filled === null ? bare : of(row, row.filled))
  })

  test('params are an object, and every unknown key is named', () => {
    for (const params of [null, 'text', 1, true, []]) refuses(params, 'params')
    const found = complaints(Action, of(row, { ...least, bogus: 1, format: 'xml' }))
    expect(found).toEqual(['params.bogus', 'params.format'])
    expect(complaints(Action, { ...of(row, least), extra: 1 })).toEqual(['extra'])
  })

  test('nothing that is required may be left out', () => {
    for (const key of row.required ?? []) refuses(without(least, key), `params.${key}`)
  })

  test.each(Object.entries(row.integers ?? {}))('%s is an integer within %j', (key, [min, max]) => {
    takes(key, min)
    takes(key, max)
    for (const value of [min - 1, max + 1, min + 0.5, `${min}`, null, Number.NaN]) refusesValue(key, value)
  })

  test.each(Object.entries(row.decimals ?? {}))('%s is a number within %j', (key, [min, max]) => {
    takes(key, min)
    takes(key, (min + max) / 2)
    takes(key, max)
    for (const value of [min - STRAY, max + STRAY, `${min}`, null]) refusesValue(key, value)
  })

  test.each(row.booleans ?? [])('%s is true or false', key => {
    takes(key, true)
    takes(key, false)
    for (const value of ['true', 1, 0, null]) refusesValue(key, value)
  })

  test.each(Object.entries(row.texts ?? {}))('%s is a text of %j characters', (key, [min, max]) => {
    takes(key, 'x'.repeat(Math.max(min, 1)))
    takes(key, 'ä😀')
    if (Number.isFinite(max)) takes(key, 'x'.repeat(max))
    if (Number.isFinite(max)) refusesValue(key, 'x'.repeat(max + 1))
    for (const value of ['', 7, null, ['x'], NUL, LONE_HIGH, LONE_LOW]) refusesValue(key, value)
  })

  test.each(Object.entries(row.choices ?? {}))('%s is one of %j', (key, choices) => {
    for (const value of choices) takes(key, value)
    for (const value of ['', 'bogus', 1, null]) refusesValue(key, value)
  })

  test.each(row.matchers ?? [])('%s is a matcher', key => {
    takes(key, { textEquals: 'OK', role: 'button' })
    for (const value of [{}, [], 'OK', null]) refusesValue(key, value)
    refuses({ ...least, [key]: { textEquals: 'OK', text: 'OK' } }, `params.${key}.text`)
    refuses({ ...least, [key]: { textEquals: '' } }, `params.${key}.textEquals`)
  })

  test.each(['retry', 'scrollRetry', 'clickRetry'])(`${row.retries ? 'takes' : 'does not take'} %s`, key => {
    if (!row.retries) return refusesValue(key, { maxAttempts: 2 })
    takes(key, { maxAttempts: 2 })
    refuses({ ...least, [key]: { maxAttempts: 11 } }, `params.${key}.maxAttempts`)
  })

  test('what else is accepted reaches the device as it is', () => {
    for (const params of row.accepted ?? []) expect(accept(Action, of(row, params)).params).toMatchObject(params)
  })

  test('what else is refused is refused where it is wrong', () => {
    const unrefused = (row.rejected ?? []).filter(([params, at]) => !complaints(Action, of(row, params)).includes(at))
    expect(unrefused).toEqual([])
  })
}

export const actionTable = (...rows: Row[]) => {
  for (const row of rows) describe(row.type, () => tests(row))
}
