/** The messages of the operator protocol from their schemas, and its rules from the checks of `svc operator check`. */

import { CARDS } from '../../../contracts/actions/cards.ts'
import { OperatorRequest, ResultChunk, WireProgress } from '../../../contracts/device/operator.ts'
import { ACTION_TYPES } from '../../../contracts/executions/action.ts'
import { StepResult } from '../../../contracts/executions/execution-result.ts'
import { StrictEnvelope } from '../../../device/operators/check/judge-envelope.ts'
import { VECTORS } from '../../../device/operators/check/run-checks.ts'
import { expectation } from '../../../service/executions/validation/expectation.ts'
import { type Entries, isOptional } from '../../../service/executions/validation/schema-tree.ts'
import type { Regions } from './regions.ts'
import { code, markdownTable, sentence } from './table.ts'

/** The actions that no operator app is sent, whatever their params are. */
const HOST_TYPES = ACTION_TYPES.filter(type => ['link', 'screen'].includes(String(CARDS[type].by)))

/** Words for the shapes that other tables spell out. */
type Words = Readonly<Record<string, string>>

const shapeTable = ({ entries }: { entries: Entries }, words: Words): string => {
  const rows = Object.entries(entries).map(([name, schema]) => [
    code(name),
    words[name] ?? expectation(schema).replace(/"[^"]*"/g, code),
    isOptional(schema) ? '' : 'yes',
  ])
  return markdownTable(['key', 'value', 'required'], rows)
}

const names = (types: readonly string[]) => types.map(code).join(', ')

const checkTable = (): string =>
  markdownTable(
    ['check', 'rule', 'what is asked'],
    VECTORS.map(({ id, rule, asks }) => [code(id), rule, sentence(asks)]),
  )

export const operatorRegions: Regions = {
  'operator-request': () =>
    shapeTable(OperatorRequest, {
      commandId: 'the wire id, `<executionId>.<segment>`',
      nonce: '32 lower-case hex digits, fresh for each request',
      actions: '1-50 of the [actions](actions.md#reference), with every default filled in',
    }),
  'operator-envelope': () =>
    shapeTable(StrictEnvelope, {
      commandId: 'of the request',
      taskId: 'of the request',
      nonce: 'of the request',
      stepResults: 'the steps that ran, in order; a failed one is the last',
      error: '`null`, or `{code, message, details?}`',
      errorCode: 'the code of the failure',
    }),
  'operator-step': () =>
    shapeTable(StepResult, {
      id: 'of the action',
      actionType: 'the `type` of the action',
      data: 'an object of strings; of a failed step with `error` (a code) and `message` (a clause)',
    }),
  'operator-chunk': () =>
    shapeTable(ResultChunk, {
      commandId: 'of the request',
      nonce: 'of the request',
      byteLength: 'bytes of the whole envelope in UTF-8',
      sha256: 'digest of the whole envelope, 64 lower-case hex digits',
      data: 'base64 of at most 2,700 bytes of the envelope',
    }),
  'operator-progress': () =>
    shapeTable(WireProgress, {
      commandId: 'of the request',
      nonce: 'of the request',
      step: 'the index of the step in `actions`, from 0',
    }),
  'operator-host-actions': () => `The host performs these, and never sends them: ${names(HOST_TYPES)}.`,
  'operator-checks': checkTable,
}
