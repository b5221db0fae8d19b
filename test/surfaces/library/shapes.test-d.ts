/** The generated types of the library are those of the schemas that they were made from. */
import type * as v from 'valibot'
import { expectTypeOf } from 'vitest'
import type { ActionInput, Action as ActionSchema } from '../../../src/contracts/executions/action.ts'
import type { SCHEMAS } from '../../../src/contracts/json/public-shapes.ts'
import type { OutputOf, ServiceId } from '../../../src/service/service.ts'
import type * as shapes from '../../../src/surfaces/library/generated/shapes.ts'

type Schemas = typeof SCHEMAS
type Output<Name extends keyof Schemas> = v.InferOutput<Schemas[Name]>
type Input<Name extends keyof Schemas> = v.InferInput<Schemas[Name]>

// What svc answers
expectTypeOf<shapes.Receipt>().toEqualTypeOf<Output<'Receipt'>>()
expectTypeOf<shapes.ResultEnvelope>().toEqualTypeOf<Output<'ResultEnvelope'>>()
expectTypeOf<shapes.TransitionRecord>().toEqualTypeOf<Output<'TransitionRecord'>>()
expectTypeOf<shapes.LogLine>().toEqualTypeOf<Output<'LogLine'>>()
expectTypeOf<shapes.DevicesResponse>().toEqualTypeOf<Output<'DevicesResponse'>>()
expectTypeOf<shapes.TestRunResponse>().toEqualTypeOf<Output<'TestRunResponse'>>()
expectTypeOf<shapes.SettingsResponse>().toEqualTypeOf<Output<'SettingsResponse'>>()
expectTypeOf<shapes.SkillRunResponse>().toEqualTypeOf<Output<'SkillRunResponse'>>()
expectTypeOf<shapes.LeaseResponse>().toEqualTypeOf<Output<'LeaseResponse'>>()
expectTypeOf<shapes.TraceResponse>().toEqualTypeOf<Output<'TraceResponse'>>()

// What a caller sends: defaults may be left out
expectTypeOf<shapes.Matcher>().toEqualTypeOf<Input<'Matcher'>>()
expectTypeOf<shapes.ExecuteRequestInput>().toEqualTypeOf<Input<'ExecuteRequest'>>()
expectTypeOf<shapes.TestRunRequest>().toEqualTypeOf<Input<'TestRunRequest'>>()
expectTypeOf<shapes.ActionInput>().toEqualTypeOf<ActionInput>()

type ParamsOf<Type extends ActionInput['type']> = Extract<ActionInput, { type: Type }>['params']
expectTypeOf<shapes.OpenAppParams>().toEqualTypeOf<ParamsOf<'open_app'>>()
expectTypeOf<shapes.ClickParams>().toEqualTypeOf<ParamsOf<'click'>>()
expectTypeOf<shapes.ChangeSettingParams>().toEqualTypeOf<ParamsOf<'change_setting'>>()

// Every action has a method
type Camel<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text
expectTypeOf<keyof shapes.ActionMethods<unknown>>().toEqualTypeOf<Camel<v.InferOutput<typeof ActionSchema>['type']>>()

// Every request of the service can be made, and those that answer a shape answer that one
expectTypeOf<ServiceId>().toExtend<keyof shapes.Requests>()
type Special =
  | 'executions.list'
  | 'executions.picture'
  | 'executions.traceFile'
  | 'skillRuns.traceFile'
  | 'skills.run'
  | 'viewer.executions'
type Shaped = Exclude<ServiceId, Special>
type Answers = { [Id in Shaped]: shapes.Requests[Id]['answer'] }
expectTypeOf<Answers>().toEqualTypeOf<{ [Id in Shaped]: OutputOf<Id> }>()
