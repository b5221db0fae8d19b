import { expectTypeOf } from 'vitest'
import type { Action, ActionInput, ActionType } from '../../../src/contracts/executions/action.ts'
import type { Execution, ExecutionInput } from '../../../src/contracts/executions/execution.ts'
import type { Matcher } from '../../../src/contracts/executions/matcher.ts'

// What goes to a device is explicit: params with a default are no longer optional.
expectTypeOf<Extract<Action, { type: 'click' }>['params']['clickType']>().toEqualTypeOf<
  'default' | 'long_click' | 'focus'
>()
expectTypeOf<Extract<Action, { type: 'scroll' }>['params']['distanceRatio']>().toEqualTypeOf<number>()
expectTypeOf<Extract<ActionInput, { type: 'scroll' }>>().toExtend<{ params?: { distanceRatio?: number } }>()
expectTypeOf<{ id: string; type: 'scroll' }>().toExtend<ActionInput>()
expectTypeOf<{ id: string; type: 'scroll' }>().not.toExtend<Action>()
expectTypeOf<{ id: string; type: 'snapshot' }>().toExtend<Action>()

// The union is narrowed by its type, and knows canonical types only.
expectTypeOf<Extract<Action, { type: 'press_key' }>['params']['key']>().toEqualTypeOf<string>()
expectTypeOf<'tap'>().not.toExtend<ActionType>()
expectTypeOf<Action['type']>().toEqualTypeOf<ActionType>()

// An absent key is absent, never undefined.
expectTypeOf<{ textEquals: string }>().toExtend<Matcher>()
expectTypeOf<{ textEquals: undefined }>().not.toExtend<Matcher>()

expectTypeOf<Execution['mode']>().toEqualTypeOf<'direct' | 'artifact_compiled' | undefined>()
expectTypeOf<Execution>().toExtend<ExecutionInput>()
expectTypeOf<ExecutionInput>().not.toExtend<Execution>()
