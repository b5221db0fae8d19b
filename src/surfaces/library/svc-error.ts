/** The one error that the library throws: what failed, what to do next, and whether anything was done. */
import { withoutChosenIds } from '../../contracts/chosen-step-ids.ts'
import type { Dispatched } from '../../contracts/outcome.ts'
import { NOTHING_DONE } from './generated/facts.ts'
import { libraryHint } from './hint-words.ts'
import { asRecord, definedFields, type JsonRecord } from './outside.ts'

export interface SvcErrorFields {
  code: string
  message: string
  hint?: string | undefined
  details?: JsonRecord | undefined
  executionId?: string | undefined
  dispatched: Dispatched
  retriable?: boolean | undefined
}

/** The plain object that an error becomes in JSON. */
export interface SvcErrorJson {
  name: 'SvcError'
  code: string
  message: string
  hint?: string
  details?: JsonRecord
  executionId?: string
  dispatched: Dispatched
  retriable?: boolean
}

export class SvcError extends Error {
  override readonly name = 'SvcError'
  /** One of the codes of docs/troubleshooting.md. */
  readonly code: string
  /** What to do next, where svc knows it. */
  readonly hint: string | undefined
  readonly details: JsonRecord
  /** Names the receipt, once there is one or may be one. */
  readonly executionId: string | undefined
  /** `'unknown'`: look at the receipt, or at the screen, before you do it again. */
  readonly dispatched: Dispatched
  /** True where the same call may be made again without doing anything twice. */
  readonly retriable: boolean

  constructor(fields: SvcErrorFields) {
    super(fields.message)
    this.code = fields.code
    this.hint = fields.hint
    this.details = fields.details ?? {}
    this.executionId = fields.executionId
    this.dispatched = fields.dispatched
    this.retriable = fields.retriable ?? false
  }

  toJSON(): SvcErrorJson {
    const { name, code, message, hint, details, executionId, dispatched, retriable } = this
    return definedFields({
      name,
      code,
      message,
      hint,
      details,
      executionId,
      dispatched,
      retriable,
    }) as unknown as SvcErrorJson
  }
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** From an error object of the contract. `otherwise` stands where neither the details nor the code tell. @internal */
export const errorOf = (
  error: JsonRecord,
  { executionId, otherwise }: { executionId?: string | undefined; otherwise: Dispatched },
): SvcError => {
  const code = textIn(error.code) ?? 'INTERNAL_ERROR'
  const details = asRecord(error.details)
  const dispatched = details?.dispatched
  const isHarmless = NOTHING_DONE.includes(code)
  return new SvcError({
    code,
    message: withoutChosenIds(textIn(error.message) ?? 'The server sent an error without a message.'),
    hint: typeof error.hint === 'string' ? libraryHint(error.hint) : undefined,
    details,
    executionId: executionId ?? textIn(details?.executionId),
    dispatched:
      typeof dispatched === 'boolean' || dispatched === 'unknown' ? dispatched : isHarmless ? false : otherwise,
    retriable: error.retriable === true,
  })
}

const LOOK_FIRST = 'Look at the screen, or at svc.receipts, before you do it again.'

/** @internal */
export const cancelled = (dispatched: Dispatched, more: Partial<SvcErrorFields> = {}): SvcError =>
  new SvcError({
    code: 'EXECUTION_CANCELLED',
    message:
      dispatched === false
        ? 'The call was aborted before anything was sent to a device.'
        : 'The call was aborted; the device may finish what it was sent.',
    hint: dispatched === false ? 'Nothing was done: make the call again to have it done.' : LOOK_FIRST,
    dispatched,
    ...more,
  })
