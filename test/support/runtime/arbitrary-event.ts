/** Events drawn from the contract's own schemas, so that generated histories stay true to the vocabulary. */
import fc from 'fast-check'
import type * as v from 'valibot'
import type { ChartName } from '../../../machines/charts.ts'
import { DaemonEvent } from '../../../src/contracts/events/daemon.ts'
import { DeviceEvent } from '../../../src/contracts/events/device.ts'
import { DispatchEvent } from '../../../src/contracts/events/dispatch.ts'
import { EmulatorEvent, ProvisionEvent } from '../../../src/contracts/events/emulator.ts'
import { MembershipEvent, OwnershipEvent } from '../../../src/contracts/events/fleet.ts'
import { FlowRunEvent } from '../../../src/contracts/events/flow-run.ts'
import { RecordingEvent } from '../../../src/contracts/events/recording.ts'
import { ReservationEvent } from '../../../src/contracts/events/reservation.ts'
import { SessionEvent } from '../../../src/contracts/events/session.ts'
import { SkillRunEvent } from '../../../src/contracts/events/skill-run.ts'
import { TestRunEvent } from '../../../src/contracts/events/test-run.ts'

type Schema = v.GenericSchema & {
  entries?: Record<string, Schema>
  options?: readonly unknown[]
  literal?: unknown
  wrapped?: Schema
  item?: Schema
}

/** Few ids, so that events often speak of the same thing and the guards see both cases. */
const text = fc.constantFrom('a', 'b')

const ofSchema = (schema: Schema): fc.Arbitrary<unknown> => {
  switch (schema.type) {
    case 'literal':
      return fc.constant(schema.literal)
    case 'picklist':
      return fc.constantFrom(...(schema.options ?? []))
    case 'string':
      return text
    case 'number':
      return fc.nat(3)
    case 'boolean':
      return fc.boolean()
    case 'unknown':
      return fc.constant({ ok: true })
    case 'nullable':
      return fc.option(ofSchema(schema.wrapped as Schema), { nil: null })
    case 'array':
      return fc.array(ofSchema(schema.item as Schema), { maxLength: 2 })
    case 'variant':
      return fc.oneof(...(schema.options ?? []).map(option => ofSchema(option as Schema)))
    case 'object':
    case 'strict_object': {
      const entries = Object.entries(schema.entries ?? {})
      const optional = entries.filter(([, entry]) => entry.type === 'optional').map(([key]) => key)
      const shape = Object.fromEntries(
        entries.map(([key, entry]) => [key, ofSchema(entry.type === 'optional' ? (entry.wrapped as Schema) : entry)]),
      )
      return fc.record(shape, {
        requiredKeys: entries.map(([key]) => key).filter(key => !optional.includes(key)),
      } as fc.RecordConstraints<string>)
    }
    default:
      throw new Error(`no arbitrary for a ${schema.type} schema`)
  }
}

export const EVENT_SCHEMAS = {
  device: DeviceEvent,
  dispatch: DispatchEvent,
  daemon: DaemonEvent,
  emulator: EmulatorEvent,
  recording: RecordingEvent,
  reservation: ReservationEvent,
  provision: ProvisionEvent,
  membership: MembershipEvent,
  ownership: OwnershipEvent,
  session: SessionEvent,
  'skill-run': SkillRunEvent,
  'flow-run': FlowRunEvent,
  'test-run': TestRunEvent,
} satisfies Record<ChartName, v.GenericSchema>

export type AnyEvent = { type: string; at: number; [key: string]: unknown }

export const eventOf = (machine: ChartName): fc.Arbitrary<AnyEvent> =>
  ofSchema(EVENT_SCHEMAS[machine] as unknown as Schema) as fc.Arbitrary<AnyEvent>

/** The few values of a field that can make a difference to a guard. */
const valuesOf = (schema: Schema, key: string): unknown[] => {
  switch (schema.type) {
    case 'literal':
      return [schema.literal]
    case 'picklist':
      return [...(schema.options ?? [])]
    case 'string':
      return CORRELATIONS.has(key) ? ['a', 'b'] : (TEXTS[key] ?? ['a'])
    case 'number':
      return NUMBERS[key] ?? [1]
    case 'boolean':
      return [true, false]
    case 'nullable':
      return [null, ...valuesOf(schema.wrapped as Schema, key)]
    case 'optional':
      return valuesOf(schema.wrapped as Schema, key)
    case 'object':
    case 'strict_object':
      return combine(schema)
    case 'array':
      return key === 'flows' ? plansOf(valuesOf(schema.item as Schema, key)[0] as object) : [[]]
    default:
      return [{ ok: true }]
  }
}

/** Where more than one number makes a difference. */
const NUMBERS: Readonly<Record<string, number[]>> = {
  exitCode: [0, 1],
  pid: [1, 2],
  flow: [0, 1],
  retries: [0, 1],
  clearMs: [0, 1],
}

/** Where more than one text makes a difference. */
const TEXTS: Readonly<Record<string, string[]>> = { failureCode: ['a', 'DEVICE_LINK_LOST'] }

const CORRELATIONS = new Set(['executionId', 'requestId', 'runId', 'commandId'])

/** Two flows for any phone, and one that waits for a phone that never comes. */
const plansOf = (flow: object): object[][] => [[], [flow, flow], [flow, { ...flow, deviceId: 'b' }]]

const combine = (schema: Schema): Record<string, unknown>[] =>
  Object.entries(schema.entries ?? {}).reduce<Record<string, unknown>[]>(
    (rows, [key, entry]) => valuesOf(entry, key).flatMap(value => rows.map(row => ({ ...row, [key]: value }))),
    [{}],
  )

/** Every combination of those values for every event type. */
export const everyEvent = (machine: ChartName): AnyEvent[] =>
  ((EVENT_SCHEMAS[machine] as unknown as Schema).options as Schema[]).flatMap(option => combine(option) as AnyEvent[])

/** The event types of a machine, from its schema. */
export const eventTypes = (machine: ChartName): string[] =>
  ((EVENT_SCHEMAS[machine] as unknown as Schema).options as Schema[]).map(
    option => option.entries?.type?.literal as string,
  )
