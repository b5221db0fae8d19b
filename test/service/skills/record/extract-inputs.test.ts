import { describe, expect, test } from 'vitest'
import { extractInputs, type GivenParam } from '../../../../src/service/skills/record/extract-inputs.ts'
import type { FlowStep } from '../../../../src/service/skills/record/flow.ts'
import { flowOf, screenOf, tap, type, typeHere } from '../../../support/flows/flow.ts'

const lift = (steps: FlowStep[], ...params: GivenParam[]) => {
  const parameterized = extractInputs(steps, params)
  if (!parameterized.ok) throw new Error(parameterized.error.message)
  return parameterized
}
const refusal = (steps: FlowStep[], ...params: GivenParam[]) => {
  const parameterized = extractInputs(steps, params)
  return parameterized.ok ? undefined : parameterized.error
}
const paramsOf = (steps: readonly FlowStep[]) => JSON.stringify(steps.map(({ action }) => action.params))

describe('a value that was seen', () => {
  const steps = flowOf(type('query', 'tea'), tap('Results for tea'), tap('teapot'), {
    type: 'open_uri',
    params: { uri: 'https://example.com/?q=tea&lang=en' },
  })

  test('becomes a placeholder where it is a word of its own', () => {
    const text = paramsOf(lift(steps, { name: 'query', value: 'tea' }).steps)
    expect(text).toContain('"text":"{{QUERY}}"')
    expect(text).toContain('Results for {{QUERY}}')
    expect(text).toContain('?q={{QUERY}}&lang')
    expect(text).toContain('teapot')
  })

  test('is looked for once: what another value leaves is not looked at again', () => {
    const two = lift(
      flowOf(type('a', 'b'), type('c', 'QUERY b')),
      { name: 'query', value: 'b' },
      { name: 'b', value: 'QUERY' },
    )
    expect(paramsOf(two.steps)).toContain('"text":"{{B}} {{QUERY}}"')
  })

  test('that is nowhere is refused, and what was looked at is told', () => {
    const error = refusal(steps, { name: 'query', value: 'Tea' })
    expect(error).toMatchObject({ code: 'SKILLS_RECORD_FAILED', details: { param: 'query' } })
    expect(error?.message).toContain('"tea" (text of step "s0")')
  })

  test('cannot stand for two parameters, nor a parameter for what recipes fill in', () => {
    expect(refusal(steps, { name: 'a', value: 'tea' }, { name: 'b', value: 'tea' })?.code).toBe('SKILLS_RECORD_FAILED')
    expect(refusal(steps, { name: 'a-b', value: 'tea' }, { name: 'a_b', value: 'teapot' })?.code).toBe(
      'SKILLS_RECORD_FAILED',
    )
    expect(refusal(steps, { name: 'task-id', value: 'tea' })?.message).toContain('task-id')
  })

  test('is not looked for in a text that a recipe would read as a placeholder of its own', () => {
    expect(refusal(flowOf(type('a', 'say {{hello}}')))?.message).toContain('{{hello}}')
  })
})

describe('what was typed into a password field', () => {
  const login = screenOf(
    { id: 'user', className: 'EditText' },
    { id: 'pass', className: 'EditText', flags: 'password' },
  )

  test('is a required parameter everywhere, and is told nowhere', () => {
    const parameterized = lift(flowOf(login, type('user', 'ann'), type('pass', 'hunter2'), tap('hunter2')))
    expect(parameterized.inputs).toEqual([{ name: 'pass', variable: 'PASS', value: 'hunter2', secret: true }])
    expect(paramsOf(parameterized.steps)).not.toContain('hunter2')
    expect(parameterized.notes.join()).toContain('--pass')
    const error = refusal(flowOf(login, type('user', 'ann'), type('pass', 'hunter2')), { name: 'who', value: 'bob' })
    expect(JSON.stringify(error)).not.toContain('hunter2')
  })

  test('has the name that the caller gives it', () => {
    const parameterized = lift(flowOf(login, type('pass', 'hunter2')), { name: 'secret', value: 'hunter2' })
    expect(parameterized.inputs).toMatchObject([{ name: 'secret', secret: true }])
  })

  test('is known by the name of the field where no snapshot shows it', () => {
    expect(lift(flowOf(type('login_password', 'hunter2'))).inputs).toMatchObject([
      { name: 'login_password', secret: true },
    ])
    expect(lift(flowOf(type('spinner', 'x'))).inputs).toEqual([])
    expect(lift(flowOf(type('note', 'x'))).notes.join()).toContain('no snapshot shows the fields')
  })
})

describe('what was typed into the field that had the focus', () => {
  const fields = (focused?: 'user' | 'pass') =>
    screenOf(
      { id: 'user', text: 'User', className: 'EditText', flags: focused === 'user' ? 'focused' : '' },
      {
        id: 'pass',
        text: 'Password field',
        className: 'EditText',
        flags: focused === 'pass' ? 'password focused' : 'password',
      },
    )
  const NEXT = { type: 'press_key', params: { key: 'enter' } }

  test.each<[string, Parameters<typeof flowOf>, string[]]>([
    [
      'the click before it was on a password field',
      [fields(), tap('Password field'), typeHere('hunter2')],
      ['hunter2'],
    ],
    ['the click before it was on another field', [fields(), tap('User'), typeHere('ann')], []],
    ['the click names a password field that no screen shows', [tap('PIN'), typeHere('1234')], ['1234']],
    ['the screen before it shows the focus on a password', [fields('pass'), typeHere('hunter2')], ['hunter2']],
    ['the screen before it shows the focus elsewhere', [fields('user'), typeHere('ann')], []],
    ['the screen after it shows the focus', [fields('user'), NEXT, typeHere('hunter2'), fields('pass')], ['hunter2']],
    ['nothing tells, and a password field was on the screen', [fields('user'), NEXT, typeHere('hunter2')], ['hunter2']],
    ['nothing tells, and none was', [screenOf({ id: 'note', className: 'EditText' }), NEXT, typeHere('tea')], []],
    ['a later screen belongs to another step', [fields('user'), typeHere('ann'), NEXT, fields('pass')], []],
  ])('is a secret or not where %s', (_, steps, secrets) => {
    const { inputs, steps: written } = lift(flowOf(...steps))
    expect(inputs.map(({ value }) => value)).toEqual(secrets)
    for (const secret of secrets) expect(paramsOf(written)).not.toContain(secret)
  })

  test('has the name of the field that was clicked', () => {
    expect(lift(flowOf(fields(), tap('Password field'), typeHere('hunter2'))).inputs).toMatchObject([
      { name: 'password-field', variable: 'PASSWORD_FIELD' },
    ])
    expect(lift(flowOf(fields('pass'), typeHere('hunter2'))).inputs).toMatchObject([{ name: 'password' }])
  })
})
