import type { JsonSchema } from '@valibot/to-json-schema'
import { expect, test } from 'vitest'
import { ACTION_TYPES } from '../../../src/contracts/executions/action.ts'
import { EXACT_TYPE_ALIASES, PARAM_KEY_ALIASES, TYPE_ALIASES } from '../../../src/contracts/executions/aliases.ts'
import { jsonSchemas } from '../../../src/contracts/json/json-schema.ts'
import { normaliseExecution } from '../../../src/service/executions/validate.ts'

test('the documented spellings of types', () => {
  expect(TYPE_ALIASES).toEqual({
    open_url: 'open_uri',
    tap: 'click',
    double_click: 'double_tap',
    drag_and_drop: 'drag',
    press: 'click',
    wait_for: 'wait_for_node',
    find: 'wait_for_node',
    find_node: 'wait_for_node',
    read: 'read_text',
    snapshot_ui: 'snapshot',
    screenshot: 'take_screenshot',
    capture_screenshot: 'take_screenshot',
    type_text: 'enter_text',
    text_entry: 'enter_text',
    input_text: 'enter_text',
    key_press: 'press_key',
  })
  expect(EXACT_TYPE_ALIASES).toEqual({
    on_screen_log_set: 'set_on_screen_log',
    on_screen_log_clear: 'clear_on_screen_log',
  })
})

test('an alias is never itself a canonical type', () => {
  for (const alias of [...Object.keys(TYPE_ALIASES), ...Object.keys(EXACT_TYPE_ALIASES)]) {
    expect(ACTION_TYPES).not.toContain(alias)
  }
})

/** The names of all properties of a JSON Schema, at any depth. What an element is known by is written by svc alone. */
const propertyNames = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema ? Object.keys(schema.properties as object) : []
  const inner = Object.entries(schema).flatMap(([key, value]) => (key === 'element' ? [] : propertyNames(value)))
  return [...own, ...inner]
}

const overlays = ['show_toast', 'cancel_toast', 'set_on_screen_log', 'clear_on_screen_log']
const aliasedActions = jsonSchemas().Action?.oneOf?.filter(
  option =>
    typeof option === 'object' && !overlays.includes(JSON.stringify(option.properties?.type).split('"')[3] ?? ''),
)

test('every camelCase key of the aliased params has a snake_case form', () => {
  expect(aliasedActions).toHaveLength(ACTION_TYPES.length - overlays.length)
  const snake = (key: string) => key.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
  const inParams = (type: string, params: object) =>
    normaliseExecution({ actions: [{ id: 'a', type, params }] }) as { actions: [{ params: Record<string, unknown> }] }
  for (const option of aliasedActions ?? []) {
    const { type, params } = (option as JsonSchema).properties as Record<string, JsonSchema>
    for (const key of Object.keys(params?.properties ?? {}))
      expect(inParams(String(type?.const), { [snake(key)]: 1 }).actions[0].params).toEqual({ [key]: 1 })
  }
  for (const key of Object.keys(jsonSchemas().Matcher?.properties ?? {}))
    expect(inParams('click', { matcher: { [snake(key)]: 1 } }).actions[0].params).toEqual({ matcher: { [key]: 1 } })
})

test('key aliases lead to documented keys, and are none themselves', () => {
  const documented = new Set(propertyNames(aliasedActions))
  for (const [alias, key] of Object.entries(PARAM_KEY_ALIASES)) {
    expect(documented).toContain(key)
    // The value of a setting and the element of a matcher are keys of their own: there the alias does not hold.
    if (alias !== 'value' && alias !== 'element') expect(documented).not.toContain(alias)
  }
})
